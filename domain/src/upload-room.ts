import { canceledDays } from './plans.ts'
import { hasDuty, type Role } from './roles.ts'

/** Whose file it is: staff; who has a plan; who has confirmed an address; who has not yet. */
export type UploaderKind = 'staff' | 'subscriber' | 'confirmed' | 'unconfirmed'

export const uploaderKind = (person: { role: Role; isConfirmed: boolean; isEntitled: boolean }): UploaderKind => {
  if (!person.isConfirmed) return 'unconfirmed'
  if (hasDuty(person.role, 'serve')) return 'staff'
  return person.isEntitled ? 'subscriber' : 'confirmed'
}

const gigabyte = 1024 ** 3
const gigapixel = 1e9

/**
 * `files`: what of theirs may wait unused at once; `bytes`: of those, of the files of canceled videos and of what is shown as a
 * picture or in a note, together. `minutes`, `pixels`: the longest file, and the most points of
 * all its pictures together. 450 gigapixels are 15 minutes in 4K at 60 pictures a second; an hour in 1080p at 30 is half
 * of that. An unconfirmed person may send one film of a phone, while the code is on its way.
 */
export const uploaders: Readonly<
  Record<UploaderKind, { files: number; bytes: number; minutes: number; pixels: number }>
> = {
  staff: { files: 10, bytes: 20 * gigabyte, minutes: 60, pixels: 450 * gigapixel },
  subscriber: { files: 10, bytes: 20 * gigabyte, minutes: 60, pixels: 450 * gigapixel },
  confirmed: { files: 10, bytes: 4 * gigabyte, minutes: 20, pixels: 450 * gigapixel },
  unconfirmed: { files: 3, bytes: gigabyte, minutes: 10, pixels: 100 * gigapixel },
}

/**
 * Room for a take that is sent while it is being recorded, whose length nobody knows yet, bytes: at the recorder's 8 Mbit/s
 * a quarter of an hour, and four minutes for who has not confirmed an address.
 */
export const openTakeBytes = (kind: UploaderKind): number => (kind === 'unconfirmed' ? gigabyte / 4 : gigabyte)

/**
 * Which part of the disk's free room may be promised to people of a kind, and of the kinds before, together: who has shown
 * nothing holds no room that others then lack.
 */
export const diskShares: Readonly<Record<UploaderKind, number>> = {
  unconfirmed: 1 / 10,
  confirmed: 3 / 4,
  subscriber: 1,
  staff: 1,
}
const kinds = Object.keys(diskShares) as UploaderKind[]

/**
 * Bytes that must be free for a file of `size`, for two reasons: `all` beside what every upload has `yet` to send, and `share`
 * within the share of this kind. What unconfirmed people have sent and not used (`unconfirmedHere`) stays theirs to make room
 * of.
 */
export const diskRoom = (
  kind: UploaderKind,
  { yet, unconfirmedHere }: { yet: Readonly<Record<UploaderKind, number>>; unconfirmedHere: number },
  size: number,
): { all: number; share: number } => {
  const sum = (some: readonly UploaderKind[]) => some.reduce((bytes, one) => bytes + yet[one], size)
  const shared = sum(kinds.slice(0, kinds.indexOf(kind) + 1)) + (kind === 'unconfirmed' ? unconfirmedHere : 0)
  return { all: sum(kinds), share: shared / diskShares[kind] }
}

/** How a person is refused for whose kind no room is left on the disk, while others still have some. */
export const refusedShare = (
  kind: UploaderKind,
): { code: 'account.unverified' | 'service.unavailable'; text: string } =>
  kind === 'unconfirmed'
    ? {
        code: 'account.unverified',
        text: 'There is little room for files right now. Confirm your e-mail address with the six digits that we sent you, then send the file again.',
      }
    : {
        code: 'service.unavailable',
        text: 'There is little room for files right now, and what is left is for customers with a plan. Try again in an hour, or choose a plan and send it now.',
      }

/** From here on a file is long work: 16 minutes in 1080p at 30 pictures a second, 2 in 4K at 60. */
const longFromPixels = 60 * gigapixel

/**
 * A file as it was measured; `video` is null for sound alone, `pictures` absent where nobody counted them, and `largest`, the
 * largest of its pictures, where nobody looked for it.
 */
export type Measured = {
  durationMs: number
  video: { width: number; height: number; fps: number; pictures?: number; largest?: Size } | null
  audio?: { channels: number; sampleRate: number } | null
}

