/** A stretch of a file. */
export type Stretch = { at: number; bytes: number }

const MiB = 1024 ** 2

/**
 * Parts of an upload that go straight to the bucket: bytes of one, where it is neither the file's last nor fills a gap, and
 * at most; how many have an address at once; how long an address lasts.
 */
export const uploadParts = { leastBytes: MiB, mostBytes: 16 * MiB, atOnce: 10, seconds: 15 * 60 } as const

/** Addresses of one file that nobody used yet, of whoever asked for them: a page that is opened again and again gets no more. */
export const mostOpenParts = 4 * uploadParts.atOnce

/**
 * What of a file of `size` bytes has yet to be sent, in its order and in parts of `partBytes` at most, where `received` bytes
 * from its beginning and the stretches `here` have come.
 */
export const stretchesToSend = (
  size: number,
  { received, here }: { received: number; here: readonly Stretch[] },
  partBytes: number,
): Stretch[] => {
  const missing: Stretch[] = []
  let at = received
  for (const end of [...here.toSorted((a, b) => a.at - b.at), { at: size, bytes: 0 }]) {
    for (; at < end.at; at += partBytes) missing.push({ at, bytes: Math.min(partBytes, end.at - at) })
    at = Math.max(Math.min(at, end.at), end.at + end.bytes)
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
  const closes = end === size || here.some(({ at }) => at === end)
  if (part.bytes > uploadParts.mostBytes || (part.bytes < uploadParts.leastBytes && !closes))
    return 'A part has 1 MiB to 16 MiB; only the last one, or one before a part that is here, may be smaller.'
  return null
}
