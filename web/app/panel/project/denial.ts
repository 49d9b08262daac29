import type { Project } from '@clear-to-post/contract/projects'
import { Status } from '@clear-to-post/domain/workflow'
import { denyCategories, denyCategoryValues, type DenyCategory } from '@clear-to-post/domain/feedback'

/** Why the last cut was denied that was: its number, the reasons, and what was scored and written. */
export type Denial = { cut: number; categories: DenyCategory[]; feedback: NonNullable<Project['feedback']> }

/** What QA said of a project's denied cut, as long as no later cut was approved. */
export const denialOf = (project: Pick<Project, 'feedback' | 'timeline' | 'cuts'>): Denial | undefined => {
  if (!project.feedback) return undefined
  const categories = lastOf(project, 'deny', 'categories')
  return {
    // Denials from before cuts were named were always of the newest one.
    cut: Number(lastOf(project, 'deny', 'cut') ?? project.cuts),
    categories: Array.isArray(categories) ? denyCategoryValues.filter((one) => categories.includes(one)) : [],
    feedback: project.feedback,
  }
}

/** Its reasons and its sentence, in one line. */
export const denialWords = ({ categories, feedback: { comment } }: Denial): string =>
  [categories.map((one) => denyCategories[one]).join(', '), comment?.trim()].filter(Boolean).join(' – ')

/** What was asked to be changed on the cut that was approved last, as long as no new one is sent: its number and the words. */
export const revisionOf = (project: Pick<Project, 'status' | 'timeline' | 'cuts'>): Revision | undefined => {
  if (project.status !== Status.revisioning && project.status !== Status.inProgress) return undefined
  const words = lastOf(project, 'review', 'revision')
  return typeof words === 'string'
    ? { cut: Number(lastOf(project, 'review', 'cut') ?? project.cuts), words }
    : undefined
}
export type Revision = { cut: number; words: string }

/** A key of the newest timeline item of a verb. */
export const lastOf = ({ timeline }: Pick<Project, 'timeline'>, verb: string, key: string): unknown =>
  timeline.toSorted((a, b) => (a.timestamp < b.timestamp ? 1 : -1)).find(({ metadata }) => metadata['verb'] === verb)
    ?.metadata[key] ?? null
