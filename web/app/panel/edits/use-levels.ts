import { useMemo } from 'react'
import { useQueries, useQuery } from '@tanstack/react-query'
import type { Asset } from '@clear-to-post/contract/assets'
import { edits, type RenderAhead } from '@clear-to-post/contract/edits'
import { levelsOf, playedLoudness, voiceLoudness, type Loud } from '@clear-to-post/edit/loudness'
import { musicAssets, musicHeard } from '@clear-to-post/edit/music-heard'
import type { Recipe } from '@clear-to-post/edit/recipe'
import type { Timeline } from '@clear-to-post/edit/timeline'
import { query } from '../../api.ts'
import { loudOf } from '../../ui/player-peaks.ts'
import { useHeard } from './use-heard.ts'

/** By how many decibels what is played is louder than it was recorded, as the finished file mixes it. */
export type Levels = {
  /**
   * The voice; 0 while nobody knows how loud it is. `cleanedBy`: by how many decibels cleaning makes it louder as far as the
   * page has heard, which counts until the service has measured that.
   */
  voice: (cleanedBy: number) => number
  /** Music by its piece's id (null: under the whole video), as far as it was measured. */
  music: ReadonlyMap<string | null, number>
}

/** Nothing is rendered yet: it goes by what ingest measured. Files of before were not measured. */
export const useLevels = (
  projectId: string,
  recipe: Recipe,
  timeline: Timeline,
  assets: ReadonlyMap<string, Asset>,
): Levels => {
  const { sources, sound } = recipe
  const { loudness, clean } = sound
  const recorded = useHeard(sources, assets)
  // Asked again by the line of what is made ahead, whose worker measures it.
  const cleaned = useQuery(query(edits.ahead, { params: { projectId } })).data?.cleaned
  const isMeasured = useMemo(
    () => timeline.pieces.every(({ source }) => cleanedOf(cleaned, sources, source) !== undefined),
    [timeline, cleaned, sources],
  )
  const known = useMemo(
    () =>
      clean && isMeasured
        ? new Map([...recorded].map(([source, loud]) => [source, louderBy(loud, cleanedOf(cleaned, sources, source))]))
        : recorded,
    [clean, isMeasured, recorded, cleaned, sources],
  )
  const named = musicAssets(recipe)
  const measured = useQueries({
    queries: named.map((assetId) => loudOf(assetId, assets.get(assetId)?.peaksUrl)),
    combine: (results) => results.map(({ data }) => data),
  })
  return useMemo(() => {
    const spoken = voiceLoudness(recipe, timeline, known)
    const voice = (cleanedBy: number) =>
      spoken === null ? 0 : levelsOf({ loudness, gain: 0 }, spoken + (isMeasured ? 0 : cleanedBy), 0).voice
    const music = new Map<string | null, number>()
    const lengthOf = (assetId: string) => assets.get(assetId)?.duration ?? null
    for (const one of musicHeard(recipe, timeline, lengthOf)) {
      const song = measured[musicAssets(recipe).indexOf(one.assetId)]
      // Beside a voice that stays as it was recorded the recipe's own number is nearer.
      if (!song || spoken === null) continue
      const piece = lengthOf(one.assetId) ?? song.lufs.length / song.perSecond
      const seconds = one.clip ? Math.min((one.end - one.at) * one.clip.speed, piece - one.starts) : one.end - one.at
      const own = playedLoudness(song, one.starts, seconds, piece)
      music.set(one.id, levelsOf({ loudness, gain: one.gain }, spoken, own).music)
    }
    return { voice, music }
  }, [recipe, timeline, loudness, measured, known, isMeasured, assets])
}

const cleanedOf = (cleaned: RenderAhead['cleaned'] | undefined, sources: Recipe['sources'], source: string) => {
  const assetId = sources.find(({ id }) => id === source)?.assetId
  return cleaned?.find((one) => one.assetId === assetId)?.louder
}

const louderBy = (loud: Loud, by = 0): Loud => ({ ...loud, lufs: loud.lufs.map((lufs) => lufs + by) })
