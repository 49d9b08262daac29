import type { z } from 'zod'
import type * as schema from './read-recipe.ts'
import { firstPlace, grouped } from './sorted.ts'

/**
 * The recipe: one document is the edit, and the picture is a function of it. Times are whole milliseconds on the clock
 * of a source; places in the finished video are never written down, `timeline.ts` computes them. What a rule decided
 * keeps its reason and a switch (`on`), so that everything can be seen and taken back.
 */

export const recipeVersion = 1

export const removalReasons = ['silence', 'filler', 'broken-off', 'off-script', 'by-hand'] as const

export const wordMarks = ['filler', 'broken-off', 'off-script'] as const

export const layerPlaces = ['top-left', 'top-right', 'bottom-left', 'bottom-right', 'centre'] as const

export type LayerPlace = (typeof layerPlaces)[number]

/** Where a title stands within the safe area. */
export const titlePlaces = ['bottom-left', 'centre', 'top-left'] as const
export type TitlePlace = (typeof titlePlaces)[number]

/** How a title, a sticker, a picture or the logo comes and goes (`title-motion.ts`). */
export const titleMotions = ['fade', 'rise', 'wipe', 'grow'] as const
export type TitleMotion = (typeof titleMotions)[number]

/** How B-roll comes and goes: what covers all of the picture neither rises nor grows. */
export const clipMotions = ['fade', 'wipe'] as const satisfies readonly TitleMotion[]
export type ClipMotion = (typeof clipMotions)[number]

/** Stickers that the painter draws (`stickers.ts`). */
export const stickerNames = [
  'arrow',
  'ring',
  'underline',
  'tick',
  'cross',
  'star',
  'heart',
  'house',
  'key',
  'percent',
  'dollar',
  'question',
] as const

/** Sound effects that are made by formulas (`sound-effects.ts`). */
export const effectNames = ['pop', 'click', 'ding', 'coins', 'whoosh', 'rise'] as const

/** What an editor decides of the place before a word of the captions. */
export const captionBreaks = ['page', 'line', 'joined'] as const
export type CaptionBreak = (typeof captionBreaks)[number]

export const aspects = ['9:16', '1:1', '16:9'] as const
export type Aspect = (typeof aspects)[number]

export type Span = z.infer<typeof schema.Span>
export type Source = z.infer<typeof schema.Source>
export type Keep = z.infer<typeof schema.Keep>
export type Removed = z.infer<typeof schema.Removed>
export type Word = z.infer<typeof schema.Word>
export type Captions = z.infer<typeof schema.Captions>
export type Move = z.infer<typeof schema.Move>
export type Focus = z.infer<typeof schema.Focus>
export type Flaw = z.infer<typeof schema.Flaw>
export type Joint = z.infer<typeof schema.Joint>
export type Layer = z.infer<typeof schema.Layer>
export type Brand = z.infer<typeof schema.Brand>
export type Card = z.infer<typeof schema.Card>
export type Recipe = z.infer<typeof schema.Recipe>

/** What is wrong: the list and the place in it (`keep 3`), and a sentence that says what to do. */
export type Problem = { where: string; text: string }

type Steps = Readonly<Record<number, (document: Record<string, unknown>) => Record<string, unknown>>>

/** By version: how its documents become those of the next. */
const upgrades: Steps = {}

/** Brings an older document up to `to`; a newer one is refused, because nobody here knows what it means. */
export const upgrade = (
  document: unknown,
  to: number = recipeVersion,
  steps: Steps = upgrades,
): { document: Record<string, unknown>; problem?: never } | { document?: never; problem: Problem } => {
  const bad = (text: string) => ({ problem: { where: 'version', text } })
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return bad('This is not a recipe.')
  let current = document as Record<string, unknown>
  if (typeof current.version !== 'number') return bad('This document does not say which version of a recipe it is.')
  if (current.version > to)
    return bad(
      `This recipe is of version ${current.version}, newer than ${to}. Reload the page to get the newest program.`,
    )
  while ((current.version as number) < to) {
    const version = current.version as number
    const step = steps[version]
    if (!step) return bad(`Recipes of version ${version} can no longer be read.`)
    current = { ...step(current), version: version + 1 }
  }
  return { document: current }
}

