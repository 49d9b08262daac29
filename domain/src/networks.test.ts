import { expect, it } from 'vitest'
import {
  countedWords,
  fileProblems,
  isReel,
  kindWords,
  networkNames,
  networks,
  postProblems,
  withoutApp,
  wordProblems,
  type NetworkLimits,
  type PostFile,
} from './networks.ts'
import { noTiktokChoices } from './tiktok-choices.ts'

const file: PostFile = { durationMs: 60_000, bytes: 20_000_000, width: 1080, height: 1920 }
const fitting = (network: (typeof networkNames)[number]) => ({
  words: 'Rates fell this week.',
  title: 'Rates',
  privacy: (networks[network] as NetworkLimits).privacy?.choices[0],
  ...(network === 'tiktok' ? { tiktok: { ...noTiktokChoices, agrees: true } } : {}),
})

it('an upright minute with a short text fits every network', () => {
  for (const network of networkNames) expect(postProblems(network, file, fitting(network)), network).toEqual([])
})

it('the longest text fits every network and one sign more does not', () => {
  for (const network of networkNames) {
    const { most } = networks[network].words
    const asked = (words: string) => postProblems(network, file, { ...fitting(network), words })
    expect(asked('a'.repeat(most)), network).toEqual([])
    expect(asked('a'.repeat(most + 1)), network).toHaveLength(1)
  }
})

it('a video or file beyond a network’s limits is refused with the limit in words', () => {
  for (const network of networkNames) {
    const { seconds, bytes } = networks[network]
    const asked = (part: Partial<PostFile>) => postProblems(network, { ...file, ...part }, fitting(network)).length
    expect([asked({ durationMs: seconds.most * 1000 }), asked({ durationMs: seconds.most * 1000 + 1 })]).toEqual([0, 1])
    expect([asked({ durationMs: seconds.least * 1000 }), asked({ durationMs: seconds.least * 1000 - 1 })]).toEqual([
      0, 1,
    ])
    // What is larger is made smaller, where its length is known.
    const sized = (size: number) => asked({ bytes: size, durationMs: null })
    expect([sized(bytes.most), sized(bytes.most + 1)]).toEqual([0, 1])
  }
  expect(postProblems('x', { ...file, durationMs: 141_000 }, fitting('x'))).toEqual([
    'X takes videos of up to 140 seconds; this one has 141 seconds. Ask for a shorter cut.',
  ])
})

it('Bluesky counts what a reader sees as one sign, Threads an emoji’s bytes, the others code units', () => {
  const family = '👨‍👩‍👧'
  expect(countedWords('bluesky', family.repeat(3))).toBe(3)
  expect(countedWords('x', family)).toBe(8)
  expect(countedWords('threads', `añ${family}`)).toBe(2 + 18)
})

it('hashtags, mentions, forbidden signs, a missing title and a missing choice are each named', () => {
  const of = (network: (typeof networkNames)[number], part: object) =>
    postProblems(network, file, { ...fitting(network), ...part })
  expect(of('instagram', { words: '#a '.repeat(31) })).toEqual(['Instagram takes 30 hashtags. Leave some out.'])
  expect(of('instagram', { words: '@a '.repeat(21) })).toEqual(['Instagram takes 20 mentions. Leave some out.'])
  expect(of('youtube', { words: 'a < b' })).toEqual(['YouTube takes no < or > in texts. Leave them out.'])
  expect(of('youtube', { title: ' ' })).toEqual(['YouTube needs a title. Write one.'])
  expect(of('youtube', { title: 't'.repeat(101) })).toEqual([
    'YouTube takes titles of 100 characters. Shorten the title.',
  ])
  expect(of('tiktok', { privacy: undefined })).toEqual(['Choose who may see it on TikTok.'])
})

it('a file’s misfits are told apart from those of the words', () => {
  const long = { ...file, durationMs: 200_000 }
  expect(fileProblems('x', long)).toHaveLength(1)
  expect(wordProblems('x', { words: 'a'.repeat(281) })).toHaveLength(1)
  expect(postProblems('x', long, { words: 'a'.repeat(281) })).toEqual([
    ...fileProblems('x', long),
    ...wordProblems('x', { words: 'a'.repeat(281) }),
  ])
})

it('unknown length or shape keeps a file from no network', () => {
  const unknown = [
    { durationMs: null },
    { width: null, height: null },
    { width: null, height: 1920 },
    { width: 1080, height: null },
  ]
  for (const network of networkNames)
    for (const part of unknown)
      expect(postProblems(network, { ...file, ...part }, fitting(network)), network).toEqual([])
})

