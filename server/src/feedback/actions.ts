import { refusal } from '@clear-to-post/contract/errors'
import { feedbackCriteria, labelled, numbered, type Criterion } from '@clear-to-post/domain/feedback'
import type { Caller, Reader, Tx } from '../kernel/database.ts'
import { keepCriteria, keptCriteria } from './store.ts'

/** What QA scores now, and how often it was set; the default set counts until an ADMIN sets another. */
export const criteriaNow = async (tx: Reader): Promise<{ criteria: readonly Criterion[]; revision: number }> =>
  (await keptCriteria(tx)) ?? { criteria: feedbackCriteria, revision: 0 }

/** A denial's scores with the labels that the criteria have now. Throws feedback.no-criterion, naming the field. */
export const withLabels = async <Score extends { id: string; label?: string | undefined }>(
  tx: Reader,
  scores: readonly Score[],
) => {
  const found = labelled((await criteriaNow(tx)).criteria, scores)
  if ('unknown' in found) {
    const { id, label = id } = scores[found.unknown]!
    throw noCriterion(label, `body.denyFeedback.criteria.${found.unknown}.id`)
  }
  return found.scores
}

/** Sets the whole list. Throws feedback.service-only, feedback.changed and feedback.no-criterion. */
export const setCriteria = async (
  tx: Tx,
  caller: Caller,
  {
    criteria: wanted,
    revision,
  }: { criteria: { id?: string | undefined; label: string }[]; revision?: number | undefined },
  now: Date,
): Promise<void> => {
  if (caller.tenantId !== null) throw refusal('feedback.service-only')
  const before = await criteriaNow(tx)
  if (revision !== undefined && revision !== before.revision) throw refusal('feedback.changed')
  const found = numbered(before.criteria, wanted)
  if ('unknown' in found) throw noCriterion(wanted[found.unknown]!.id!, `body.criteria.${found.unknown}.id`)
  if ((await keepCriteria(tx, found.criteria, before.revision, now)) === 0) throw refusal('feedback.changed')
}

const noCriterion = (name: string, path: string) => {
  const message = `“${name}” is not one of the criteria. Look at the list again; somebody may have changed it.`
  return refusal('feedback.no-criterion', message, [{ path, message }])
}
