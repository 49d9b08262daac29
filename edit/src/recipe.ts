import { z } from 'zod'

/**
 * The recipe: one document is the edit, and the picture is a function of it. Times are whole milliseconds on the clock
 * of a source; places in the finished video are never written down, `timeline.ts` computes them. What a rule decided
 * keeps its reason and a switch (`on`), so that everything can be seen and taken back.
 */

export const recipeVersion = 1

const Ms = z
  .int('must be a whole number of milliseconds')
  .min(0, 'must not be negative')
  .max(24 * 3600_000, 'must be within a day')
const Id = z.string().min(1).max(40)
const Part = z.number().min(0).max(1)
const Colour = z.string().regex(/^#[0-9a-f]{6}$/i, 'must be a colour as #rrggbb')
const Why = z.string().max(300)

/** A passage of one source. */
const Span = z.object({ source: Id, start: Ms, end: Ms })
export type Span = z.infer<typeof Span>

/** Who or what decided, and whether it counts. */
const Decision = z.object({
  by: z.enum(['rule', 'person']),
  /** A plain sentence: why it was decided. */
  why: Why,
  on: z.boolean(),
})

export const FrameRate = z.object({ num: z.int().min(1).max(240_000), den: z.int().min(1).max(1001) })

const Source = z.object({
  /** Short, used everywhere in the recipe. */
  id: Id,
  assetId: z.string().min(1).max(100),
  name: z.string().max(300),
  durationMs: Ms,
  /** As it is seen, after rotation. */
  width: z.int().min(1).max(20_000),
  height: z.int().min(1).max(20_000),
  fps: FrameRate,
  hasSound: z.boolean(),
})
export type Source = z.infer<typeof Source>

/** A passage in the video, in the order it is played. What is taken out of it stands in `removed`. */
const Keep = Span.extend({ id: Id })
export type Keep = z.infer<typeof Keep>

export const removalReasons = ['silence', 'filler', 'broken-off', 'off-script', 'by-hand'] as const
const Removed = Span.extend({ id: Id, reason: z.enum(removalReasons), ...Decision.shape })
export type Removed = z.infer<typeof Removed>

export const wordMarks = ['filler', 'broken-off', 'off-script'] as const
const Word = Span.extend({
  id: Id,
  /** As it is written in a caption, with its punctuation: `week,`. */
  text: z.string().min(1).max(100),
  /** How sure the times and the text are, 0 to 1. */
  confidence: Part,
  /** script: known from the script and found in the sound; heard: a transcriber's; typed: a person's. */
  origin: z.enum(['script', 'heard', 'typed']),
  /** Its times were shared out over a passage, nobody found it in the sound. */
  estimated: z.literal(true).optional(),
  /** What the comparison with the script found: a filler, part of a try that was given up, or words beside the script. */
  mark: z.enum(wordMarks).optional(),
})
export type Word = z.infer<typeof Word>

/** Words of the script that nobody said: where they should have been. */
const Unsaid = z.object({ id: Id, source: Id, at: Ms, text: z.string().min(1).max(2000) })

/** The numbers of the specification: One Line, One Line + Emojis, Two Lines + Emojis, Home Tour, Two Lines. */
export const captionStyles = [1, 2, 3, 4, 5] as const

const Captions = z.object({
  on: z.boolean(),
  style: z.literal(captionStyles),
  /** The middle of the captions as a part of the frame's height; null: where the style puts them. */
  position: Part.nullable(),
  /** 1 is the style's own size. */
  size: z.number().min(0.5).max(2),
  /** Instead of the brand's colour. */
  colour: Colour.nullable(),
  /** By word: another text (empty: not shown), and a new page or line before it. */
  overrides: z.record(
    Id,
    z.object({ text: z.string().max(300).optional(), break: z.enum(['page', 'line']).optional() }),
  ),
  /** By word: an emoji of the dictionary, or empty for none. Words that are not named follow the dictionary. */
  emoji: z.record(Id, z.string().max(16)),
  /** Home Tour: the lower third. */
  tour: z
    .object({
      address: z.string().max(120),
      price: z.string().max(40),
      beds: z.string().max(20),
      baths: z.string().max(20),
      rooms: z.array(Span.extend({ id: Id, name: z.string().min(1).max(60) })).max(200),
    })
    .nullable(),
})
export type Captions = z.infer<typeof Captions>

const Point = z.object({ x: Part, y: Part })

/** punch-in: nearer for a while, at once; push: slowly nearer. `scale` is how near at the end. */
const Move = Span.extend({
  id: Id,
  kind: z.enum(['punch-in', 'push']),
  scale: z.number().min(1).max(2),
  /** What stays in place, in parts of the frame; null: the frame's focus. */
  focus: Point.nullable(),
  ...Decision.shape,
})
export type Move = z.infer<typeof Move>

/**
 * How two passages meet, where it is not a plain cut. `at` is a moment of the source inside what was taken out between
 * them (its ends included), or the end of the passage before; a joint whose passage is put back rests until then.
 */
const Joint = z.object({
  id: Id,
  source: Id,
  at: Ms,
  kind: z.enum(['cut', 'crossfade']),
  /** Both pictures are seen for so long; it is taken from what is kept on both sides. */
  lengthMs: Ms,
})
export type Joint = z.infer<typeof Joint>

const layerPlaces = ['top-left', 'top-right', 'bottom-left', 'bottom-right', 'centre'] as const
const Shown = {
  id: Id,
  /** While this passage is seen; null: always, except over cards. */
  span: Span.nullable(),
  on: z.boolean(),
}
const Layer = z.discriminatedUnion('kind', [
  /** Covers the picture; the voice goes on. */
  z.object({ ...Shown, kind: z.literal('b-roll'), assetId: z.string(), fromMs: Ms, focus: Point }),
  z.object({
    ...Shown,
    kind: z.literal('picture'),
    assetId: z.string(),
    place: z.enum([...layerPlaces, 'full']),
    size: Part,
  }),
  z.object({ ...Shown, kind: z.literal('logo'), assetId: z.string(), place: z.enum(layerPlaces), size: Part }),
  z.object({ ...Shown, kind: z.literal('lower-third'), title: z.string().max(80), line: z.string().max(120) }),
])
export type Layer = z.infer<typeof Layer>

/** The look of the officer and their company when this was cut; the recipe keeps it, so that old versions stay as they were. */
const Brand = z.object({
  primary: Colour,
  secondary: Colour,
  /** Asset of the logo. */
  logo: z.string().nullable(),
  name: z.string().max(120),
  /** Under the name: profession and company. */
  line: z.string().max(160),
  /** What the law wants under it: `NMLS #123456`, `Equal Housing Lender`. */
  legal: z.string().max(300),
})
export type Brand = z.infer<typeof Brand>

const Card = z.object({
  on: z.boolean(),
  lengthMs: Ms,
  title: z.string().max(80),
  /** What the viewer should do next. */
  call: z.string().max(120),
})
export type Card = z.infer<typeof Card>

const Sound = z.object({
  /** LUFS over the whole video; null: as it was recorded. */
  loudness: z.number().min(-30).max(-8).nullable(),
  /** Highest true peak, dBTP. */
  peak: z.number().min(-9).max(0),
  music: z
    .object({
      assetId: z.string(),
      /** Beside the voice, dB. */
      gain: z.number().min(-60).max(0),
      /** How much lower while somebody speaks, dB. */
      duck: z.number().min(0).max(40),
      fadeOutMs: Ms,
    })
    .nullable(),
})

/** Each from −1 to 1; 0 leaves the picture as it is. */
const Grade = z.number().min(-1).max(1)
const Look = z.object({ brightness: Grade, contrast: Grade, saturation: Grade, warmth: Grade })

export const aspects = ['9:16', '1:1', '16:9'] as const
export type Aspect = (typeof aspects)[number]

export const Recipe = z.object({
  version: z.literal(recipeVersion),
  sources: z.array(Source).min(1, 'needs at least one source').max(50),
  keep: z.array(Keep).min(1, 'needs at least one passage').max(2000),
  removed: z.array(Removed).max(5000),
  words: z.array(Word).max(20_000),
  unsaid: z.array(Unsaid).max(2000),
  captions: Captions,
  moves: z.array(Move).max(500),
  joints: z.array(Joint).max(2000),
  layers: z.array(Layer).max(200),
  brand: Brand,
  open: Card.nullable(),
  close: Card.nullable(),
  sound: Sound,
  colour: Look,
  frame: z.object({ aspect: z.enum(aspects), focus: Point }),
  /** The shorter side in pixels, even, and the frames a second. */
  output: z.object({ shortSide: z.int().min(180).max(2160).multipleOf(2, 'must be even'), fps: FrameRate }),
})
export type Recipe = z.infer<typeof Recipe>

/** What is wrong: the list and the place in it (`keep 3`), and a sentence that says what to do. */
export type Problem = { where: string; text: string }

/** A document from anywhere, of any version → the recipe of today, or why it cannot be used. */
export const readRecipe = (
  document: unknown,
): { recipe: Recipe; problems?: never } | { recipe?: never; problems: Problem[] } => {
  const now = upgrade(document)
  if (now.problem) return { problems: [now.problem] }
  const read = Recipe.safeParse(now.document, { error: plainly })
  if (!read.success)
    return { problems: read.error.issues.map((issue) => ({ where: placeOf(issue.path), text: issue.message })) }
  const problems = problemsOf(read.data)
  return problems.length ? { problems } : { recipe: read.data }
}

// A recipe is written by a program: which part of it is wrong says more than how. Sentences of the schema’s own go first.
const plainly = ({ input }: { input?: unknown }): string =>
  input === undefined ? 'A part of the edit is missing.' : 'A part of the edit is not as this program writes it.'

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
    rooms: recipe.captions.tour?.rooms ?? [],
  }
  for (const [name, list] of Object.entries(lists)) list.forEach((one, i) => span(`${name} ${i + 1}`, one))
  recipe.layers.forEach((layer, i) => layer.span && span(`layers ${i + 1}`, layer.span))

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
  return problems
}

/** The assets that a recipe shows or plays. */
export const filesNamed = (recipe: Recipe): string[] => [
  ...new Set([
    ...recipe.sources.map(({ assetId }) => assetId),
    ...recipe.layers.flatMap((layer) => ('assetId' in layer ? layer.assetId : [])),
    ...[recipe.brand.logo, recipe.sound.music?.assetId].filter((id) => typeof id === 'string'),
  ]),
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

const placeOf = (path: PropertyKey[]): string =>
  path.map((part) => (typeof part === 'number' ? part + 1 : String(part))).join(' ') || 'recipe'

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`
