import type { Project } from '@clear-to-post/contract/projects'
import { workflow, type Verb } from '@clear-to-post/domain/workflow'
import { messages } from './messages.ts'

/** The steps of the project page's own buttons; `approveAt` is an approval for a time. */
export type PageVerb = Exclude<Verb, 'create' | 'release' | 'hold' | 'send' | 'publish'> | 'approveAt'

/** The words of a verb's button: an approval and a denial name the cut they are about. */
export const verbName = (verb: Verb | 'approveAt', { currentCut: cut }: Pick<Project, 'currentCut'>): string =>
  verb === 'approveAt'
    ? cut === undefined
      ? messages.approveAt
      : messages.approveAtTitle(cut)
    : cut !== undefined && verb === 'approve'
      ? messages.approveCut(cut)
      : cut !== undefined && verb === 'deny'
        ? messages.denyTitle(cut)
        : workflow[verb].label
