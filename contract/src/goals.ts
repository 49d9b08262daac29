import { z } from 'zod'
import { isIsoWeek } from '@clear-to-post/domain/calendar'
import { call } from './call.ts'

/** What an editor is to get approved in a week, and how far that is; days in the editor's own time zone. */
export const Goal = z.object({
  id: z.string(),
  editorId: z.uuid(),
  isoWeek: z.string(),
  target: z.number().int(),
  progress: z.number().int(),
  createdAt: z.iso.datetime(),
  dailyMilestones: z.array(
    z.object({ id: z.string(), date: z.iso.date(), target: z.number().int(), progress: z.number().int() }),
  ),
})

export const goals = {
  list: call({
    method: 'GET',
    path: '/projects/goals/list/',
    summary: 'Weekly goals: mine, or any editor’s for an ADMIN',
    access: 'goal.list',
    query: z.strictObject({
      editorId: z.uuid().optional(),
      isoWeek: z
        .string()
        .regex(/^\d{4}-W\d{2}$/)
        .optional(),
    }),
    returns: z.object({ items: z.array(Goal), nextCursor: z.null() }),
    refuses: ['account.not-found'],
  }),
  set: call({
    method: 'PUT',
    path: '/projects/goals/',
    summary: 'Set an editor’s target for a week; its days follow, what was reached stays',
    access: 'goal.set',
    body: z.strictObject({
      editorId: z.uuid(),
      isoWeek: z
        .string()
        .regex(/^\d{4}-W(0[1-9]|[1-4]\d|5[0-3])$/, 'Write the week as YYYY-Www')
        .refine(isIsoWeek, 'That year has no such week'),
      target: z.number().int().min(0).max(500),
    }),
    returns: Goal,
    refuses: ['account.not-found'],
  }),
}
