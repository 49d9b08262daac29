import { z } from 'zod'
import { fileAt, overlapped, type Cuts } from './cuts.ts'
import type { Fps } from './frames.ts'
import { ownFacts } from './otio.ts'

/** The first picture track of a timeline; what is no clip of a file counts as a gap. Null when it is no timeline. */
export const readOtio = (text: string): Cuts | null => {
  const read = Timeline.safeParse(parsed(text))
  if (!read.success) return null
  const { name, metadata, tracks } = read.data
  const track = tracks.children.find(({ kind }) => kind === 'Video') ?? tracks.children[0]
  if (!track) return null
  const mine = Own.safeParse(metadata?.[ownFacts]).data
  const rate = track.children.find((child) => child.source_range)?.source_range?.duration.rate ?? 30
  const cuts: Cuts = {
    title: name ?? '',
    jobCode: mine?.jobCode ?? null,
    fps: mine?.fps ?? fpsOf(rate),
    size: mine?.size ?? { width: 0, height: 0 },
    media: [],
    items: [],
  }
  const frames = (time: z.infer<typeof Time>) => Math.round((time.value * rate) / time.rate)
  type Laid = Parameters<typeof overlapped>[0][number]
  let run: Laid[] = []
  const flush = () => {
    cuts.items.push(...overlapped(run))
    run = []
  }
  let fade = { before: 0, after: 0 }
  for (const child of track.children) {
    if (child.OTIO_SCHEMA.startsWith('Transition.')) {
      if (child.in_offset && child.out_offset)
        fade = { before: frames(child.in_offset), after: frames(child.out_offset) }
      continue
    }
    const reference = child.media_reference ?? Object.values(child.media_references ?? {})[0]
    const available = reference?.available_range
    const range = child.source_range ?? available
    if (!range) continue
    const [from, length] = [
      frames(range.start_time) - (available ? frames(available.start_time) : 0),
      frames(range.duration),
    ]
    if (child.OTIO_SCHEMA.startsWith('Clip.') && reference) {
      const file = fileAt(reference.target_url ?? '') || child.name || 'clip'
      if (!cuts.media.some(({ id }) => id === file))
        cuts.media.push({ id: file, name: file, frames: available ? frames(available.duration) : 0, hasSound: true })
      // A fade from nothing is none.
      run.push({ media: file, from, to: from + length, ...(run.length ? fade : { before: 0, after: 0 }) })
    } else {
      flush()
      cuts.items.push({ kind: 'gap', name: child.name ?? '', frames: length })
    }
    fade = { before: 0, after: 0 }
  }
  flush()
  return cuts
}

const Time = z.object({ rate: z.number().positive(), value: z.number() })
const Range = z.object({ start_time: Time, duration: Time })
const Reference = z.object({ target_url: z.string().nullish(), available_range: Range.nullish() })
const Child = z.object({
  OTIO_SCHEMA: z.string(),
  name: z.string().nullish(),
  source_range: Range.nullish(),
  media_reference: Reference.nullish(),
  media_references: z.record(z.string(), Reference).nullish(),
  in_offset: Time.nullish(),
  out_offset: Time.nullish(),
})
const Timeline = z.object({
  OTIO_SCHEMA: z.string().startsWith('Timeline.'),
  name: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  tracks: z.object({
    children: z.array(z.object({ kind: z.string().nullish(), children: z.array(Child).max(20_000) })).max(100),
  }),
})
const Own = z.object({
  jobCode: z.string().nullable(),
  fps: z.object({ num: z.int().positive(), den: z.int().positive() }),
  size: z.object({ width: z.int(), height: z.int() }),
})

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** 29.97 and its like are fractions of 1001. */
const fpsOf = (rate: number): Fps =>
  Math.abs(rate - Math.round(rate)) < 0.001
    ? { num: Math.round(rate), den: 1 }
    : { num: Math.round(rate) * 1000, den: 1001 }
