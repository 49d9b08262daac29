import { useEffect, useEffectEvent, useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Asset } from '@clear-to-post/contract/assets'
import { duckedAt, voicedIn } from '@clear-to-post/edit/ducking'
import { levelsOf, musicLoudness, voiceLoudness } from '@clear-to-post/edit/loudness'
import { musicFade, musicSpan } from '@clear-to-post/edit/music'
import type { Recipe } from '@clear-to-post/edit/recipe'
import type { Timeline } from '@clear-to-post/edit/timeline'
import { loudOf } from '../../ui/player-peaks.ts'
import { useHeard } from './use-heard.ts'
import type { TimelinePlayer } from './timeline-player.ts'

type Playing = {
  player: TimelinePlayer
  recipe: Recipe
  timeline: Timeline
  assets: ReadonlyMap<string, Asset>
  /** By how many decibels the voice is louder than it was recorded, because it is cleaned. */
  cleanedBy: () => number
}

/**
 * The music under the video, lower where words are said, with its fades, as loud beside the voice as the render mixes it.
 * Answers by how many decibels the voice is quieter here than in the file, as far as that is known.
 */
export const useMusic = ({ player, recipe, timeline, assets, cleanedBy }: Playing): number => {
  const { music } = recipe.sound
  const asset = music && assets.get(music.assetId)
  const address = asset?.playUrl ?? asset?.assetUrl
  const { level, quieter } = useLevel(recipe, timeline, assets)
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
      const seconds = player.time()
      const length = song.duration > 0 ? song.duration : null
      const { starts, end } = musicSpan(music, duration, length)
      const goal = length === null ? starts + seconds : (starts + seconds) % length
      const behind = behindBy(goal - song.currentTime, length)
      // While the video stands the song is where it will begin, so that it begins at once.
      const isAway = Math.abs(behind) > (playing ? 0.3 : 0.02)
      if (song.readyState > 0 && isAway && !song.seeking) song.currentTime = goal
      if (!playing || seconds >= end) return song.pause()
      // A phone lets sound through, and its volume be set, only after a person's press.
      context ??= new AudioContext()
      volume ??= through(song, context)
      const fade = musicFade(music, seconds, end)
      volume.gain.value = muted ? 0 : 10 ** ((level + cleanedBy()) / 20) * duckedAt(voiced, music.duck, seconds) * fade
      song.playbackRate = speed * paceFor(behind)
      if (song.paused) song.play().catch(() => {})
    }
    const stops = [player.onTime(follow), player.subscribe(follow)]
    return () => {
      stops.forEach((stop) => stop())
      song.pause()
      song.removeAttribute('src')
      void context?.close()
    }
  }, [player, music, level, voiced, path, cleanedBy])
  return quieter
}

/**
 * What the music is louder than it was recorded, dB. The voice is heard as it was recorded, and the file's is brought to the
 * recipe's loudness, so the music lies here under the one as it will under the other. Where a file's loudness is not
 * known it is the recipe's own number.
 */
const useLevel = (recipe: Recipe, timeline: Timeline, assets: ReadonlyMap<string, Asset>) => {
  const { sources, sound } = recipe
  const { music, loudness } = sound
  const asset = music ? assets.get(music.assetId) : undefined
  const song = useQuery(loudOf(music?.assetId ?? '', asset?.peaksUrl)).data
  const known = useHeard(sources, assets)
  return useMemo(() => {
    const voice = voiceLoudness(recipe, timeline, known)
    const quieter = voice === null ? 0 : -levelsOf({ loudness, gain: 0 }, voice, 0).voice
    if (!music || !song || voice === null) return { level: music?.gain ?? 0, quieter }
    const video = (timeline.frames * timeline.fps.den) / timeline.fps.num
    const piece = asset?.duration ?? song.lufs.length / song.perSecond
    const levels = levelsOf({ loudness, gain: music.gain }, voice, musicLoudness(music, song, { video, piece }))
    return { level: levels.music - levels.voice, quieter }
  }, [recipe, timeline, music, loudness, song, known, asset?.duration])
}

/** What goes round and round is never more than half its length away. Seconds. */
const behindBy = (away: number, length: number | null): number =>
  length === null ? away : away - length * Math.round(away / length)

/** It begins a moment after the picture: it comes up to it, or waits for it, by a little more or less of its own pace. */
const paceFor = (behind: number): number =>
  Math.abs(behind) < 0.005 ? 1 : 1 + Math.max(-0.08, Math.min(0.08, behind * 4))

const through = (song: HTMLAudioElement, context: AudioContext): GainNode => {
  const volume = context.createGain()
  context.createMediaElementSource(song).connect(volume).connect(context.destination)
  return volume
}
