import { useEffect, useEffectEvent, useMemo } from 'react'
import type { Asset } from '@clear-to-post/contract/assets'
import { duckedAt, voicedIn } from '@clear-to-post/edit/ducking'
import { musicFade, musicSpan } from '@clear-to-post/edit/music'
import type { Recipe } from '@clear-to-post/edit/recipe'
import type { Timeline } from '@clear-to-post/edit/timeline'
import type { TimelinePlayer } from './timeline-player.ts'

type Playing = { player: TimelinePlayer; recipe: Recipe; timeline: Timeline; assets: ReadonlyMap<string, Asset> }

/**
 * The music under the video, lower where words are said, with its fades, as the render mixes it. How loud it is
 * beside the voice is measured only there; here both stand as they were recorded, but for the recipe's own number.
 */
export const useMusic = ({ player, recipe, timeline, assets }: Playing) => {
  const { music } = recipe.sound
  const asset = music && assets.get(music.assetId)
  const address = asset?.playUrl ?? asset?.assetUrl
  const voiced = useMemo(() => voicedIn(recipe, timeline), [recipe, timeline])
  // Its address is signed anew with every answer; the song is the same.
  const path = address?.split('?')[0]
  const signed = useEffectEvent(() => address)
  useEffect(() => {
    if (!music || !path) return
    const song = new Audio(signed() ?? path)
    song.loop = !music.once
    let context: AudioContext | null = null
    let volume: GainNode | null = null
    const follow = () => {
      const { playing, muted, speed, duration } = player.state()
      if (!playing) return song.pause()
      // A phone lets sound through, and its volume be set, only after a person's press.
      context ??= new AudioContext()
      volume ??= through(song, context)
      const seconds = player.time()
      const { starts, end } = musicSpan(music, duration, song.duration > 0 ? song.duration : null)
      if (seconds >= end) return song.pause()
      const fade = musicFade(music, seconds, end)
      volume.gain.value = muted ? 0 : 10 ** (music.gain / 20) * duckedAt(voiced, music.duck, seconds) * fade
      song.playbackRate = speed
      const goal = song.duration > 0 ? (starts + seconds) % song.duration : starts + seconds
      if (song.readyState > 0 && Math.abs(song.currentTime - goal) > 0.3 && !song.seeking) song.currentTime = goal
      if (song.paused) song.play().catch(() => {})
    }
    const stops = [player.onTime(follow), player.subscribe(follow)]
    return () => {
      stops.forEach((stop) => stop())
      song.pause()
      song.removeAttribute('src')
      void context?.close()
    }
  }, [player, music, voiced, path])
}

const through = (song: HTMLAudioElement, context: AudioContext): GainNode => {
  const volume = context.createGain()
  context.createMediaElementSource(song).connect(volume).connect(context.destination)
  return volume
}
