import { useEffect, useMemo } from 'react'
import { effectsHeard, type EffectHeard } from '@clear-to-post/edit/sound-effects'
import type { Recipe } from '@clear-to-post/edit/recipe'
import type { Timeline } from '@clear-to-post/edit/timeline'
import { effectBuffer } from './effect-sounds.ts'
import type { Mixer } from './mixer.ts'
import type { TimelinePlayer } from './timeline-player.ts'

type Playing = {
  player: TimelinePlayer
  recipe: Recipe
  timeline: Timeline
  mixer: Mixer
}

/** An effect is handed to the loudspeaker so many seconds before it is heard. */
const ahead = 0.25
/** Further away from where it should be than that, it is begun anew. Seconds. */
const astray = 0.05

/** The sound effects of a recipe while it plays, at their moments and as loud as in the file. */
export const useEffects = ({ player, recipe, timeline, mixer }: Playing) => {
  const heard = useMemo(() => effectsHeard(recipe, timeline), [recipe, timeline])
  useEffect(() => {
    if (heard.length === 0) return
    /** What is handed over: `begins` on the context's clock, where its first sample is heard or would have been. */
    const sounding = new Map<EffectHeard, { source: AudioBufferSourceNode; begins: number }>()
    const silence = (one: EffectHeard) => {
      const now = sounding.get(one)
      sounding.delete(one)
      now?.source.stop()
    }
    const follow = () => {
      const { playing, muted, speed } = player.state()
      const seconds = player.time()
      if (!playing || muted) return void [...sounding.keys()].forEach(silence)
      for (const one of heard) {
        const since = seconds - one.at
        const isNear = since > -ahead * speed && since < one.seconds
        const now = sounding.get(one)
        if (!isNear && now) silence(one)
        if (!isNear) continue
        mixer.wake()
        const { context, input } = mixer
        const begins = context.currentTime - since / speed
        if (now && Math.abs(now.begins - begins) < astray) continue
        if (now) silence(one)
        const source = new AudioBufferSourceNode(context, { buffer: effectBuffer(context, one), playbackRate: speed })
        const volume = new GainNode(context, { gain: 10 ** (one.gain / 20) })
        source.connect(volume).connect(input)
        source.start(context.currentTime + Math.max(0, -since / speed), Math.max(0, since))
        sounding.set(one, { source, begins })
      }
    }
    const stops = [player.onTime(follow), player.subscribe(follow)]
    return () => {
      stops.forEach((stop) => stop())
      ;[...sounding.keys()].forEach(silence)
    }
  }, [player, heard, mixer])
}