it('the bound itself is taken: the smallest file, the shapes, all tags and mentions, and the longest title', () => {
  const problems = (network: (typeof networkNames)[number], part: object, words: object = {}) =>
    postProblems(network, { ...file, ...part }, { ...fitting(network), ...words })
  expect(problems('linkedin', { bytes: 75_000 })).toEqual([])
  expect(problems('linkedin', { bytes: 74_999 })).toEqual([
    'LinkedIn takes files from 75 KB on. Ask for a better file.',
  ])
  expect(problems('bluesky', { bytes: networks.bluesky.bytes.most + 1, durationMs: null })[0]).toContain('up to 300 MB')
  expect(problems('instagram', {}, { words: `${'#a '.repeat(30)}${'@a '.repeat(20)}` })).toEqual([])
  expect(problems('instagram', {}, { words: `${'# '.repeat(31)}${'@ '.repeat(21)}` })).toEqual([])
  expect(problems('tiktok', {}, { words: `${'#a '.repeat(31)}${'@a '.repeat(21)}` })).toEqual([])
  expect(problems('youtube', {}, { title: 't'.repeat(100) })).toEqual([])
  expect(problems('youtube', {}, { title: undefined })).toEqual(['YouTube needs a title. Write one.'])
  expect(problems('youtube', {}, { title: 'a < b' })).toEqual(['YouTube takes no < or > in texts. Leave them out.'])
})

it('an upright video of 3 to 90 seconds goes to Facebook as a reel, any other as a video, which is said', () => {
  const asReel = (part: Partial<PostFile>) => isReel('facebook', { ...file, ...part })
  expect([3000, 90_000].map((durationMs) => asReel({ durationMs }))).toEqual([true, true])
  expect([2999, 90_001].map((durationMs) => asReel({ durationMs }))).toEqual([false, false])
  expect([500, 600].map((width) => asReel({ width, height: 1000 }))).toEqual([true, true])
  expect([499, 601].map((width) => asReel({ width, height: 1000 }))).toEqual([false, false])
  expect([asReel({ durationMs: null }), asReel({ width: null })]).toEqual([true, true])
  expect(isReel('youtube', file)).toBe(false)
  expect([kindWords('facebook', file), kindWords('youtube', { ...file, durationMs: 200_000 })]).toEqual([null, null])
  const wide = { ...file, durationMs: 200_000, width: 1920, height: 1080 }
  expect(fileProblems('facebook', wide)).toEqual([])
  expect(kindWords('facebook', wide)).toBe(
    'Facebook shows it as a video, not as a reel: reels are upright (9:16) and have 3 to 90 seconds.',
  )
})

it('a length is said in seconds up to five minutes, and rounded away from its bound', () => {
  const [long] = postProblems('instagram', { ...file, durationMs: 900_400 }, fitting('instagram'))
  expect(long).toBe('Instagram takes videos of up to 15 minutes; this one has 15:01 minutes. Ask for a shorter cut.')
  const [longer] = postProblems('x', { ...file, durationMs: 299_940 }, fitting('x'))
  expect(longer).toContain('up to 140 seconds; this one has 5 minutes')
  const [short] = postProblems('tiktok', { ...file, durationMs: 2960 }, fitting('tiktok'))
  expect(short).toBe('TikTok takes videos from 3 seconds on; this one has 2.9 seconds. Ask for a longer cut.')
})

it('captions go as a file only where the network takes them', () => {
  for (const network of networkNames) {
    const { captions }: NetworkLimits = networks[network]
    const asked = postProblems(network, file, { ...fitting(network), captions: 'en' })
    expect(asked, network).toEqual(
      captions ? [] : [`${networks[network].name} takes no captions as a file. Leave them out.`],
    )
  }
})

it('a cover is a moment of the video, and is chosen only where the network takes one', () => {
  const file = { durationMs: 30_000, bytes: 1_000_000, width: 1080, height: 1920 }
  const words = {
    words: 'Rates',
    title: 'Rates',
    privacy: 'PUBLIC_TO_EVERYONE',
    tiktok: { ...noTiktokChoices, agrees: true },
  }
  expect(postProblems('tiktok', file, { ...words, coverMs: 30_000 })).toEqual([])
  expect(postProblems('tiktok', file, { ...words, coverMs: 30_001 })).toEqual([
    'Choose a cover within the video for TikTok.',
  ])
  expect(postProblems('x', file, { words: 'Rates', coverMs: 0 })).toEqual(['X chooses the cover itself. Leave it out.'])
  expect(postProblems('x', file, { words: 'Rates' })).toEqual([])
})

it('of the networks Bluesky alone asks for no app of ours', () => {
  expect(withoutApp).toEqual(['bluesky'])
})
