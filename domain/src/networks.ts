import type { FigureName } from './figures.ts'
import { tiktokProblems, type TiktokChoices } from './tiktok-choices.ts'
import { networkTitles } from './network-titles.ts'

/** The networks that a video is posted to, by the name that stands in the database and in the contract. */
export const networkNames = [
  'youtube',
  'bluesky',
  'instagram',
  'facebook',
  'linkedin',
  'tiktok',
  'x',
  'threads',
] as const
export type Network = (typeof networkNames)[number]

/** Networks that ask for no app of ours: people connect them with a password that they make there. */
export const withoutApp: readonly Network[] = ['bluesky']

/**
 * What a network takes, read from its own pages in November 2026 (docs/networks.md names each page). A file or text beyond it is
 * refused when it is scheduled, not when it is due.
 */
export type NetworkLimits = {
  /** As the network writes itself. */
  name: string
  /** Whose account an app like ours posts with there: a member's own `profile`, `pages` that a member runs, or the `account` or `channel` that is signed in. */
  connects: 'profile' | 'pages' | 'account' | 'channel'
  /** Of the post's text. `counts`: what the network counts of it. */
  words: {
    most: number
    counts: 'graphemes' | 'utf16' | 'emoji-bytes'
    tags?: number
    mentions?: number
    without?: string
  }
  /** Of a title, where the network has one. */
  title?: { most: number }
  seconds: { least: number; most: number }
  bytes: { least: number; most: number }
  /** What it takes of the inside of a file; absent: whatever it is. Another file is made of one that does not fit (network-fits.ts). */
  takes?: {
    /** Kinds of pictures, by their codecs, in an MP4. */
    pictures: readonly string[]
    /** Pictures a second. */
    rate?: { least?: number; most: number }
    /** Pixels of the longer side. */
    side?: number
    /** A second, on average. */
    bits?: number
  }
  /** Width divided by height. */
  shape?: { least: number; most: number }
  /** What goes there as a reel; anything else goes as an ordinary video. Absent where there is one kind. */
  reel?: { seconds: { least: number; most: number }; shape: { least: number; most: number } }
  /** The first comment below a post; absent where its interface takes none. */
  comment?: { most: number; tags?: number }
  /** It takes captions as a file beside the video, of so many bytes. */
  captions?: { most: number }
  /** Who may see it; where nothing is chosen beforehand, the network demands so. */
  privacy?: { choices: readonly string[]; chosen: string | null }
  /** Whether its interface lets us take a post down. */
  canTakeDown: boolean
  /** What its interface tells of how a post does; absent where it tells apps nothing. */
  tells?: readonly FigureName[]
  /** Whether its interface takes which picture is shown before the video is played: its moment, or the picture itself as a file. */
  takesCover?: 'moment' | 'file'
  /** What lies ready there, unseen, stays until it is published. */
  keepsReady?: true
  /** Nothing lies ready there before the moment: only what the account may do is asked ahead, and the file goes with the post. */
  goesAtMoment?: true
}

export const MB = 1_000_000

