import { useEffect, useMemo, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { Clip } from '@clear-to-post/contract/clips'
import { edits, type Edit } from '@clear-to-post/contract/edits'
import { captionTrack } from '@clear-to-post/edit/caption-track'
import type { Recipe, Span } from '@clear-to-post/edit/recipe'
import { timelineOf, windowsOf, type Timeline } from '@clear-to-post/edit/timeline'
import { keyOf } from '../../api.ts'
import { needEmoji, useCanvasTools, useCanvasToolsFailed } from './canvas-tools.ts'
import { useLevels } from './use-levels.ts'
import { useSteadyPaths } from './use-steady.ts'
import { TimelinePlayer } from './timeline-player.ts'

/** What is played and painted of a recipe: its timeline, captions and levels, and a player that has the sources’ addresses. */
export const usePreview = (recipe: Recipe, edit: Edit, clips: ReadonlyMap<string, Clip>) => {
  const tools = useCanvasTools()
  const toolsFailed = useCanvasToolsFailed()
  const timeline = useMemo(() => timelineOf(recipe), [recipe])
  const measure = tools?.measure
  const track = useMemo(() => (measure ? captionTrack(recipe, measure, timeline) : null), [recipe, measure, timeline])
  useEffect(() => {
    if (track) needEmoji(track.pages.flatMap(({ emoji }) => emoji?.emoji ?? []))
  }, [track])
  const assets = useMemo(
    () =>
      new Map(
        [...[...clips.values()].map(({ asset }) => asset), ...edit.assets].map((asset) => [asset.assetId, asset]),
      ),
    [clips, edit.assets],
  )
  const player = usePlayer(edit.projectId, recipe.sources, assets, timeline)
  const levels = useLevels(edit.projectId, recipe, timeline, assets)
  const steady = useSteadyPaths(edit.projectId, recipe)
  const { projectId } = edit
  return { projectId, recipe, timeline, track, tools, toolsFailed, assets, player, levels, steady }
}

export type PreviewParts = ReturnType<typeof usePreview>

/** Seconds into the video at which a passage is first seen; null while it is cut out. */
export const firstSeen = (timeline: Timeline, span: Span): number | null => {
  const [window] = windowsOf(timeline, span)
  return window ? (window.from + 0.5) / (timeline.fps.num / timeline.fps.den) : null
}

const usePlayer = (
  projectId: string,
  sources: Recipe['sources'],
  assets: ReadonlyMap<string, Edit['assets'][number]>,
  timeline: Timeline,
): TimelinePlayer => {
  const client = useQueryClient()
  const [player] = useState(() => new TimelinePlayer())
  useEffect(() => {
    player.onExpired = () => client.invalidateQueries({ queryKey: keyOf(edits.find, { params: { projectId } }) })
    player.from(
      new Map(
        sources.flatMap(({ id, assetId }) => {
          const address = assets.get(assetId)?.playUrl
          return address ? [[id, address] as const] : []
        }),
      ),
    )
  }, [player, client, projectId, sources, assets])
  useEffect(() => player.show(timeline), [player, timeline])
  useEffect(() => () => player.pause(), [player])
  return player
}
