import { z } from 'zod'
import { captionStyleValues } from '@clear-to-post/domain/captions'
import { clipSpeeds, mostPush } from './clip-time.ts'
import { flawLimits } from './flaws.ts'
import { mostNear, mostTurn } from './framing.ts'
import {
  aspects,
  captionBreaks,
  clipMotions,
  effectNames,
  layerPlaces,
  problemsOf,
  recipeVersion,
  removalReasons,
  stickerNames,
  titleMotions,
  titlePlaces,
  upgrade,
  wordMarks,
  type Problem,
} from './recipe.ts'
import { stickerSizes } from './stickers.ts'
import { longestLine, translationLanguages } from './translation.ts'
import { longestFadeMs } from './voice-fades.ts'

/** The recipe as it is checked when it comes from anywhere. What only shows or changes recipes needs none of this (`recipe.ts`). */

const Ms = z
  .int('must be a whole number of milliseconds')
  .min(0, 'must not be negative')
  .max(24 * 3600_000, 'must be within a day')
const Id = z.string().min(1).max(40)
const Part = z.number().min(0).max(1)
/** By a word's id, of so many words at most. */
const byWord = <Member extends z.ZodType>(member: Member, most: number, name: string) =>
  z
    .record(Id, member)
    .refine((all) => Object.keys(all).length <= most, `has more than ${most.toLocaleString('en-US')} ${name}`)
