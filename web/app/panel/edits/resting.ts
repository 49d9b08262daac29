import type { Project } from '@clear-to-post/contract/projects'
import { Status } from '@clear-to-post/domain/workflow'
import { messages } from './messages.ts'

/** Why the viewer only looks at an edit, and what would change that. */
export const restingWords = ({ status, publishAt }: Pick<Project, 'status' | 'publishAt'>): string => {
  const { resting } = messages
  if (status === Status.scheduled) return publishAt === undefined ? resting.month : resting.scheduled
  if (status === Status.canceled) return resting.canceled
  if (status === Status.waitingApproval) return resting.approval
  return status === Status.completed ? resting.completed : messages.readOnly
}