export const networks = {
  youtube: {
    name: networkTitles.youtube,
    connects: 'channel',
    words: { most: 5000, counts: 'utf16', without: '<>' },
    title: { most: 100 },
    comment: { most: 10_000 },
    captions: { most: 100 * MB },
    seconds: { least: 1, most: 12 * 3600 },
    bytes: { least: 1, most: 256_000 * MB },
    privacy: { choices: ['public', 'unlisted', 'private'], chosen: 'public' },
    takesCover: 'file',
    tells: ['views', 'likes', 'comments'],
    canTakeDown: true,
    keepsReady: true,
  },
  bluesky: {
    name: networkTitles.bluesky,
    connects: 'account',
    words: { most: 300, counts: 'graphemes' },
    comment: { most: 300 },
    captions: { most: 20_000 },
    seconds: { least: 1, most: 180 },
    bytes: { least: 1, most: 300 * MB },
    takes: { pictures: ['h264'] },
    tells: ['likes', 'comments', 'shares'],
    canTakeDown: true,
  },
  instagram: {
    name: networkTitles.instagram,
    connects: 'account',
    words: { most: 2200, counts: 'utf16', tags: 30, mentions: 20 },
    comment: { most: 300, tags: 4 },
    seconds: { least: 3, most: 900 },
    bytes: { least: 1, most: 300 * MB },
    takes: { pictures: ['h264', 'hevc'], rate: { least: 23, most: 60 }, side: 1920, bits: 25 * MB },
    shape: { least: 0.01, most: 10 },
    tells: ['views', 'likes', 'comments', 'shares', 'watchSeconds'],
    takesCover: 'moment',
    canTakeDown: false,
  },
  facebook: {
    name: networkTitles.facebook,
    connects: 'pages',
    words: { most: 5000, counts: 'utf16' },
    comment: { most: 8000 },
    captions: { most: 10 * MB },
    // Its help pages name four hours and 10 GB: an hour is as much as 1 GB has room for in a good picture.
    seconds: { least: 1, most: 3600 },
    bytes: { least: 1, most: 1000 * MB },
    takes: { pictures: ['h264', 'hevc', 'vp9', 'av1'], rate: { least: 24, most: 60 } },
    reel: { seconds: { least: 3, most: 90 }, shape: { least: 0.5, most: 0.6 } },
    tells: ['views', 'likes', 'comments'],
    canTakeDown: true,
  },
  linkedin: {
    name: networkTitles.linkedin,
    connects: 'profile',
    words: { most: 3000, counts: 'utf16' },
    comment: { most: 1250 },
    captions: { most: 1 * MB },
    seconds: { least: 3, most: 1800 },
    bytes: { least: 75_000, most: 500 * MB },
    takes: { pictures: ['h264'] },
    canTakeDown: true,
  },
  tiktok: {
    name: networkTitles.tiktok,
    connects: 'account',
    words: { most: 2200, counts: 'utf16' },
    seconds: { least: 3, most: 600 },
    bytes: { least: 1, most: 4000 * MB },
    takes: { pictures: ['h264', 'hevc', 'vp8', 'vp9'], rate: { least: 23, most: 60 }, side: 4096 },
    privacy: { choices: ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'], chosen: null },
    tells: ['views', 'likes', 'comments', 'shares'],
    takesCover: 'moment',
    canTakeDown: false,
    goesAtMoment: true,
  },
  x: {
    name: networkTitles.x,
    connects: 'account',
    words: { most: 280, counts: 'utf16' },
    comment: { most: 280 },
    seconds: { least: 0.5, most: 140 },
    bytes: { least: 1, most: 512 * MB },
    takes: { pictures: ['h264'], rate: { most: 60 }, side: 1920 },
    tells: ['views', 'likes', 'comments', 'shares'],
    canTakeDown: true,
  },
  threads: {
    name: networkTitles.threads,
    connects: 'account',
    words: { most: 500, counts: 'emoji-bytes' },
    comment: { most: 500 },
    seconds: { least: 1, most: 300 },
    bytes: { least: 1, most: 1000 * MB },
    takes: { pictures: ['h264', 'hevc'], rate: { least: 23, most: 60 }, side: 1920, bits: 25 * MB },
    tells: ['views', 'likes', 'comments', 'shares'],
    canTakeDown: true,
  },
} as const satisfies Record<Network, NetworkLimits>

/** The file that would be posted: milliseconds, bytes, and points of its picture where they are known. */
export type PostFile = {
  durationMs: number | null
  bytes: number
  width: number | null
  height: number | null
  /** What is inside, as far as it is known: whether it is an MP4, its pictures' codec, and how many there are a second. */
  format?: { isMp4: boolean; pictures: string; rate: number } | undefined
}
/** What is written for one network. */
export type PostWords = {
  words: string
  title?: string | undefined
  privacy?: string | undefined
  /** The moment of the video whose picture stands before it; absent: the network chooses. */
  coverMs?: number | undefined
  /** The language of the captions that go with it as a file. */
  captions?: string | undefined
  /** What TikTok demands that is chosen. */
  tiktok?: TiktokChoices | undefined
}

/** How much of a text a network counts. */
export const countedWords = (network: Network, words: string): number => {
  const { counts } = networks[network].words
  if (counts === 'utf16') return words.length
  const signs = [...graphemes.segment(words)].map(({ segment }) => segment)
  if (counts === 'graphemes') return signs.length
  // An emoji counts as many as its bytes in UTF-8.
  return signs.reduce((all, sign) => all + (emoji.test(sign) ? bytes.encode(sign).length : sign.length), 0)
}
const emoji = /\p{Extended_Pictographic}/u
const bytes = new TextEncoder()
/** Unless told otherwise it parts a text into what a reader sees as one sign. */
const graphemes = new Intl.Segmenter('en')

/** What keeps this file and these words from this network, in sentences that say what to do; empty when they fit. */
export const postProblems = (network: Network, file: PostFile, post: PostWords): string[] => [
  ...fileProblems(network, file),
  ...writtenProblems(network, file, post),
]

/** What keeps what was written and chosen for it from this network: its officer changes it. */
export const writtenProblems = (network: Network, file: Pick<PostFile, 'durationMs'>, post: PostWords): string[] => [
  ...wordProblems(network, post),
  ...coverProblems(network, file, post),
  ...captionProblems(network, post),
]

/** What keeps this file from this network: another cut helps, and no other words do. */
export const fileProblems = (network: Network, file: PostFile): string[] => {
  const { name, seconds, bytes, shape }: NetworkLimits = networks[network]
  const problems: string[] = []
  // What is not known is within every bound: NaN is neither more nor less than a number.
  const long = (file.durationMs ?? NaN) / 1000
  if (long > seconds.most)
    problems.push(
      `${name} takes videos of up to ${spoken(seconds.most)}; this one has ${spoken(long, Math.ceil)}. Ask for a shorter cut.`,
    )
  if (long < seconds.least)
    problems.push(
      `${name} takes videos from ${spoken(seconds.least)} on; this one has ${spoken(long, Math.floor)}. Ask for a longer cut.`,
    )
  // One whose length is known is made smaller.
  if (file.bytes > bytes.most && file.durationMs === null)
    problems.push(`${name} takes files of up to ${Math.round(bytes.most / MB)} MB. Ask for a smaller file.`)
  if (file.bytes < bytes.least)
    problems.push(`${name} takes files from ${Math.round(bytes.least / 1000)} KB on. Ask for a better file.`)
  const ratio = (file.width ?? NaN) / (file.height ?? NaN)
  if (shape && (ratio < shape.least || ratio > shape.most))
    problems.push(`${name} takes upright videos (9:16) here. Ask for an upright cut.`)
  return problems
}

/** Whether a file goes there as a reel: what is not known is within every bound. */
export const isReel = (network: Network, { durationMs, width, height }: Omit<PostFile, 'bytes'>): boolean => {
  const { reel }: NetworkLimits = networks[network]
  const long = (durationMs ?? NaN) / 1000
  const ratio = (width ?? NaN) / (height ?? NaN)
  const isBeyond = (value: number, { least, most }: { least: number; most: number }) => value < least || value > most
  return reel !== undefined && !isBeyond(long, reel.seconds) && !isBeyond(ratio, reel.shape)
}

/** As what a file goes there, in a sentence for who schedules; null where that needs no word. */
export const kindWords = (network: Network, file: PostFile): string | null => {
  const { name, reel }: NetworkLimits = networks[network]
  if (!reel || isReel(network, file)) return null
  return `${name} shows it as a video, not as a reel: reels are upright (9:16) and have ${reel.seconds.least} to ${reel.seconds.most} seconds.`
}

/** What keeps this cover from this network. */
const coverProblems = (
  network: Network,
  { durationMs }: Pick<PostFile, 'durationMs'>,
  { coverMs }: PostWords,
): string[] => {
  const { name, takesCover }: NetworkLimits = networks[network]
  if (coverMs === undefined) return []
  if (!takesCover) return [`${name} chooses the cover itself. Leave it out.`]
  return coverMs > (durationMs ?? NaN) ? [`Choose a cover within the video for ${name}.`] : []
}

const captionProblems = (network: Network, { captions }: PostWords): string[] => {
  const { name, captions: taken }: NetworkLimits = networks[network]
  return captions !== undefined && !taken ? [`${name} takes no captions as a file. Leave them out.`] : []
}

/** What keeps these words from this network: their officer changes them. */
export const wordProblems = (network: Network, post: PostWords): string[] => {
  const { name, words, title, privacy }: NetworkLimits = networks[network]
  const problems: string[] = []
  const count = countedWords(network, post.words)
  if (count > words.most) problems.push(`${name} takes ${words.most} characters; you have ${count}. Shorten the text.`)
  const heading = post.title ?? ''
  if (words.without && [...words.without].some((sign) => (post.words + heading).includes(sign)))
    problems.push(`${name} takes no ${[...words.without].join(' or ')} in texts. Leave them out.`)
  if (marked(post.words, '#') > (words.tags ?? Infinity))
    problems.push(`${name} takes ${words.tags} hashtags. Leave some out.`)
  if (marked(post.words, '@') > (words.mentions ?? Infinity))
    problems.push(`${name} takes ${words.mentions} mentions. Leave some out.`)
  if (title && heading.trim() === '') problems.push(`${name} needs a title. Write one.`)
  if (title && heading.length > title.most)
    problems.push(`${name} takes titles of ${title.most} characters. Shorten the title.`)
  if (network === 'tiktok') problems.push(...tiktokProblems(post.tiktok, post.privacy))
  const isInInbox = network === 'tiktok' && post.tiktok?.mode === 'inbox'
  const isUnchosen = network === 'tiktok' && post.privacy === undefined
  if (privacy && !isInInbox && !isUnchosen && !privacy.choices.some((one) => one === (post.privacy ?? privacy.chosen)))
    problems.push(`Choose who may see it on ${name}.`)
  return problems
}

/** Rounded away from the bound that it is said beside: nobody reads that 15 minutes are more than 15. */
const spoken = (seconds: number, rounded: (value: number) => number = Math.round): string => {
  const tenths = rounded(seconds * 10) / 10
  if (tenths < 300) return `${tenths} seconds`
  const whole = rounded(seconds)
  const rest = whole % 60
  return `${Math.floor(whole / 60)}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`} minutes`
}

const marked = (words: string, sign: string): number =>
  [...words.matchAll(/([#@])[\p{L}\p{N}_]/gu)].filter(([, found]) => found === sign).length

/** Days before a connection ends at which its owner is told. */
export const toldBeforeDays = [10, 2] as const
