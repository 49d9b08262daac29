import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { projects, type Project } from '@clear-to-post/contract/projects'
import { query } from '../../api.ts'
import type { PlayerMark } from '../../ui/player-ruler.tsx'

/** What was said about the cut that was sent last, at its moments: QA's points among them. They jump there. */
export const useMarks = (project: Project): PlayerMark[] => {
  const { data } = useQuery({
    ...query(projects.comments, { params: { projectId: project.id } }),
    enabled: project.cuts > 0,
  })
  return useMemo(
    () =>
      (data?.items ?? [])
        .filter(({ cut }) => cut === project.currentCut)
        .map(({ id, atMs, authorName, text }) => ({ id, at: atMs / 1000, label: `${authorName}: ${text}` })),
    [data, project.currentCut],
  )
}
