import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ffmpeg, quick, scratch, tracks } from '../test/footage.ts'
import { box, number } from '../test/second-kind.ts'
import { twoFilms } from '../test/two-films.ts'
import { hasMoreFilms } from './more-films.ts'

const { path, write, bin } = scratch()
afterAll(bin)

const made = (name: string, line: string) => ffmpeg(`${line} @`, path(name))

beforeAll(() => {
  made('long.mp4', `-f lavfi -i testsrc=s=96x64:r=10:d=5 -f lavfi -i sine=d=5 ${quick} -c:a aac`)
  made('short.mp4', `-f lavfi -i testsrc2=s=96x64:r=10:d=3 ${quick}`)
})

/** The short film's index first, as it is put there, and the long film's behind it. */
const films = (arrange: (one: Buffer, other: Buffer) => Buffer[]) =>
  write('films.mp4', twoFilms(path('short.mp4'), path('long.mp4'), arrange))

const picturesOf = (file: string) => tracks(file).video?.['nb_frames']
const hasMore = (file: string) => hasMoreFilms(file, 'mov', 2)

describe('a second index in an MP4', () => {
  const wrappers = 'udta trak edts mdia minf dinf stbl mvex tref ilst moof traf sinf schi moov'.split(' ')
  it.each(wrappers)('is found inside of a box named %s, where ffmpeg takes it for the film', async (name) => {
    const file = films((one, other) => [box(name, one), other])
    expect(picturesOf(file)).toBe('30')
    expect(await hasMore(file)).toBe(true)
  })

  it('is found beside the first, and in a list of descriptions, notes, or boxes longer than what they lie in', async () => {
    const notes = box('meta', number(0), box('hdlr', Buffer.alloc(24)))
    const all: Record<string, (one: Buffer, other: Buffer) => Buffer[]> = {
      beside: (one, other) => [one, other],
      'behind a strange name': (one, other) => [one, box('\u0001\u0002\u0003\u0004'), other],
      notes: (one, other) => [box('meta', notes.subarray(8), one), other],
      'under another name': (one, other) => [
        Buffer.from(one.toString('latin1').replace('moov', 'hoov'), 'latin1'),
        other,
      ],
      'too long': (one, other) => {
        const inner = box('udta', one)
        inner.writeUInt32BE(inner.length + 99, 0)
        return [box('udta', inner), other]
      },
      descriptions: (one, other) => [box('stsd', number(0), number(1), box('avc1', Buffer.alloc(78), one)), other],
      deep: (one, other) => [Array.from({ length: 20 }).reduce<Buffer>((inner) => box('udta', inner), one), other],
    }
    for (const [name, arrange] of Object.entries(all)) expect(await hasMore(films(arrange)), name).toBe(true)
  })

  it('is found in part: a loose piece that changes the track before it, or one that stands twice', async () => {
    const whole = readFileSync(path('short.mp4'))
    for (const name of ['avcC', 'stco', 'elst', 'tkhd', 'mvhd', 'hdlr', 'cmov', 'trun'])
      expect(await hasMore(write('loose.mp4', Buffer.concat([whole, box(name, Buffer.alloc(99))]))), name).toBe(true)
    const twice = readFileSync(path('short.mp4'))
    twice.write('stts', twice.indexOf('stss'), 'latin1')
    expect(await hasMore(write('twice.mp4', twice))).toBe(true)
  })
})

describe('a file of one film', () => {
  it('passes as programs write it: in front or behind, QuickTime with a time code, in fragments, HLG', async () => {
    const lines = {
      'front.mp4': '-c copy -movflags +faststart',
      'timed.mov': '-c copy -timecode 01:00:00:00',
      'fragments.mp4': '-c copy -movflags frag_keyframe+empty_moov+default_base_moof',
      'segments.mp4': '-c copy -movflags dash+frag_every_frame',
      'noted.mp4': '-c copy -metadata title=moov -metadata comment=attraktiv',
      'hlg.mov': '-c:v libx265 -preset ultrafast -x265-params log-level=none -color_trc arib-std-b67 -tag:v hvc1',
    }
    for (const [name, line] of Object.entries(lines)) {
      ffmpeg(`-i @ ${line} @`, path('long.mp4'), path(name))
      expect(await hasMore(path(name)), name).toBe(false)
    }
  })

  it('passes with what cameras and phones write outside of the index', async () => {
    const xml = box('meta', number(0), box('hdlr', Buffer.alloc(24)), box('xml ', Buffer.from('<NonRealTimeMeta/>')))
    const user = box('udta', box('uuid', Buffer.alloc(40)), box('©day', Buffer.from('2026')), Buffer.alloc(4))
    const more = ['sefd', 'uuid', 'thum', 'free', 'skip', 'wide', 'inst', '_htc', 'mfra'].map((name) =>
      box(name, Buffer.alloc(50)),
    )
    const all = Buffer.concat([readFileSync(path('long.mp4')), xml, user, ...more, Buffer.from('scraps behind it')])
    expect(await hasMore(write('camera.mp4', all))).toBe(false)
  })

  it('counts as more than one where no program writes so many boxes', async () => {
    const whole = readFileSync(path('short.mp4'))
    const withMany = (many: Buffer) => write('many.mp4', Buffer.concat([whole, many]))
    const boxes = (count: number) => Buffer.concat(Array<Buffer>(count).fill(box('free')))
    expect(await hasMore(withMany(boxes(1000)))).toBe(false)
    expect(await hasMore(withMany(boxes(50_000)))).toBe(true)
    expect(await hasMore(withMany(box('udta', boxes(50_000))))).toBe(true)
    expect(await hasMore(withMany(Buffer.concat(Array<Buffer>(50).fill(box('udta', boxes(9000))))))).toBe(true)
  })
})

describe('a WebM', () => {
  const id = (digits: string) => Buffer.from(digits, 'hex')

  beforeAll(() => {
    made('one.webm', '-f lavfi -i testsrc=s=96x64:r=10:d=3 -c:v libvpx')
    made('live.webm', '-f lavfi -i testsrc=s=96x64:r=10:d=3 -c:v libvpx -live 1')
  })

  it('of one film passes, also where its writer did not know how long it is', async () => {
    for (const name of ['one.webm', 'live.webm'])
      expect(await hasMoreFilms(path(name), 'matroska', 1), name).toBe(false)
  })

  it('with a second film behind the first is found, with a head of its own or none, and one with two lists of tracks', async () => {
    for (const name of ['one.webm', 'live.webm']) {
      const bytes = readFileSync(path(name))
      const bare = bytes.subarray(bytes.indexOf(id('18538067')))
      const tracksAgain = Buffer.concat([bytes, bytes.subarray(bytes.indexOf(id('1654ae6b')))])
      for (const more of [Buffer.concat([bytes, bytes]), Buffer.concat([bytes, bare]), tracksAgain])
        expect(await hasMoreFilms(write('films.webm', more), 'matroska', 1), name).toBe(true)
    }
  })
})
