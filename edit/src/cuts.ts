import { frameAt, msAt, type Fps } from './frames.ts'
import { sizeOf, type Recipe } from './recipe.ts'
import { timelineOf } from './timeline.ts'

/**
 * What editors' programs understand of each other: which stretch of which recording follows which, and crossfades.
 * `edl.ts`, `otio.ts` and `fcpxml.ts` write it and read it back. All numbers are frames of `fps`.
 */
export type Cuts = {
  title: string
  /** By which a finished file finds its project again. */
  jobCode: string | null
  fps: Fps
  size: { width: number; height: number }
  media: CutMedia[]
  items: CutItem[]
}

export type CutMedia = {
  id: string
  /** The file's name, as it lies beside the list. */
  name: string
  frames: number
  hasSound: boolean
}

export type CutItem =
  /** `fade`: frames shared with the clip before; both are whole, so they overlap. */
  | { kind: 'clip'; media: string; from: number; to: number; fade: number }
  | { kind: 'gap'; name: string; frames: number }

export const cutsOf = (recipe: Recipe, { title, jobCode }: { title: string; jobCode: string | null }): Cuts => {
  const timeline = timelineOf(recipe)
  const gap = (name: string, frames: number): CutItem[] => (frames ? [{ kind: 'gap', name, frames }] : [])
  const names = fileNamesOf(recipe)
  return {
    title,
    jobCode,
    fps: timeline.fps,
    size: sizeOf(recipe),
    media: recipe.sources.map(({ id, durationMs, hasSound }) => ({
      id,
      name: names.get(id)!,
      frames: frameAt(durationMs, timeline.fps),
      hasSound,
    })),
    items: [
      ...gap('Opening card', timeline.open),
      ...timeline.pieces.map(({ source, from, to, fadeIn }): CutItem => ({
        kind: 'clip',
        media: source,
        from,
        to,
        fade: fadeIn,
      })),
      ...gap('End card', timeline.close),
    ],
  }
}

/** By source: the name under which its file is handed over; no two alike, nothing that a folder cannot hold. */
export const fileNamesOf = ({ sources }: Pick<Recipe, 'sources'>): Map<string, string> => {
  const taken = new Set<string>()
  return new Map(
    sources.map(({ id, name }) => {
      const clean =
        name.replace(/[\p{C}\p{Zl}\p{Zp}<>:"/\\|?*]+/gu, '-').replace(/^[\s.]+|(?<![\s.])[\s.]+$/g, '') || 'recording'
      const [, stem, ending] = /^(.*?)(\.\w{1,5})?$/.exec(clean)!
      let free = clean
      for (let n = 2; taken.has(free.toLowerCase()); n++) free = `${stem}-${n}${ending ?? ''}`
      taken.add(free.toLowerCase())
      return [id, free] as const
    }),
  )
}

/** An item with its place in the finished video: frames from its start. */
export const placed = (items: readonly CutItem[]): (CutItem & { at: number; frames: number })[] => {
  let at = 0
  return items.map((item) => {
    const frames = item.kind === 'gap' ? item.frames : item.to - item.from
    if (item.kind === 'clip') at -= item.fade
    const here = { ...item, at, frames }
    at += frames
    return here
  })
}

/** Frames of the whole. */
export const framesOf = (cuts: Cuts): number => {
  const last = placed(cuts.items).at(-1)
  return last ? last.at + last.frames : 0
}

/**
 * Programs that lay clips end to end and a crossfade over the cut between them: each clip without the part that it only
 * lends to a crossfade, and how far the crossfade reaches to both sides.
 */
export type Abutted = { item: CutItem; from: number; to: number; at: number; before: number; after: number }

export const abutted = (items: readonly CutItem[]): Abutted[] => {
  let at = 0
  return items.map((item, i) => {
    const next = items[i + 1]
    const fade = item.kind === 'clip' ? item.fade : 0
    const leaves = next?.kind === 'clip' ? next.fade : 0
    // The odd frame lies before the cut.
    const before = Math.ceil(fade / 2)
    const from = item.kind === 'clip' ? item.from + before : 0
    const to = item.kind === 'clip' ? item.to - Math.floor(leaves / 2) : item.frames
    const here = { item, from, to, at, before, after: fade - before }
    at += to - from
    return here
  })
}

/** The way back from `abutted`: clips as laid end to end, each with the crossfade at its start. */
export const overlapped = (
  clips: readonly { media: string; from: number; to: number; before: number; after: number }[],
): CutItem[] =>
  clips.map(({ media, from, to, before, after }, i) => ({
    kind: 'clip',
    media,
    from: from - before,
    to: to + (clips[i + 1]?.after ?? 0),
    fade: before + after,
  }))

/**
 * The recipe cut as another program left it: its passages in their order, its crossfades. Recordings are found by name;
 * what was taken out inside a passage is put back, because the list says that it is seen.
 */
export const recut = (recipe: Recipe, cuts: Cuts): { recipe: Recipe; unknown: string[] } => {
  const unknown = new Set<string>()
  const keep: Recipe['keep'] = []
  const joints: Recipe['joints'] = []
  const files = fileNamesOf(recipe)
  const names = new Map(cuts.media.map(({ id, name }) => [id, name]))
  const fps = recipe.output.fps
  const same = fps.num * cuts.fps.den === cuts.fps.num * fps.den
  // Lists of another rate are brought over by time.
  const ms = (frame: number) => (same ? msAt(frame, fps) : msAt(frameAt(msAt(frame, cuts.fps), fps), fps))
  for (const item of cuts.items) {
    if (item.kind === 'gap') continue
    const name = names.get(item.media) ?? item.media
    const source =
      recipe.sources.find(({ id }) => files.get(id) === name) ??
      recipe.sources.find(({ id }) => bare(files.get(id)!) === bare(name))
    if (!source) {
      unknown.add(name)
      continue
    }
    const passage = {
      id: `k${keep.length + 1}`,
      source: source.id,
      start: ms(item.from),
      end: Math.min(ms(item.to), source.durationMs),
    }
    const last = keep.at(-1)
    if (item.fade && last)
      joints.push({
        id: `j${joints.length + 1}`,
        source: last.source,
        at: last.end,
        kind: 'crossfade',
        lengthMs: ms(item.fade),
      })
    keep.push(passage)
  }
  if (!keep.length) return { recipe, unknown: [...unknown] }
  const removed = recipe.removed.map((one) =>
    keep.some((kept) => kept.source === one.source && kept.start < one.end && kept.end > one.start)
      ? { ...one, on: false }
      : one,
  )
  return { recipe: { ...recipe, keep, joints, removed }, unknown: [...unknown] }
}

/** The file that a list names by an address or a path; as it stands where its escapes are broken. */
export const fileAt = (url: string): string => {
  const last = url.replace(/[?#].*/s, '').replace(/^.*[/\\]/, '')
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

/** A file's name without folders and ending, in small letters. */
const bare = (name: string): string =>
  name
    .replace(/^.*[/\\]/, '')
    .replace(/\.\w{1,5}$/, '')
    .toLowerCase()
