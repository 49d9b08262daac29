import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Asset } from '@clear-to-post/contract/assets'
import { projects } from '@clear-to-post/contract/projects'
import { query } from '../../api.ts'

/** The project with its versions and comments. Live events refresh all three; the slow asking again is for when they fail. */
export const useProject = (projectId: string) => {
  const client = useQueryClient()
  const params = { projectId }
  const project = useQuery({
    ...query(projects.find, { params }),
    refetchInterval: ({ state }) => (state.data?.assets?.some(isMoving) ? 5000 : false),
  })
  const hasCut = project.data?.finalVideoId !== undefined
  const cuts = useQuery({ ...query(projects.cuts, { params }), enabled: hasCut })
  const comments = useQuery({ ...query(projects.comments, { params }), enabled: hasCut })
  /** Freshly signed addresses. */
  const renew = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: query(projects.find, { params }).queryKey }),
      client.invalidateQueries({ queryKey: query(projects.cuts, { params }).queryKey }),
    ])
  /** Nothing newer is on its way. */
  const isAtRest = !project.isFetching && !cuts.isFetching
  return { project, cuts, comments, hasCut, isAtRest, renew }
}

const isMoving = ({ state }: Asset): boolean => state === 'received' || state === 'checking'