type Size = { width: number; height: number }

/** Small pictures are work, too: each is found, turned and written. */
const leastPicture = 640 * 360

/** What the copy for the panel has, however few pictures its source has; `points` at the most. */
export const copied = { fps: 30, points: 720 * 1920 }

/** What reading one sample of sound costs, in points: 0.02 seconds of a processor for a million, where a gigapixel takes 3 to 30. */
const samplePoints = 10

const pixelsOf = ({ durationMs, video, audio }: Measured): number => {
  const seconds = durationMs / 1000
  return picturesOf(seconds, video) + seconds * (audio ? audio.channels * audio.sampleRate : 0) * samplePoints
}

const picturesOf = (seconds: number, video: Measured['video']): number => {
  if (!video) return 0
  const { width, height } = video.largest ?? video
  const points = Math.max(leastPicture, video.width * video.height, width * height)
  return Math.max(
    (video.pictures ?? seconds * video.fps) * points,
    seconds * copied.fps * Math.min(copied.points, points),
  )
}

export const isLongWork = (file: Measured): boolean => pixelsOf(file) >= longFromPixels

/**
 * Seconds of a processor that one run over the file may take. A gigapixel takes 3 to 10 in H.264, and 33 of noise in HEVC with a
 * high dynamic range; the lane for short work leaves what takes longer to the other, which has room for a slow processor.
 */
export const mostCpuSeconds = (file: Measured, { mayBeLong }: { mayBeLong: boolean }): number =>
  120 + (file.durationMs / 1000) * 0.2 + (pixelsOf(file) / gigapixel) * (mayBeLong ? 100 : 25)

/** Why a file is more work than this person may ask for, with what to do; null when it is not. */
export const refusedWork = (kind: UploaderKind, file: Measured): string | null => {
  const most = uploaders[kind]
  const minutes = file.durationMs / 60_000
  if (minutes <= most.minutes && pixelsOf(file) <= most.pixels) return null
  const what =
    minutes > most.minutes
      ? `This file is ${Math.ceil(minutes)} minutes long, and we take ${most.minutes} at most. Shorten it, or send the parts one by one.`
      : 'This video is too heavy: so many minutes in such large pictures are more work than we can do at once. Export it in 1080p with 30 pictures a second, or send the parts one by one.'
  const more = {
    unconfirmed: ' Once your e-mail address is confirmed, longer videos are welcome.',
    confirmed: minutes > most.minutes ? ' With a plan, videos may be an hour long.' : '',
    subscriber: '',
    staff: '',
  }
  return what + more[kind]
}

/** What of a person's files lies here and no plan pays for: how many wait unused, and bytes by what keeps them. */
export type OpenFiles = { files: number; unused: number; canceled: number; shown: number }

/** Why a file of `size` bytes has no room beside what is open already; null when it has. Without a text the code's own words do. */
export const refusedRoom = (
  kind: UploaderKind,
  open: OpenFiles,
  size: number,
): { code: 'account.unverified' | 'asset.no-room'; text?: string } | null => {
  const most = uploaders[kind]
  const tooManyFiles = open.files >= most.files
  if (!tooManyFiles && open.unused + open.canceled + open.shown + size <= most.bytes) return null
  if (kind === 'unconfirmed') return { code: 'account.unverified' }
  if (tooManyFiles) return { code: 'asset.no-room' }
  const more = kind === 'confirmed' ? ' With a plan there is more room.' : ''
  return {
    code: 'asset.no-room',
    text: `${sentenceOf(open)} may have ${most.bytes / gigabyte} GB together. ${whatToDo(open)}${more}`,
  }
}

const sentenceOf = ({ canceled, shown }: OpenFiles): string => {
  const others = [
    ...(canceled > 0 ? ['those of canceled videos'] : []),
    ...(shown > 0 ? ['those in pictures and notes'] : []),
  ]
  return ['Files that wait unused', ...others].join(others.length === 1 ? ' and ' : ', ')
}

const whatToDo = ({ unused, canceled, shown }: OpenFiles): string =>
  [
    ...(unused > 0 || canceled + shown === 0 ? ['Submit or remove one first.'] : []),
    ...(canceled > 0 ? [`A canceled video’s files go by themselves after ${canceledDays} days.`] : []),
    ...(shown > 0 ? ['Take files out of pictures and notes that nobody needs.'] : []),
  ].join(' ')
