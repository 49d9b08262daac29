import type { Project } from '@clear-to-post/contract/projects'
import { workflow, type Verb } from '@clear-to-post/domain/workflow'
import { messages } from './messages.ts'

/** The words of a verb's button: an approval and a denial name the cut they are about. */
export const verbName = (verb: Verb, { currentCut: cut }: Pick<Project, 'currentCut'>): string =>
  cut !== undefined && verb === 'approve'
    ? messages.approveCut(cut)
    : cut !== undefined && verb === 'deny'
      ? messages.denyTitle(cut)
      : workflow[verb].label
