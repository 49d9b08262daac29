import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ffmpeg, quick, scratch } from '../test/footage.ts'
import { withSecond } from '../test/second-kind.ts'
import { refusedCut } from './cut.ts'
import { hasMixedSamples } from './mixed-samples.ts'
import { probe } from './probe.ts'

const { path, write, bin } = scratch()
afterAll(bin)

beforeAll(() =>
  ffmpeg(`-f lavfi -i testsrc=s=96x64:r=10:d=9 -f lavfi -i sine=d=9 ${quick} -c:a aac @`, path('film.mp4')),
)

/** Why a cut is refused of whose 390 packets of sound some in the middle, 23 ms each, are other bytes. */
async function damaged(packets: number): Promise<string | null> {
  const noise = `noise=amount=between(n\\,100\\,${99 + packets})`
  ffmpeg(`-i @ -c copy -bsf:a ${noise} @`, path('film.mp4'), path('damaged.mp4'))
  const found = await probe(path('damaged.mp4'))
  if (!found.ok) throw new Error(found.code)
  return await refusedCut(path('damaged.mp4'), found)
}

describe('sound of a cut that cannot be decoded', () => {
  it('for more than a second is refused in words', async () => {
    expect(await damaged(130)).toMatch(/sound is damaged, .* or is in a format that we cannot read.*Export it again/)
  })

  it('for a moment is taken, and so is sound that can', async () => {
    expect(await damaged(15)).toBeNull()
    expect(await damaged(0)).toBeNull()
  })
})

/** The bytes behind the head of the last descriptor of that tag. */
const behind = (entry: Buffer, tag: number) => entry.lastIndexOf(Buffer.from([tag, 0x80, 0x80, 0x80])) + 5

const seconds: [string, boolean, (entry: Buffer) => unknown][] = [
  ['AAC again', false, () => 0],
  ['AAC again, of another bit rate', false, (entry) => entry.writeUInt32BE(64_000, behind(entry, 4) + 5)],
  ['MP3', true, (entry) => (entry[behind(entry, 4)] = 0x6b)],
  ['xHE-AAC', true, (entry) => entry.set([0xf9, 0x50], behind(entry, 5))],
  ['what cannot be read', true, (entry) => (entry[behind(entry, 4) - 5] = 9)],
]

describe('a track of sound with two descriptions of one name', () => {
  it.each(seconds)('is AAC and %s: of several formats is %s', async (_, isMixed, change) => {
    expect(await hasMixedSamples(write('second.mp4', withSecond(path('film.mp4'), 'soun', change)))).toBe(isMixed)
  })
})
