import { useEffect, useEffectEvent, useMemo } from 'react'
import type { Asset } from '@clear-to-post/contract/assets'
import { voicedIn } from '@clear-to-post/edit/ducking'
import {
  clipsHeard,
  musicAssets,
  musicAt,
  piecesHeard,
  underAll,
  type MusicHeard,
} from '@clear-to-post/edit/music-heard'
import type { Recipe } from '@clear-to-post/edit/recipe'
import type { Timeline } from '@clear-to-post/edit/timeline'
import type { Mixer } from './mixer.ts'
import type { TimelinePlayer } from './timeline-player.ts'
import type { Levels } from './use-levels.ts'

type Playing = {
  player: TimelinePlayer
  recipe: Recipe
  timeline: Timeline
  assets: ReadonlyMap<string, Asset>
  mixer: Mixer
  levels: Levels
}

/** A piece is fetched and put where it will begin so many seconds before it is heard. */
const ahead = 5

/** The music of the video and the own sound of B-roll, lower where words are said, with their fades, as loud as the render mixes them. */
export const useMusic = ({ player, recipe, timeline, assets, mixer, levels }: Playing): void => {
  const pieces = useMemo(() => [...piecesHeard(recipe, timeline), ...clipsHeard(recipe, timeline)], [recipe, timeline])
  const voiced = useMemo(() => voicedIn(recipe, timeline), [recipe, timeline])
  const named = musicAssets(recipe)
  const addressOf = (assetId: string) => assets.get(assetId)?.playUrl ?? assets.get(assetId)?.assetUrl
  // Addresses are signed anew with every answer; the songs are the same.
  const paths = named.map((assetId) => `${assetId} ${addressOf(assetId)?.split('?')[0] ?? ''}`).join('\n')
  const signed = useEffectEvent(addressOf)
  // An edit while it plays does not begin the songs anew.
  const heardNow = useEffectEvent((lengthOf: (assetId: string) => number | null) => ({
    all: [...underAll(recipe, timeline, (id) => lengthOf(id) ?? assets.get(id)?.duration ?? null), ...pieces],
    levels: levels.music,
    voiced,
  }))
  useEffect(() => {
    if (paths === '') return
    const songs = new Map<string, Song>()
    const lengthOf = (assetId: string) =>
      [...songs.values()].find((song) => song.assetId === assetId && song.element.duration > 0)?.element.duration ??
      null
    const follow = () => {
      const { playing, muted, speed } = player.state()
      const seconds = player.time()
      const { all, levels, voiced } = heardNow(lengthOf)
      const named = new Map<string, number>()
      const silent = new Set(songs.values())
      for (const one of all) {
        const count = named.get(`${one.id}`) ?? 0
        named.set(`${one.id}`, count + 1)
        const name = `${one.id} ${count}`
        const isNear = seconds > one.at - ahead && seconds < one.end
        const song = songs.get(name) ?? (isNear ? opened(one, signed(one.assetId)) : null)
        if (!song) continue
        songs.set(name, song)
        const { element } = song
        element.loop = one.loops
        const length = element.duration > 0 ? element.duration : null
        const since = Math.max(0, seconds - one.at) * (one.clip?.speed ?? 1)
        const goal = length === null || one.clip ? one.starts + since : (one.starts + since) % length
        const behind = behindBy(goal - element.currentTime, one.clip ? null : length)
        const isOver = one.clip !== undefined && length !== null && goal >= length - 0.05
        const isHeard = playing && seconds >= one.at && seconds < one.end && !isOver
        // While it is not heard the song is where it will begin, so that it begins at once.
        const isAway = Math.abs(behind) > (isHeard ? 0.3 : 0.02)
        if (element.readyState > 0 && isAway && !isOver && !element.seeking && isNear) element.currentTime = goal
        if (!isHeard) continue
        silent.delete(song)
        // A phone lets sound through, and its volume be set, only after a person's press.
        mixer.wake()
        song.volume ??= through(element, mixer)
        const level = 10 ** ((levels.get(one.id) ?? one.gain) / 20)
        song.volume.gain.value = muted ? 0 : level * musicAt(one, all, voiced, seconds)
        element.playbackRate = Math.min(16, speed * (one.clip?.speed ?? 1) * paceFor(behind))
        if (element.paused) element.play().catch(() => {})
      }
      for (const { element } of silent) if (!element.paused) element.pause()
    }
    const stops = [player.onTime(follow), player.subscribe(follow)]
    return () => {
      stops.forEach((stop) => stop())
      for (const { element, volume } of songs.values()) {
        element.pause()
        element.removeAttribute('src')
        volume?.disconnect()
      }
    }
  }, [player, paths, mixer])
}

type Song = { assetId: string; element: HTMLAudioElement; volume: GainNode | null }

const opened = ({ assetId }: MusicHeard, address: string | undefined): Song | null =>
  address ? { assetId, element: new Audio(address), volume: null } : null

/** What goes round and round is never more than half its length away. Seconds. */
const behindBy = (away: number, length: number | null): number =>
  length === null ? away : away - length * Math.round(away / length)

/** It begins a moment after the picture: it comes up to it, or waits for it, by a little more or less of its own pace. */
const paceFor = (behind: number): number =>
  Math.abs(behind) < 0.005 ? 1 : 1 + Math.max(-0.08, Math.min(0.08, behind * 4))

const through = (song: HTMLAudioElement, { context, input }: Mixer): GainNode => {
  const volume = context.createGain()
  context.createMediaElementSource(song).connect(volume).connect(input)
  return volume
}
