import { useEffect, useEffectEvent, useMemo } from 'react'
import { useQueries, useQuery } from '@tanstack/react-query'
import { edits } from '@clear-to-post/contract/edits'
import { cleanedLoop, toneSpans, type ToneLoop } from '@clear-to-post/edit/room-tone'
import type { Recipe } from '@clear-to-post/edit/recipe'
import type { Timeline } from '@clear-to-post/edit/timeline'
import { query } from '../../api.ts'
import type { Mixer } from './mixer.ts'
import { keepSounding } from './sounding.ts'
import type { TimelinePlayer } from './timeline-player.ts'
import type { Levels } from './use-levels.ts'

type Playing = {
  player: TimelinePlayer
  recipe: Recipe
  timeline: Timeline
  projectId: string
  mixer: Mixer
  levels: Levels
}

/** The preview plays its passages without the fades of the finished file: a room is heard where it is heard for longer. Seconds. */
const shortest = 0.05
/** So many times a second it is said how loud it is. */
const curveRate = 100

/** The rooms of the recordings under cards and quieter passages while the video plays, as loud as in the file. */
export const useTone = ({ player, recipe, timeline, projectId, mixer, levels }: Playing): void => {
  const loops = useLoops(projectId, recipe)
  const spans = useMemo(() => {
    const isHeard = (source: string) => recipe.sources.find(({ id }) => id === source)?.hasSound ?? false
    const all = toneSpans(recipe, timeline, { has: (source) => loops.has(source), isHeard })
    return all.filter(({ from, to }) => to - from >= shortest)
  }, [recipe, timeline, loops])
  const levelNow = useEffectEvent(() => 10 ** (levels.voice(0) / 20))
  useEffect(() => {
    if (spans.length === 0) return
    const buffers = new Map<string, AudioBuffer>()
    return keepSounding(player, mixer, spans, (one, { seconds, since, speed }) => {
      const { context, input } = mixer
      const loop = loops.get(one.source)!
      const buffer = buffers.get(one.source) ?? bufferOf(loop)
      buffers.set(one.source, buffer)
      const source = new AudioBufferSourceNode(context, { buffer, loop: true, playbackRate: speed })
      const volume = new GainNode(context, { gain: 0 })
      source.connect(volume).connect(input)
      const [from, start] = [Math.max(seconds, one.from), context.currentTime + Math.max(0, -since / speed)]
      const length = one.to - from
      const steps = Math.max(2, Math.ceil(length * curveRate))
      const level = levelNow()
      const curve = Float32Array.from({ length: steps }, (_, i) => level * one.at(from + (i * length) / (steps - 1)))
      volume.gain.setValueCurveAtTime(curve, start, length / speed)
      source.start(start, from % buffer.duration)
      source.stop(start + length / speed)
      return source
    })
  }, [player, spans, loops, mixer])
}

/** The rooms of the recordings by their ids, as far as they were found. */
const useLoops = (projectId: string, { sources, sound }: Recipe): ReadonlyMap<string, ToneLoop> => {
  const { data } = useQuery(query(edits.ahead, { params: { projectId } }))
  const { clean = false, tone = false } = sound
  const wanted = sources.flatMap(({ id, assetId }) => {
    const found = tone ? data?.tones.find((one) => one.assetId === assetId) : undefined
    return found?.url ? [{ id, assetId, url: found.url, level: 10 ** (found.louder / 20) }] : []
  })
  const found = useQueries({
    // Asked for once: the address is signed and changes, the room does not.
    queries: wanted.map(({ assetId, url, level }) => ({
      queryKey: ['tone', assetId, clean],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const response = await fetch(url, { signal })
        if (!response.ok) throw new Error(`The room answered ${response.status}`)
        const loop = louder(await decoded(await response.arrayBuffer()), level)
        return clean ? cleanedLoop(loop, rate) : loop
      },
      staleTime: Infinity,
      retry: 1,
    })),
    combine: (results) => results.map((result) => result.data),
  })
  const ids = wanted.map(({ id }) => id).join(' ')
  return useMemo(
    () => new Map(ids.split(' ').flatMap((id, i) => (found[i] ? [[id, found[i]] as const] : []))),
    [ids, found],
  )
}

const rate = 48_000

const decoded = async (bytes: ArrayBuffer): Promise<ToneLoop> => {
  const buffer = await new OfflineAudioContext(2, 1, rate).decodeAudioData(bytes)
  return { left: buffer.getChannelData(0), right: buffer.getChannelData(1) }
}

/** As loud as the browser plays the recording itself. */
const louder = ({ left, right }: ToneLoop, level: number): ToneLoop => ({
  left: left.map((one) => one * level),
  right: right.map((one) => one * level),
})

const bufferOf = ({ left, right }: ToneLoop): AudioBuffer => {
  const buffer = new AudioBuffer({ length: left.length, numberOfChannels: 2, sampleRate: rate })
  buffer.copyToChannel(left as Float32Array<ArrayBuffer>, 0)
  buffer.copyToChannel(right as Float32Array<ArrayBuffer>, 1)
  return buffer
}
