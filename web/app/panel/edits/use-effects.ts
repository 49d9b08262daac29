import { useEffect, useMemo } from 'react'
import { effectsHeard } from '@clear-to-post/edit/sound-effects'
import type { Recipe } from '@clear-to-post/edit/recipe'
import type { Timeline } from '@clear-to-post/edit/timeline'
import { effectBuffer } from './effect-sounds.ts'
import type { Mixer } from './mixer.ts'
import { keepSounding } from './sounding.ts'
import type { TimelinePlayer } from './timeline-player.ts'

type Playing = {
  player: TimelinePlayer
  recipe: Recipe
  timeline: Timeline
  mixer: Mixer
}

/** The sound effects of a recipe while it plays, at their moments and as loud as in the file. */
export const useEffects = ({ player, recipe, timeline, mixer }: Playing) => {
  const heard = useMemo(
    () => effectsHeard(recipe, timeline).map((one) => ({ ...one, from: one.at, to: one.at + one.seconds })),
    [recipe, timeline],
  )
  useEffect(() => {
    if (heard.length === 0) return
    return keepSounding(player, mixer, heard, (one, { since, speed }) => {
      const { context, input } = mixer
      const source = new AudioBufferSourceNode(context, { buffer: effectBuffer(context, one), playbackRate: speed })
      const volume = new GainNode(context, { gain: 10 ** (one.gain / 20) })
      source.connect(volume).connect(input)
      source.start(context.currentTime + Math.max(0, -since / speed), Math.max(0, since))
      return source
    })
  }, [player, heard, mixer])
}
