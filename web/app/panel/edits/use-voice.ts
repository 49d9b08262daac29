import { useEffect, useMemo, useRef, type RefObject } from 'react'
import { gainOf } from '@clear-to-post/edit/commands/sound'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { shownAt, type Piece, type Timeline } from '@clear-to-post/edit/timeline'
import { voiceFadeAt, voiceFades } from '@clear-to-post/edit/voice-fades'
import { frameOf, type TimelinePlayer } from './timeline-player.ts'
import type { Mixer } from './mixer.ts'
import type { Levels } from './use-levels.ts'
import { VoiceChain } from './voice-chain.ts'

type Playing = {
  player: TimelinePlayer
  recipe: Recipe
  timeline: Timeline
  /** Holds the two videos, in the player's order. */
  decks: RefObject<HTMLElement | null>
  mixer: Mixer
  levels: Levels
}

/** The voice as it will be rendered: cleaned where the recipe says so, each passage with its own gain and fades, and all as loud as in the file. */
export const useVoice = ({ player, recipe, timeline, decks, mixer, levels }: Playing): void => {
  const chain = useRef<VoiceChain | null>(null)
  const clean = recipe.sound.clean ?? false
  const { peak } = recipe.sound
  const fades = useMemo(() => voiceFades(recipe, timeline), [recipe, timeline])
  const isFaded = fades.some(({ fadeIn, fadeOut }) => fadeIn > 0 || fadeOut > 0)
  const isChanged = clean || levels.voice(0) !== 0 || isFaded || recipe.keep.some(({ gain }) => gain !== undefined)
  useEffect(() => {
    const follow = () => {
      const louder = levels.voice(chain.current?.louder() ?? 0)
      mixer.set({ voice: louder, peak })
      if (!chain.current && (!isChanged || !player.state().playing)) return
      const videos = [...(decks.current?.querySelectorAll('video') ?? [])]
      const shown = shownAt(timeline, frameOf(player.time(), timeline.fps))
      const inOrder = shown.map(({ piece }) => piece).toSorted((a, b) => a.index - b.index)
      // In a crossfade the deck that leads has the later passage, the other one what fades out.
      const { lead } = player.mix()
      chain.current ??= new VoiceChain(mixer)
      const fadeOf = ({ index, at, from, to }: Piece) => {
        const since = player.time() - (at * timeline.fps.den) / timeline.fps.num
        return voiceFadeAt(fades[index]!, since, ((to - from) * timeline.fps.den) / timeline.fps.num - since)
      }
      const gains = videos.map((video, i) => {
        const piece = i === lead ? inOrder.at(-1) : (inOrder.at(-2) ?? inOrder.at(-1))
        return { video, gain: louder + (piece ? gainOf(recipe, piece) : 0), fade: piece ? fadeOf(piece) : 1 }
      })
      chain.current.follow(gains, clean)
    }
    const stops = [player.onTime(follow), player.subscribe(follow)]
    return () => stops.forEach((stop) => stop())
  }, [player, recipe, timeline, decks, clean, isChanged, fades, mixer, levels, peak])
  useEffect(
    () => () => {
      chain.current = null
      mixer.close()
    },
    [mixer],
  )
}
