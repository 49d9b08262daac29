import { useQuery } from '@tanstack/react-query'
import { jobs } from '@clear-to-post/contract/jobs'
import { query } from '../../api.ts'

/** How many jobs were given up and wait for somebody; 0 as long as that is not known. Asked anew each `everyMs`. */
export const useGivenUp = ({ enabled, everyMs }: { enabled: boolean; everyMs: number }): number => {
  const { data } = useQuery({ ...query(jobs.counts, {}), enabled, refetchInterval: everyMs })
  return data?.items.reduce((sum, { count }) => sum + count, 0) ?? 0
}
