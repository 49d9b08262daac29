/** A stretch of a file. */
export type Stretch = { at: number; bytes: number }

const MiB = 1024 ** 2

/** The largest file that is taken in. */
export const mostUploadBytes = 4 * 1024 * MiB

/**
 * Parts of an upload that go straight to the bucket: bytes of each but the last one, counted from the file's beginning (a part
 * of a phone's video goes within a minute on a phone's line, and is little to send again); how many have an address at once;
 * how long an address lasts.
 */
export const uploadParts = { bytes: 8 * MiB, atOnce: 10, seconds: 15 * 60 } as const

/** Parts of the largest file. */
export const mostParts = mostUploadBytes / uploadParts.bytes

/** Addresses of one file that nobody used yet, of whoever asked for them: a page that is opened again and again gets no more. */
export const mostOpenParts = 4 * uploadParts.atOnce

/**
 * Bytes that one sender may put beside what counts as their uploads', over all of them, until those addresses are over: parts that
 * nobody acknowledged, and parts of uploads that ended, whose addresses may be put to once more. Who has `room` for so many bytes
 * sends as many in files that are taken in.
 */
export const mostBesideUploads = (room: number): number => room + mostOpenParts * uploadParts.bytes

/**
 * What of a file of `size` bytes has yet to be sent, in its order, where `received` bytes from its beginning and the stretches
 * `here` have come. A part ends at the next multiple of `partBytes`, whatever it begins with, so nobody makes many of few bytes.
 */
export const stretchesToSend = (
  size: number,
  { received, here }: { received: number; here: readonly Stretch[] },
  partBytes: number = uploadParts.bytes,
): Stretch[] => {
  const missing: Stretch[] = []
  let at = received
  for (const end of [...here.toSorted((a, b) => a.at - b.at), { at: size, bytes: 0 }]) {
    while (at < end.at) {
      const next = Math.min(end.at, at - (at % partBytes) + partBytes)
      missing.push({ at, bytes: next - at })
      at = next
    }
    at = Math.max(at, end.at + end.bytes)
  }
  return missing
}

/** Whether two stretches share a byte. */
export const overlap = (a: Stretch, b: Stretch): boolean => a.at < b.at + b.bytes && b.at < a.at + a.bytes

/** Why an address for this part is refused, in words for whoever writes a program; null when it is not. */
export const refusedPart = (
  part: Stretch,
  { size, received, here }: { size: number; received: number; here: readonly Stretch[] },
): string | null => {
  const end = part.at + part.bytes
  if (end > size) return 'This part goes beyond the size that the upload was begun with.'
  if (part.at < received || here.some((one) => overlap(one, part)))
    return 'Some of this part is here already. Ask for what is missing alone.'
  const isOne = stretchesToSend(size, { received, here }).some(
    ({ at, bytes }) => at === part.at && bytes === part.bytes,
  )
  return isOne
    ? null
    : 'Parts have 8 MiB each, counted from the beginning of the file. Only the last one is smaller, and one whose beginning is here.'
}
