import { useState } from 'react'
import { Status } from '@clear-to-post/domain/workflow'
import type { Project } from '@clear-to-post/contract/projects'
import { denialOf, revisionOf } from '../project/denial.ts'
import { denialGroup, revisionGroup } from './denial-group.tsx'
import { focusSoon } from './focus.ts'
import type { Tab } from './use-tab.ts'

/** A cut is made anew. */
const edited: readonly Status[] = [Status.denied, Status.inProgress, Status.revisioning]

/** Why a new cut is made, until it is sent: a denial of the last one, a change that was asked for. And whether each was looked at here. */
export const useDenial = (project: Project, tab: Tab) => {
  const [looked, setLooked] = useState<readonly string[]>([])
  const denial = edited.includes(project.status) ? denialOf(project) : undefined
  const revision = revisionOf(project)
  const open = (group: string, cut: number | undefined) => {
    setLooked([...looked, `${group} ${cut}`])
    tab.open('renders')
    focusSoon(`#${group}`)
  }
  return {
    denial,
    isNew: denial !== undefined && !looked.includes(`${denialGroup} ${denial.cut}`),
    show: () => open(denialGroup, denial?.cut),
    revision,
    isAsked: revision !== undefined && !looked.includes(`${revisionGroup} ${revision.cut}`),
    showRevision: () => open(revisionGroup, revision?.cut),
  }
}

export type DenialHere = ReturnType<typeof useDenial>
