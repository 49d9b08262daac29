import { useState } from 'react'
import { Status } from '@clear-to-post/domain/workflow'
import type { Project } from '@clear-to-post/contract/projects'
import { denialOf } from '../project/denial.ts'
import { denialGroup } from './denial-group.tsx'
import { focusSoon } from './focus.ts'
import type { Tab } from './use-tab.ts'

/** A cut is made anew. */
const edited: readonly Status[] = [Status.denied, Status.inProgress, Status.revisioning]

/** Why the last cut was denied, until a new one is sent, and whether it was looked at here. */
export const useDenial = (project: Project, tab: Tab) => {
  const [looked, setLooked] = useState<number>()
  const denial = edited.includes(project.status) ? denialOf(project) : undefined
  return {
    denial,
    isNew: denial !== undefined && looked !== denial.cut,
    show: () => {
      setLooked(denial?.cut)
      tab.open('renders')
      focusSoon(`#${denialGroup}`)
    },
  }
}

export type DenialHere = ReturnType<typeof useDenial>