const mostWords = 20_000
/** A file of the product's: an asset. */
const FileId = z.string().min(1).max(100)
const Colour = z.string().regex(/^#[0-9a-f]{6}$/i, 'must be a colour as #rrggbb')
const Why = z.string().max(300)

/** A passage of one source. */
export const Span = z.object({ source: Id, start: Ms, end: Ms })

/** Who or what decided, and whether it counts. */
const Decision = z.object({
  by: z.enum(['rule', 'person']),
  /** A plain sentence: why it was decided. */
  why: Why,
  on: z.boolean(),
})

/**
 * What the picture of a source needs, on coded values: `lift` is taken from luma, then everything is multiplied by `gain`;
 * `blue` and `red` are added to the differences from luma (`colour.ts`).
 */
export const Balance = z.object({
  gain: z.number().min(0.5).max(2),
  lift: z.number().min(0).max(0.2),
  blue: z.number().min(-0.2).max(0.2),
  red: z.number().min(-0.2).max(0.2),
  ...Decision.shape,
})

const FrameRate = z.object({ num: z.int().min(1).max(240_000), den: z.int().min(1).max(1001) })

export const Source = z.object({
  /** Short, used everywhere in the recipe. */
  id: Id,
  assetId: FileId,
  name: z.string().max(300),
  durationMs: Ms,
  /** As it is seen, after rotation. */
  width: z.int().min(1).max(20_000),
  height: z.int().min(1).max(20_000),
  fps: FrameRate,
  hasSound: z.boolean(),
  /** Missing: its picture was well as it is, or nobody measured it. */
  balance: Balance.optional(),
})

const Turn = z.number().min(-mostTurn).max(mostTurn)

const VoiceFade = z.int().min(1).max(longestFadeMs)

/** A passage in the video, in the order it is played. What is taken out of it stands in `removed`. */
export const Keep = Span.extend({
  id: Id,
  /** Louder or quieter than it was recorded, dB. Missing: as recorded. */
  gain: z.number().min(-24).max(12).optional(),
  /** Its voice comes up evenly from silence over so long at its start, and goes at its end (`voice-fades.ts`). Missing: at once. */
  fadeInMs: VoiceFade.optional(),
  fadeOutMs: VoiceFade.optional(),
  /** Turned with the clock by so many degrees, so that it is straight. Missing: as recorded. */
  turn: Turn.optional(),
  /** Held steady (`steady.ts`). Missing: as it was filmed. */
  steady: z.literal(true).optional(),
})

export const Removed = Span.extend({ id: Id, reason: z.enum(removalReasons), ...Decision.shape })

export const Word = Span.extend({
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

/** Words of the script that nobody said: where they should have been. */
const Unsaid = z.object({ id: Id, source: Id, at: Ms, text: z.string().min(1).max(2000) })

export const Captions = z.object({
  on: z.boolean(),
  style: z.literal(captionStyleValues),
  /** The middle of the captions as a part of the frame's height; null: where the style puts them. */
  position: Part.nullable(),
  /** 1 is the style's own size. */
  size: z.number().min(0.5).max(2),
  /** Instead of the brand's colour. */
  colour: Colour.nullable(),
  /** By word: another text (empty: not shown), and a new page or line before it, or none: the page goes on. */
  overrides: byWord(
    z.object({ text: z.string().max(300).optional(), break: z.enum(captionBreaks).optional() }),
    mostWords,
    'words written anew',
  ),
  /** By word: an emoji of the dictionary, or empty for none. Words that are not named follow the dictionary. */
  emoji: byWord(z.string().max(16), mostWords, 'emoji'),
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

/** What is said in another language, sentence by sentence (`translation.ts`). */
export const Translation = z.object({
  language: z.enum(translationLanguages),
  /** It is shown in the place of the captions. */
  inPicture: z.boolean(),
  /** By the first word of a sentence: the translated text, and what was heard when it was written. */
  lines: byWord(
    z.object({ text: z.string().min(1).max(longestLine.text), of: z.string().max(longestLine.of) }),
    2000,
    'lines',
  ),
})

const Point = z.object({ x: Part, y: Part })

/** punch-in: nearer for a while, at once; push: slowly nearer. `scale` is how near at the end. */
export const Move = Span.extend({
  id: Id,
  kind: z.enum(['punch-in', 'push']),
  scale: z.number().min(1).max(2),
  /** What stays in place, in parts of the frame; null: the frame's focus. */
  focus: Point.nullable(),
  ...Decision.shape,
})

/**
 * Where the person of a passage is, in parts of the recording's picture: the middle of the head. Each shape of frame is
 * put around it. `to`: the picture follows evenly to there. Of several over a moment the later one counts.
 */
export const Focus = Span.extend({
  id: Id,
  at: Point,
  to: Point.optional(),
  /** The head's height; missing: nobody measured it. */
  head: Part.optional(),
  /** A person is asked to look. */
  unsure: z.literal(true).optional(),
  ...Decision.shape,
})

/** Where the picture of a recording is black or stands still (`flaws.ts`). */
export const Flaw = Span.extend({ kind: z.enum(['black', 'frozen']) })

/**
 * How two passages meet, where it is not a plain cut. `at` is a moment of the source inside what was taken out between
 * them (its ends included), or the end of the passage before; a joint whose passage is put back rests until then.
 */
export const Joint = z.object({
  id: Id,
  source: Id,
  at: Ms,
  kind: z.enum(['cut', 'crossfade']),
  /** Both pictures are seen for so long; it is taken from what is kept on both sides. */
  lengthMs: Ms,
})

const Shown = {
  id: Id,
  /** While this passage is seen; null: always, except over cards. */
  span: Span.nullable(),
  on: z.boolean(),
}
export const Layer = z.discriminatedUnion('kind', [
  /** Covers the picture; the voice goes on. */
  z.object({
    ...Shown,
    kind: z.literal('b-roll'),
    assetId: FileId,
    /** Where in the clip it begins. */
    fromMs: Ms,
    /** How fast it is played; missing: as it was recorded. */
    speed: z.number().min(clipSpeeds.least).max(clipSpeeds.most).optional(),
    focus: Point,
    /** Cropped: so much nearer, pointed at its focus. Missing: as much of it as the frame's shape allows. */
    near: z.number().min(1).max(mostNear).optional(),
    /** Slowly nearer over its whole place, so many times at its end, pointed at its focus. Missing: it stands. */
    push: z.number().min(1).max(mostPush).optional(),
    /** As a passage's. */
    turn: Turn.optional(),
    /** Missing: it cuts in and out. */
    motion: z.enum(clipMotions).optional(),
    /** Its own sound: beside the voice, and how much lower while somebody speaks, dB. Missing: it is not heard. */
    sound: z.object({ gain: z.number().min(-40).max(6), duck: z.number().min(0).max(40) }).optional(),
  }),
  z.object({
    ...Shown,
    kind: z.literal('picture'),
    assetId: FileId,
    place: z.enum([...layerPlaces, 'full']),
    size: Part,
    /** As a title's. */
    motion: z.enum(titleMotions).optional(),
  }),
  z.object({
    ...Shown,
    kind: z.literal('logo'),
    assetId: FileId,
    place: z.enum(layerPlaces),
    size: Part,
    /** As a title's. */
    motion: z.enum(titleMotions).optional(),
  }),
  z.object({
    ...Shown,
    kind: z.literal('lower-third'),
    title: z.string().max(80),
    line: z.string().max(120),
    /** Missing: at the lower left, above the captions' place. */
    place: z.enum(titlePlaces).optional(),
    /** Missing: it is there at once, and gone at once. */
    motion: z.enum(titleMotions).optional(),
  }),
  z.object({
    ...Shown,
    kind: z.literal('sticker'),
    name: z.enum(stickerNames),
    /** Its middle, in parts of the frame. */
    at: Point,
    /** Its longer side as a part of the frame's shorter one. */
    size: z.number().min(stickerSizes.least).max(stickerSizes.most),
    /** Turned with the clock, degrees. Missing: upright. */
    turn: z.number().min(-180).max(180).optional(),
    /** As a title's. */
    motion: z.enum(titleMotions).optional(),
  }),
  /** A piece of music with a place of its own; what lies under the whole video rests meanwhile. */
  z.object({
    ...Shown,
    kind: z.literal('music'),
    assetId: FileId,
    /** As those of the music under the whole video. */
    gain: z.number().min(-60).max(0),
    duck: z.number().min(0).max(40),
    fadeInMs: Ms,
    fadeOutMs: Ms,
    fromMs: Ms,
  }),
  /** Heard from its place's start on. */
  z.object({
    ...Shown,
    kind: z.literal('sound'),
    name: z.enum(effectNames),
    /** Beside the voice as it is in the finished file, dB. */
    gain: z.number().min(-40).max(6),
  }),
])

/** The look of the officer and their company when this was cut; the recipe keeps it, so that old versions stay as they were. */
export const Brand = z.object({
  primary: Colour,
  secondary: Colour,
  /** Asset of the logo. */
  logo: FileId.nullable(),
  name: z.string().max(120),
  /** Under the name: profession and company, each as long as its own field takes. */
  line: z.string().max(250),
  /** What the law wants under it: `NMLS #123456`, `Equal Housing Lender`. */
  legal: z.string().max(300),
})

export const Card = z.object({
  on: z.boolean(),
  lengthMs: Ms,
  title: z.string().max(80),
  /** What the viewer should do next. */
  call: z.string().max(120),
})

export const Sound = z.object({
  /** LUFS over the whole video; null: as it was recorded. */
  loudness: z.number().min(-30).max(-8).nullable(),
  /** Highest true peak, dBTP. */
  peak: z.number().min(-9).max(0),
  /** The voice without rumble, noise and sharp s, and evener (`clean-voice.ts`). Missing: as recorded. */
  clean: z.boolean().optional(),
  /** The room's own noise goes on where the voice is not heard as it was recorded (`room-tone.ts`). Missing: it does not. */
  tone: z.boolean().optional(),
  music: z
    .object({
      assetId: FileId,
      /** Beside the voice, dB. */
      gain: z.number().min(-60).max(0),
      /** How much lower while somebody speaks, dB. */
      duck: z.number().min(0).max(40),
      fadeOutMs: Ms,
      /** Missing: it is there at once. */
      fadeInMs: Ms.optional(),
      /** Where in the piece it begins. Missing: at its start. */
      fromMs: Ms.optional(),
      /** It is heard once, and fades out at its own end. Missing: it begins again until the video ends. */
      once: z.literal(true).optional(),
      /** The beat of the piece, on which the video ends (`beats.ts`). Missing: it ends wherever it is. */
      beat: z.object({ firstMs: z.number().min(0).max(2000), everyMs: z.number().min(200).max(2000) }).optional(),
    })
    .nullable(),
})

/** Each from −1 to 1; 0 leaves the picture as it is. */
export const Grade = z.number().min(-1).max(1)
const Colours = z.object({ brightness: Grade, contrast: Grade, saturation: Grade, warmth: Grade })

export const Recipe = z.object({
  version: z.literal(recipeVersion),
  sources: z.array(Source).min(1, 'needs at least one source').max(50),
  keep: z.array(Keep).min(1, 'needs at least one passage').max(2000),
  removed: z.array(Removed).max(5000),
  words: z.array(Word).max(mostWords),
  unsaid: z.array(Unsaid).max(2000),
  captions: Captions,
  /** Missing: there is one language. */
  translation: Translation.optional(),
  moves: z.array(Move).max(500),
  /** Missing: the frame's own point counts everywhere. */
  focus: z.array(Focus).max(2000).optional(),
  /** Missing: there are none, or nobody looked. */
  flaws: z.array(Flaw).max(flawLimits.most).optional(),
  joints: z.array(Joint).max(2000),
  layers: z.array(Layer).max(200),
  brand: Brand,
  open: Card.nullable(),
  close: Card.nullable(),
  sound: Sound,
  colour: Colours,
  frame: z.object({ aspect: z.enum(aspects), focus: Point }),
  /** The shorter side in pixels, even, and the frames a second. */
  output: z.object({ shortSide: z.int().min(180).max(2160).multipleOf(2, 'must be even'), fps: FrameRate }),
})

export type Recipe = z.infer<typeof Recipe>

/** A document from anywhere, of any version → the recipe of today, or why it cannot be used. */
export const readRecipe = (
  document: unknown,
): { recipe: Recipe; problems?: never } | { recipe?: never; problems: Problem[] } => {
  const now = upgrade(document)
  if (now.problem) return { problems: [now.problem] }
  const read = Outline.safeParse(now.document, { error: plainly })
  if (!read.success) return { problems: problemsIn(read.error, []) }
  const recipe = read.data as Recipe
  for (const group of groups) {
    const wrong = readMembers(recipe, group)
    if (wrong.length > 0) return { problems: wrong.slice(0, mostProblems) }
  }
  const problems = problemsOf(recipe)
  return problems.length ? { problems: problems.slice(0, mostProblems) } : { recipe }
}

/** So many problems are named: who writes recipes mends one kind after the other. */
export const mostProblems = 20

/** Reads the members of a list or record in their places, one after the other: nothing but mistakes is not read to its end. */
const readMembers = (recipe: Recipe, { path, member, key }: Group): Problem[] => {
  const found = path.reduce<unknown>((part, name) => (part as Record<string, unknown> | null)?.[name], recipe)
  if (found === undefined || found === null) return []
  const members = found as Record<string, unknown>
  const wrong: Problem[] = []
  for (const name of Object.keys(members)) {
    if (wrong.length >= mostProblems) break
    const within = [...path, Array.isArray(found) ? Number(name) : name]
    const named = key?.safeParse(name, { error: plainly })
    if (named?.error) wrong.push(...problemsIn(named.error, within))
    const one = member.safeParse(members[name], { error: plainly })
    if (one.success) members[name] = one.data
    else wrong.push(...problemsIn(one.error, within))
  }
  return wrong
}

/** A list or a record of a recipe: where it stands, what each of its members is, and of a record each name. */
type Group = { path: string[]; member: z.ZodType; key?: z.ZodType }

/** A schema whose lists and records have their lengths and any members, and what these are to be. */
const outlineOf = (schema: z.ZodType, path: string[]): { outline: z.ZodType; groups: Group[] } => {
  const checks = (schema.def as { checks?: z.core.$ZodCheck<never>[] }).checks ?? []
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    const { outline, groups: within } = outlineOf(schema.unwrap() as z.ZodType, path)
    return { outline: schema instanceof z.ZodOptional ? outline.optional() : outline.nullable(), groups: within }
  }
  if (schema instanceof z.ZodArray)
    return {
      outline: z.array(z.unknown()).check(...(checks as z.core.$ZodCheck<unknown[]>[])),
      groups: [{ path, member: schema.element as z.ZodType }],
    }
  if (schema instanceof z.ZodRecord)
    return {
      outline: z.custom<object>(isRecord).check(...(checks as z.core.$ZodCheck<object>[])),
      groups: [{ path, member: schema.valueType as z.ZodType, key: schema.keyType as z.ZodType }],
    }
  if (!(schema instanceof z.ZodObject)) return { outline: schema, groups: [] }
  const parts = Object.entries(schema.shape as z.ZodRawShape).map(
    ([name, part]) => [name, outlineOf(part as z.ZodType, [...path, name])] as const,
  )
  return {
    outline: schema.extend(Object.fromEntries(parts.map(([name, { outline }]) => [name, outline]))),
    groups: parts.flatMap(([, part]) => part.groups),
  }
}

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

const { outline: Outline, groups } = outlineOf(Recipe, [])

const problemsIn = ({ issues }: z.ZodError, within: PropertyKey[]): Problem[] =>
  issues.slice(0, mostProblems).map(({ path, message }) => ({ where: placeOf([...within, ...path]), text: message }))

// A recipe is written by a program: which part of it is wrong says more than how. Sentences of the schema’s own go first.
const plainly = ({ input }: { input?: unknown }): string =>
  input === undefined ? 'A part of the edit is missing.' : 'A part of the edit is not as this program writes it.'

const placeOf = (path: PropertyKey[]): string =>
  path.map((part) => (typeof part === 'number' ? part + 1 : String(part))).join(' ') || 'recipe'
