import { useQuery } from '@tanstack/react-query'
import { publishing } from '@clear-to-post/contract/publishing'
import { query } from '../../api.ts'
import { useUser } from '../../session.ts'

/**
 * The moments that are offered to an officer wherever they choose one: their next free slot, and when their posts do best.
 * The slot is asked for as soon as such a dialog `may` open, because it stands there first; the other while it `isOpen`.
 */
export const useOfferedTimes = ({ may, isOpen }: { may: boolean; isOpen: boolean }) => {
  const mayPost = useUser().actions.includes('post.write')
  const slots = useQuery({ ...query(publishing.slots, {}), enabled: mayPost && may })
  const figures = useQuery({ ...query(publishing.figures, {}), enabled: mayPost && isOpen })
  return { slot: dateOf(slots.data?.next), best: dateOf(figures.data?.bestTime.next) }
}

const dateOf = (at: string | undefined): Date | undefined => (at === undefined ? undefined : new Date(at))
