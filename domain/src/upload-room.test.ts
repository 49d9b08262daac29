import { expect, it } from 'vitest'
import {
  diskRoom,
  isLongWork,
  mostCpuSeconds,
  openTakeBytes,
  refusedRoom,
  refusedShare,
  refusedWork,
  uploaderKind,
  uploaders,
  type UploaderKind,
} from './upload-room.ts'

const gigabyte = 1024 ** 3
const film = (minutes: number, height: number, fps: number) => ({
  durationMs: minutes * 60_000,
  video: { width: (height * 16) / 9, height, fps },
})
const kinds = Object.keys(uploaders) as UploaderKind[]
const takes = (file: Parameters<typeof refusedWork>[1]) => kinds.filter((kind) => refusedWork(kind, file) === null)

it('role, address and plan decide how much a person may send', () => {
  const kindOf = (role: 'User' | 'Editor', isConfirmed: boolean, isEntitled: boolean) =>
    uploaderKind({ role, isConfirmed, isEntitled })
  expect(kindOf('User', false, true)).toBe('unconfirmed')
  expect(kindOf('Editor', false, false)).toBe('unconfirmed')
  expect(kindOf('User', true, false)).toBe('confirmed')
  expect(kindOf('User', true, true)).toBe('subscriber')
  expect(kindOf('Editor', true, false)).toBe('staff')
})

it('the room is counted with the file that comes, by number and by size', () => {
  const open = { files: 9, unused: 3 * gigabyte, canceled: 0, shown: 0 }
  expect(refusedRoom('confirmed', open, gigabyte)).toBeNull()
  expect(refusedRoom('confirmed', open, gigabyte + 1)?.code).toBe('asset.no-room')
  expect(refusedRoom('subscriber', open, gigabyte + 1)).toBeNull()
  const none = { unused: 0, canceled: 0, shown: 0 }
  expect(refusedRoom('subscriber', { ...none, files: 10 }, 1)).toEqual({ code: 'asset.no-room' })
  expect(refusedRoom('unconfirmed', { ...none, files: 3 }, 1)).toEqual({ code: 'account.unverified' })
})

it('files of canceled videos, of pictures and notes fill the same room, and the words say what to do', () => {
  const full = { files: 0, unused: 0, canceled: 0, shown: 0 }
  const words = (open: Partial<typeof full>) => refusedRoom('subscriber', { ...full, ...open }, 2 * gigabyte)?.text
  expect(words({ unused: 19 * gigabyte })).toBe(
    'Files that wait unused may have 20 GB together. Submit or remove one first.',
  )
  expect(words({ canceled: 19 * gigabyte })).toBe(
    'Files that wait unused and those of canceled videos may have 20 GB together. A canceled video’s files go by themselves after 7 days.',
  )
  expect(words({ unused: 8 * gigabyte, canceled: 8 * gigabyte, shown: 3 * gigabyte })).toBe(
    'Files that wait unused, those of canceled videos, those in pictures and notes may have 20 GB together. Submit or remove one first. A canceled video’s files go by themselves after 7 days. Take files out of pictures and notes that nobody needs.',
  )
  expect(words({ canceled: 10 * gigabyte, shown: 8 * gigabyte })).toBeUndefined()
})

it('room on the disk is promised by shares: unconfirmed people a tenth, all without a plan three quarters', () => {
  const yet = { unconfirmed: 2, confirmed: 4, subscriber: 8, staff: 16 }
  const needed = (kind: UploaderKind) => diskRoom(kind, { yet, unconfirmedHere: 1 }, 3)
  expect(needed('unconfirmed')).toEqual({ all: 33, share: 60 })
  expect(needed('confirmed')).toEqual({ all: 33, share: 12 })
  expect(needed('subscriber')).toEqual({ all: 33, share: 17 })
  expect(needed('staff')).toEqual({ all: 33, share: 33 })
})

it('honest films of phones are taken: 4K at 60 for 15 minutes, and an hour in 1080p at 30 with a plan', () => {
  expect(takes(film(15, 2160, 60))).toEqual(['staff', 'subscriber', 'confirmed'])
  expect(takes(film(60, 1080, 30))).toEqual(['staff', 'subscriber'])
  expect(takes(film(10, 1080, 60))).toEqual(kinds)
  expect(takes(film(3, 2160, 60))).toEqual(kinds)
})

it('a file of far more work than a film of a phone is refused in words that say how to go on', () => {
  expect(takes(film(59, 1080, 60))).toEqual(['staff', 'subscriber'])
  expect(takes(film(60, 2160, 60))).toEqual([])
  expect(takes(film(20, 1080, 300))).toEqual([])
  expect(refusedWork('unconfirmed', film(59, 1080, 60))).toBe(
    'This file is 59 minutes long, and we take 10 at most. Shorten it, or send the parts one by one. Once your e-mail address is confirmed, longer videos are welcome.',
  )
  expect(refusedWork('confirmed', film(59, 1080, 60))).toMatch(/With a plan, videos may be an hour long\.$/)
  expect(refusedWork('subscriber', film(60, 2160, 60))).toMatch(/too heavy.*Export it in 1080p with 30 pictures/)
})

