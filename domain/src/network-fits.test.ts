import { expect, it } from 'vitest'
import { fitFor, fitWords } from './network-fits.ts'
import { fileProblems, networkNames, networks, type NetworkLimits, type PostFile } from './networks.ts'

const file: PostFile = {
  durationMs: 60_000,
  bytes: 20_000_000,
  width: 1080,
  height: 1920,
  format: { isMp4: true, pictures: 'h264', rate: 30 },
}

const upright = (height: number) => ({ width: Math.round((height * 9) / 16), height })

it('a file that this product renders goes to every network as it is', () => {
  for (const network of networkNames)
    for (const rate of [24_000 / 1001, 24, 25, 30_000 / 1001, 30, 60])
      expect(fitWords(network, { ...file, format: { ...file.format!, rate } }), `${network} ${rate}`).toEqual([])
})

it('each bound of a network has its sentence and a file within it is made, or the bound is none', () => {
  for (const network of networkNames) {
    const { bytes, seconds, takes }: NetworkLimits = networks[network]
    const longest = { ...file, durationMs: seconds.most * 1000 }
    const beyond: [bound: unknown, file: PostFile, words: RegExp][] = [
      [bytes.most, { ...longest, bytes: bytes.most + 1 }, / smaller: [\d]+ MB at most\.$/],
      [takes, { ...file, format: { ...file.format!, isMp4: false } }, /an MP4 with H\.264/],
      [takes, { ...file, format: { ...file.format!, pictures: 'prores' } }, /an MP4 with H\.264/],
      [takes?.side, { ...file, ...upright((takes?.side ?? 1918) + 2) }, /pixels at most/],
      [takes?.rate?.most, { ...file, format: { ...file.format!, rate: 120 } }, /fewer pictures a second: 60 at most/],
      [
        takes?.rate?.least,
        { ...file, format: { ...file.format!, rate: 15 } },
        /more pictures a second: 2[34] at least/,
      ],
      [takes?.bits, { ...file, bytes: 200_000_000 }, /lighter: 25 Mbit a second/],
    ]
    for (const [bound, odd, words] of beyond) {
      const said = fitWords(network, odd)
      if (bound === undefined) expect(said, `${network} ${words}`).toEqual([])
      else {
        expect(
          said.filter((one) => words.test(one)),
          `${network} ${words}: ${said.join(' ')}`,
        ).toHaveLength(1)
        expect(fitFor(network, odd), network).toMatchObject({ bytes: bytes.most })
      }
      // Another file helps, so nothing keeps it from being scheduled.
      expect(fileProblems(network, odd), network).toEqual([])
    }
  }
})

it('the largest file of the longest video that a network takes has room for a good picture', () => {
  for (const network of networkNames) {
    const { bytes, seconds } = networks[network]
    expect((bytes.most * 8) / seconds.most, network).toBeGreaterThan(2_000_000)
  }
})

it('a file of unknown length is made into no other, and one that is too large is refused', () => {
  const unknown = { ...file, durationMs: null, bytes: 300_000_001 }
  expect([fitFor('bluesky', unknown), fitWords('bluesky', unknown)]).toEqual([null, []])
  expect(fileProblems('bluesky', unknown)).toEqual(['Bluesky takes files of up to 300 MB. Ask for a smaller file.'])
})

it('a bound itself needs no other file, and an unknown size, shape or rate is within every bound', () => {
  for (const network of networkNames) {
    const { bytes, seconds }: NetworkLimits = networks[network]
    const largest = { ...file, durationMs: seconds.most * 1000, bytes: bytes.most, height: 1920 }
    const bits = (largest.bytes * 8000) / largest.durationMs
    if (bits <= 25_000_000) expect(fitFor(network, largest), network).toBeNull()
    expect(fitFor(network, { ...file, width: null, format: undefined }), network).toBeNull()
  }
})
