import { z } from 'zod'
import { criteriaLimits, feedbackScore } from '@clear-to-post/domain/feedback'
import { call } from './call.ts'
import { visible } from './visible.ts'

export const Criterion = z.object({ id: z.string(), label: z.string() })

/** What QA scores, in its order: one list for the whole service. */
export const Criteria = z.object({
  criteria: z.array(Criterion),
  /** Counts up with every change; send it back as `revision` to be refused when somebody else was quicker. */
  revision: z.number().int(),
  /** What the caller may do with it. */
  actions: z.array(z.enum(['setCriteria'])),
})
export type Criteria = z.infer<typeof Criteria>

const text = visible(criteriaLimits.label)
const score = z.number().min(feedbackScore.min).max(feedbackScore.max)

/** What was said of a cut that was denied. */
export const Feedback = z.object({
  criteria: z.array(z.object({ id: z.string(), label: z.string(), score, comment: z.string().optional() })),
  comment: z.string().optional(),
})

/** Feedback as it is given with a denial. */
export const NewFeedback = z.strictObject({
  criteria: z
    .array(
      z.strictObject({
        /** One of `feedback.criteria`; each at most once. */
        id: visible(60),
        /** What was shown. The label of the list is kept. */
        label: visible(60).optional(),
        score,
        comment: z.string().max(2000).optional(),
      }),
    )
    .min(1)
    .max(criteriaLimits.count)
    .superRefine((scores, { addIssue }) => {
      for (const [i, { id }] of scores.entries())
        if (scores.findIndex((one) => one.id === id) < i)
          addIssue({
            code: 'custom',
            path: [i, 'id'],
            message: `“${id}” comes twice. Score each criterion once.`,
          })
    }),
  comment: z.string().max(5000).optional(),
})

export const feedback = {
  criteria: call({
    method: 'GET',
    path: '/feedback/criteria/',
    summary: 'What QA scores when a cut is denied, in its order',
    access: 'feedback.read',
    returns: Criteria,
    refuses: [],
  }),
  setCriteria: call({
    method: 'PUT',
    path: '/feedback/criteria/',
    summary: 'Set the whole list of criteria; denials of before keep theirs',
    access: 'feedback.write',
    body: z.strictObject({
      criteria: z
        .array(
          z.strictObject({
            /** Of a criterion that is there already; a new one has none. */
            id: text.optional(),
            label: text,
          }),
        )
        .min(1)
        .max(criteriaLimits.count)
        .superRefine((criteria, { addIssue }) => {
          for (const [i, { id, label }] of criteria.entries()) {
            const before = criteria.slice(0, i)
            if (id !== undefined && before.some((one) => one.id === id))
              addIssue({ code: 'custom', path: [i, 'id'], message: `“${id}” comes twice. Name each criterion once.` })
            if (before.some((one) => one.label.toLowerCase() === label.toLowerCase()))
              addIssue({ code: 'custom', path: [i, 'label'], message: `“${label}” comes twice. Choose another name.` })
          }
        }),
      revision: z.number().int().optional(),
    }),
    returns: Criteria,
    refuses: ['feedback.no-criterion', 'feedback.changed', 'feedback.service-only'],
  }),
}
