import { useState } from 'react'
import { toast } from 'sonner'
import type { Render } from '@clear-to-post/contract/edits'
import type { Project } from '@clear-to-post/contract/projects'
import { useAct } from '../project/act.ts'
import { finishGroup } from './finish-check.tsx'
import { focusSoon } from './focus.ts'
import type { Renders } from './render-panel.tsx'
import type { Workbench } from './use-bench.ts'
import type { Tab } from './use-tab.ts'
import { paletteWords } from './words/palette.ts'

type Parts = { project: Project; bench: Workbench; renders: Renders; tab: Tab }

/** The end of an edit: checked, rendered, watched, sent. */
export const useFinish = ({ project, bench: { bench }, renders, tab }: Parts) => {
  const act = useAct(project)
  const [watched, watch] = useState<Render | null>(null)
  /** The finished file of what is on the bench; where there is none, it is said. */
  const finished = () => {
    const { done } = renders
    const isNew = done?.revision === bench.revision && bench.saving.state === 'saved'
    if (!isNew || done.asset?.state !== 'ready') toast.info(paletteWords.noFile)
    return isNew && done.asset?.state === 'ready' ? done : undefined
  }
  return {
    watched,
    watch,
    render: () => {
      tab.open('renders')
      if (!renders.running) void renders.render()
    },
    check: () => {
      tab.open('renders')
      focusSoon(`#${finishGroup} button`)
    },
    watchFinished: () => {
      const file = finished()
      if (file) watch(file)
    },
    send: () => {
      tab.open('renders')
      const file = project.actions.includes('send') ? finished() : undefined
      if (file?.asset) act.send(file.asset.assetId)
    },
  }
}

export type Finish = ReturnType<typeof useFinish>