it('small pictures in great number are work, and sound is hardly any', () => {
  expect(takes({ durationMs: 60 * 60_000, video: { width: 32, height: 32, fps: 300 } })).toEqual([
    'staff',
    'subscriber',
  ])
  expect(isLongWork({ durationMs: 60 * 60_000, video: { width: 32, height: 32, fps: 300 } })).toBe(true)
  expect(isLongWork({ durationMs: 60 * 60_000, video: null })).toBe(false)
  expect(isLongWork(film(2, 1080, 30))).toBe(false)
  expect(isLongWork(film(30, 1080, 30))).toBe(true)
})

it('a take of unknown length has a gigabyte, and a quarter of it before the address is confirmed', () => {
  expect(kinds.map(openTakeBytes)).toEqual([gigabyte, gigabyte, gigabyte, gigabyte / 4])
})

it('with too little room on the disk a code is asked for first, and a plan then', () => {
  expect(kinds.map((kind) => refusedShare(kind).code)).toEqual([
    'service.unavailable',
    'service.unavailable',
    'service.unavailable',
    'account.unverified',
  ])
  expect(refusedShare('unconfirmed').text).toContain('six digits')
  expect(refusedShare('confirmed').text).toContain('choose a plan')
})

it('the bounds themselves: sixty gigapixels are long work, and four hundred and fifty are taken', () => {
  const heavy = (seconds: number, fps: number) => ({
    durationMs: seconds * 1000,
    video: { width: 1000, height: 1000, fps },
  })
  expect([999, 1000].map((seconds) => isLongWork(heavy(seconds, 60)))).toEqual([false, true])
  expect(takes(heavy(1500, 300))).toEqual(['staff', 'subscriber'])
  expect(takes(heavy(1501, 300))).toEqual([])
})

it('all pictures of a file count however it begins, and of one with few the copy that is made of it', () => {
  const begun = (pictures: number) => ({ durationMs: 600_000, video: { width: 4000, height: 4000, fps: 1, pictures } })
  expect([600, 3750, 200_000].map((pictures) => isLongWork(begun(pictures)))).toEqual([false, true, true])
  expect(takes(begun(200_000))).toEqual([])
  const still = (minutes: number) => ({
    durationMs: minutes * 60_000,
    video: { width: 3840, height: 2160, fps: 0.01, pictures: 3 },
  })
  expect([10, 60].map((minutes) => isLongWork(still(minutes)))).toEqual([false, true])
})

it('a picture stored larger than it is shown counts as it is stored', () => {
  const video = { width: 1024, height: 4096, fps: 12, pictures: 4000 }
  expect(isLongWork({ durationMs: 333_000, video })).toBe(false)
  expect(isLongWork({ durationMs: 333_000, video: { ...video, largest: { width: 4096, height: 4096 } } })).toBe(true)
})

it('all samples of all channels of a sound count, and an hour in stereo stays short work', () => {
  const hour = (channels: number, sampleRate: number) => ({
    durationMs: 3_600_000,
    video: null,
    audio: { channels, sampleRate },
  })
  expect(isLongWork(hour(2, 48_000))).toBe(false)
  expect(isLongWork(hour(8, 384_000))).toBe(true)
  expect(takes(hour(32, 384_000))).toEqual(['staff', 'subscriber'])
})

it('a run may take processor time by all points of a file, and a quarter of that in the lane for short work', () => {
  const of = (pictures: number) => ({ durationMs: 100_000, video: { width: 1000, height: 1000, fps: 30, pictures } })
  expect([3000, 10_000].map((pictures) => mostCpuSeconds(of(pictures), { mayBeLong: true }))).toEqual([440, 1140])
  expect([3000, 10_000].map((pictures) => mostCpuSeconds(of(pictures), { mayBeLong: false }))).toEqual([215, 390])
  expect(mostCpuSeconds({ durationMs: 3_600_000, video: null }, { mayBeLong: false })).toBe(840)
})

it('a file whose pictures grow on the way is reckoned by the largest of them', () => {
  const video = { width: 320, height: 240, fps: 30, pictures: 27_000 }
  expect(isLongWork({ durationMs: 900_000, video })).toBe(false)
  const grown = { durationMs: 900_000, video: { ...video, largest: { width: 4096, height: 4096 } } }
  expect([isLongWork(grown), takes(grown)]).toEqual([true, []])
})

it('subscribers are offered no plan, and nobody is for a video that is too heavy', () => {
  const heavy =
    'This video is too heavy: so many minutes in such large pictures are more work than we can do at once. Export it in 1080p with 30 pictures a second, or send the parts one by one.'
  expect(refusedWork('staff', film(60, 2160, 60))).toBe(heavy)
  expect(refusedWork('subscriber', film(60, 2160, 60))).toBe(heavy)
  expect(refusedWork('confirmed', film(20, 2160, 60))).toBe(heavy)
})

it('a file that has no room even alone, and files that are none of the unused', () => {
  const none = { files: 0, unused: 0, canceled: 0, shown: 0 }
  expect(refusedRoom('staff', none, 20 * gigabyte)).toBeNull()
  expect(refusedRoom('staff', none, 21 * gigabyte)?.text).toBe(
    'Files that wait unused may have 20 GB together. Submit or remove one first.',
  )
  expect(refusedRoom('confirmed', none, 5 * gigabyte)?.text).toBe(
    'Files that wait unused may have 4 GB together. Submit or remove one first. With a plan there is more room.',
  )
  const elsewhere = { ...none, canceled: 10 * gigabyte, shown: 10 * gigabyte }
  expect(refusedRoom('subscriber', elsewhere, 1)?.text).not.toContain('Submit or remove')
})