/** What a schema cannot see: passages that end before they begin, lie outside their source, or name what does not exist. */
export const problemsOf = (recipe: Recipe): Problem[] => {
  const problems: Problem[] = []
  const say = (where: string, text: string) => problems.push({ where, text })
  const sources = new Map(recipe.sources.map((source) => [source.id, source]))

  const span = (where: string, { source, start, end }: Span) => {
    const known = sources.get(source)
    if (!known) say(where, `There is no source “${source}”. Add it, or take this out.`)
    else if (end > known.durationMs)
      say(where, `It ends at ${seconds(end)}, but its source is only ${seconds(known.durationMs)} long.`)
    if (end <= start) say(where, `It ends at ${seconds(end)}, which is not after its start at ${seconds(start)}.`)
  }
  const lists = {
    keep: recipe.keep,
    removed: recipe.removed,
    words: recipe.words,
    moves: recipe.moves,
    focus: recipe.focus ?? [],
    rooms: recipe.captions.tour?.rooms ?? [],
  }
  for (const [name, list] of Object.entries(lists)) list.forEach((one, i) => span(`${name} ${i + 1}`, one))
  recipe.layers.forEach((layer, i) => layer.span && span(`layers ${i + 1}`, layer.span))
  recipe.flaws?.forEach((flaw, i) => span(`flaws ${i + 1}`, flaw))

  const named = {
    ...lists,
    sources: recipe.sources,
    unsaid: recipe.unsaid,
    joints: recipe.joints,
    layers: recipe.layers,
  }
  for (const [name, list] of Object.entries(named)) {
    const seen = new Set<string>()
    list.forEach(({ id }, i) => {
      if (seen.has(id)) say(`${name} ${i + 1}`, `The id “${id}” is used twice.`)
      seen.add(id)
    })
  }
  for (const [name, list] of [
    ['unsaid', recipe.unsaid],
    ['joints', recipe.joints],
  ] as const)
    list.forEach(({ source }, i) => {
      if (!sources.has(source)) say(`${name} ${i + 1}`, `There is no source “${source}”. Add it, or take this out.`)
    })

  const last = new Map<string, number>()
  recipe.words.forEach(({ source, start }, i) => {
    if (start < (last.get(source) ?? 0))
      say(`words ${i + 1}`, 'It starts before the word in front of it. Sort words by their start.')
    last.set(source, start)
  })
  for (const card of ['open', 'close'] as const)
    if (recipe[card]?.on && recipe[card].lengthMs === 0)
      say(card, 'The card has no length. Give it one, or switch it off.')

  const times = (count: number) => count.toLocaleString('en-US')
  const meetings = meetingsOf(recipe.keep, recipe.removed)
  if (meetings > most.meetings)
    say(
      'keep',
      `Its passages and what is taken out meet ${times(meetings)} times; ${times(most.meetings)} times is the most. Play fewer passages over again, or take fewer things out of them.`,
    )
  // A moment is a whole millisecond or a half one, and belongs to the passage that begins with it.
  const at = (source: string, moment: number): Span => ({ source, start: moment, end: moment + 0.5 })
  const heard = meetingsOf(recipe.keep, [
    ...recipe.words.map(({ source, start, end }) => at(source, (start + end) / 2)),
    ...recipe.unsaid.map((one) => at(one.source, one.at)),
  ])
  if (heard > most.heard)
    say(
      'keep',
      `Its passages play ${times(heard)} words; ${times(most.heard)} is the most. Play fewer passages over again.`,
    )
  return problems
}

/**
 * What a video is made of at most: how often a passage and a stretch taken out meet, and how many words its passages play.
 * Who plays every moment once is always below: there are never so many words, and each stretch meets one passage or a few.
 */
export const most = { meetings: 20_000, heard: 30_000 } as const

/** How many pairs of a passage and a span share a moment; counted without going through the pairs. */
export const meetingsOf = (keep: readonly Span[], spans: readonly Span[]): number => {
  const bySource = new Map(
    [...grouped(spans, ({ source }) => source)].map(([source, own]) => [
      source,
      { starts: inOrder(own.map(({ start }) => start)), ends: inOrder(own.map(({ end }) => end)) },
    ]),
  )
  return keep.reduce((sum, { source, start, end }) => {
    const own = bySource.get(source)
    if (!own) return sum
    const begun = firstPlace(own.starts.length, (i) => own.starts[i]! >= end)
    const over = firstPlace(own.ends.length, (i) => own.ends[i]! > start)
    return sum + Math.max(0, begun - over)
  }, 0)
}

const inOrder = (numbers: number[]): Float64Array => Float64Array.from(numbers).toSorted()

/** The assets that a recipe shows or plays. */
export const filesNamed = (recipe: Recipe): string[] => [
  ...new Set([
    ...recipe.sources.map(({ assetId }) => assetId),
    ...recipe.layers.flatMap((layer) => ('assetId' in layer ? layer.assetId : [])),
    ...[recipe.brand.logo, recipe.sound.music?.assetId].filter((id) => typeof id === 'string'),
  ]),
]

/** The assets of libraries that a recipe may lay over the picture: B-roll, and stills that leave the rest to be seen. */
export const clipsNamed = ({ layers }: Recipe): string[] => [
  ...new Set(layers.flatMap((layer) => (layer.kind === 'b-roll' || layer.kind === 'picture' ? layer.assetId : []))),
]

/** The size of the finished picture in pixels. */
export const sizeOf = ({ frame, output }: Pick<Recipe, 'frame' | 'output'>): { width: number; height: number } => {
  const short = output.shortSide
  // Both sides even: H.264 stores colour for two by two pixels.
  const long = 2 * Math.round((short * 16) / 9 / 2)
  if (frame.aspect === '1:1') return { width: short, height: short }
  return frame.aspect === '9:16' ? { width: short, height: long } : { width: long, height: short }
}

/** A recipe that shows the sources whole, one after the other, without words; rules and people go on from here. */
export const wholeRecipe = (sources: Source[], brand: Brand, style: Captions['style'] = 1): Recipe => ({
  version: recipeVersion,
  sources,
  keep: sources.map(({ id, durationMs }, i) => ({ id: `k${i + 1}`, source: id, start: 0, end: durationMs })),
  removed: [],
  words: [],
  unsaid: [],
  captions: { on: true, style, position: null, size: 1, colour: null, overrides: {}, emoji: {}, tour: null },
  moves: [],
  joints: [],
  layers: [],
  brand,
  open: null,
  close: null,
  sound: { loudness: -14, peak: -1, music: null },
  colour: { brightness: 0, contrast: 0, saturation: 0, warmth: 0 },
  frame: { aspect: '9:16', focus: { x: 0.5, y: 0.4 } },
  output: { shortSide: 1080, fps: { num: 30, den: 1 } },
})

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`
