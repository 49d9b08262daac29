import type { Caller, Tx } from '../kernel/database.ts'
import { begunBy, endedBySteps, staysAsEditors, type Lap, type Stay } from './payroll-store.ts'

export type PaidLap = { editor_id: string; tenant_id: string | null; started_at: Date; ended_at: Date }

/**
 * What these editors had in hand for which company, of what ended between two instants: from beginning a video, or getting it in
 * progress, until its cut was sent, somebody else got it, or they could edit there no more: they were moved, disabled or removed, or
 * given another role. Let in again with it in hand, they go on from then. A step that was undone begins and ends nothing.
 */
export const lapsBetween = async (
  tx: Tx,
  caller: Caller,
  { editorIds, begin, end }: { editorIds: readonly string[]; begin: Date; end: Date },
): Promise<PaidLap[]> => {
  const stays = await staysAsEditors(tx, caller, { editorIds, begin, end })
  const sent = await endedBySteps(tx, caller, { editorIds, begin, end })
  const left = [...new Set(stays.filter(({ until }) => until !== null && until < end).map((one) => one.person_id))]
  const begun = left.length === 0 ? [] : await begunBy(tx, caller, { editorIds: left, begin, end })
  return lapsOf(stays, sent, begun, end)
}

/**
 * The same of stays in the order of their ends, laps that a step ended, and laps in the order of their beginnings. However often
 * somebody was disabled and let in again with however many videos in hand, there are no more than of all three together: what was in
 * hand throughout a stay lies upon each other, and stands once.
 */
export const lapsOf = (
  stays: readonly Stay[],
  sent: readonly (Lap & { ended_at: Date })[],
  begun: readonly Lap[],
  end: Date,
): PaidLap[] => {
  const laps: PaidLap[] = []
  const sentBy = Map.groupBy(sent, (lap) => lap.editor_id)
  const heldBy = Map.groupBy(begun, (lap) => lap.editor_id)
  for (const own of Map.groupBy(stays, (stay) => `${stay.person_id} of ${stay.tenant_id}`).values()) {
    const { person_id: editor_id, tenant_id } = own[0]!
    // Whoever was moved has a video of the company that they left in hand no more.
    const ofThere = <T extends Lap>(all: readonly T[] = []) =>
      tenant_id === null ? all : all.filter((lap) => lap.tenant_id === tenant_id)
    const add = ({ since }: Stay, started_at: Date, ended_at: Date) =>
      laps.push({
        editor_id,
        tenant_id,
        started_at: since !== null && since > started_at ? since : started_at,
        ended_at,
      })

    for (const lap of ofThere(sentBy.get(editor_id))) {
      const stay = stayAt(own, lap.ended_at)
      if (stay) add(stay, lap.started_at, lap.ended_at)
    }

    const all = ofThere(heldBy.get(editor_id))
    // The first that is in hand yet, and the first that the stays until now have not begun with.
    let [first, next] = [0, 0]
    for (const stay of own) {
      const { since, until } = stay
      if (until === null || until >= end) break
      const isInHand = ({ ended_at }: Lap) => ended_at === null || ended_at > until
      while (first < all.length && !isInHand(all[first]!)) first++
      if (first < all.length && since !== null && all[first]!.started_at <= since) add(stay, since, until)
      while (next < all.length && since !== null && all[next]!.started_at <= since) next++
      for (; next < all.length && all[next]!.started_at < until; next++)
        if (isInHand(all[next]!)) add(stay, all[next]!.started_at, until)
    }
  }
  return laps
}

/** The stay that somebody was in at an instant, or left in that one; of stays in the order of their ends. */
const stayAt = (stays: readonly Stay[], at: Date): Stay | undefined => {
  let [low, high] = [0, stays.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const { until } = stays[middle]!
    if (until !== null && until < at) low = middle + 1
    else high = middle
  }
  const stay = stays[low]
  return stay && (stay.since === null || stay.since < at) ? stay : undefined
}
