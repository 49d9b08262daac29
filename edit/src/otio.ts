import { abutted, type Cuts } from './cuts.ts'

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
          target_url: encodeURIComponent(file.name),
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
      metadata: { [ownFacts]: { jobCode: cuts.jobCode, fps: cuts.fps, size: cuts.size } },
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

/** Where our own facts stand in the file's metadata. */
export const ownFacts = 'clear-to-post'
