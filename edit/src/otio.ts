import { z } from 'zod'
import { abutted, fileAt, overlapped, type Cuts } from './cuts.ts'
import type { Fps } from './frames.ts'

/** OpenTimelineIO (https://opentimelineio.readthedocs.io, its file format): one picture track, one sound track. */
export const writeOtio = (cuts: Cuts): string => {
  const rate = cuts.fps.num / cuts.fps.den
  const time = (value: number) => ({ OTIO_SCHEMA: 'RationalTime.1', rate, value })
  const range = (start: number, length: number) => ({
    OTIO_SCHEMA: 'TimeRange.1',
    start_time: time(start),
    duration: time(length),
  })
  const media = new Map(cuts.media.map((one) => [one.id, one]))
  const children = (kind: 'Video' | 'Audio') =>
    abutted(cuts.items).flatMap(({ item, from, to, before, after }): object[] => {
      const here = { metadata: {}, effects: [], markers: [], enabled: true, source_range: range(from, to - from) }
      const file = item.kind === 'clip' ? media.get(item.media)! : null
      if (item.kind === 'gap' || !file || (kind === 'Audio' && !file.hasSound))
        return [
          {
            OTIO_SCHEMA: 'Gap.1',
            name: item.kind === 'gap' ? item.name : '',
            ...here,
            source_range: range(0, to - from),
          },
        ]
      const clip = {
        OTIO_SCHEMA: 'Clip.1',
        name: file.name,
        ...here,
        media_reference: {
          OTIO_SCHEMA: 'ExternalReference.1',
          name: file.name,
          target_url: encodeURI(file.name),
          available_range: range(0, file.frames),
          metadata: {},
        },
      }
      if (!item.fade) return [clip]
      const dissolve = {
        OTIO_SCHEMA: 'Transition.1',
        name: 'Crossfade',
        transition_type: 'SMPTE_Dissolve',
        in_offset: time(before),
        out_offset: time(after),
        metadata: {},
      }
      return [dissolve, clip]
    })
  const track = (kind: 'Video' | 'Audio') => ({
    OTIO_SCHEMA: 'Track.1',
    name: kind,
    kind,
    source_range: null,
    effects: [],
    markers: [],
    enabled: true,
    metadata: {},
    children: children(kind),
  })
  return JSON.stringify(
    {
      OTIO_SCHEMA: 'Timeline.1',
      name: cuts.title,
      global_start_time: null,
      metadata: { [own]: { jobCode: cuts.jobCode, fps: cuts.fps, size: cuts.size } },
      tracks: {
        OTIO_SCHEMA: 'Stack.1',
        name: 'tracks',
        source_range: null,
        effects: [],
        markers: [],
        enabled: true,
        metadata: {},
        children: [track('Video'), ...(cuts.media.some(({ hasSound }) => hasSound) ? [track('Audio')] : [])],
      },
    },
    null,
    2,
  )
}

/** The first picture track of a timeline; what is no clip of a file counts as a gap. Null when it is no timeline. */
export const readOtio = (text: string): Cuts | null => {
  const read = Timeline.safeParse(parsed(text))
  if (!read.success) return null
  const { name, metadata, tracks } = read.data
  const track = tracks.children.find(({ kind }) => kind === 'Video') ?? tracks.children[0]
  if (!track) return null
  const mine = Own.safeParse(metadata?.[own]).data
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

/** Where our own facts stand in the file's metadata. */
const own = 'clear-to-post'

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
export const fpsOf = (rate: number): Fps =>
  Math.abs(rate - Math.round(rate)) < 0.001
    ? { num: Math.round(rate), den: 1 }
    : { num: Math.round(rate) * 1000, den: 1001 }
