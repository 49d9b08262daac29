import { Captions, FileOutput, FolderArchive } from 'lucide-react'
import { toast } from 'sonner'
import { edits } from '@clear-to-post/contract/edits'
import type { Project } from '@clear-to-post/contract/projects'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { send } from '../../api.ts'
import { toastFailure } from '../../ui/toasts.tsx'
import { MenuItem } from '../../ui/menu.tsx'
import { messages } from './messages.ts'

const handOvers = ['srt', 'vtt', 'secondSrt', 'secondVtt', 'edl', 'otio', 'fcpxml'] as const
/** `sentences`: for whoever translates them. */
export type HandOver = (typeof handOvers)[number] | 'sentences'

/** The edit as other programs read it, made here in the browser. */
export const handOverItems = (recipe: Recipe, project: Project) => [
  ...handOvers
    .filter((kind) => !kind.startsWith('second') || recipe.translation)
    .map((kind) => {
      const Icon = /srt|vtt/i.test(kind) ? Captions : FileOutput
      const give = async () => {
        try {
          const { handOver } = await import('./hand-over.ts')
          handOver(kind, recipe, project)
        } catch {
          toast.error(messages.handOverFailed)
        }
      }
      return (
        <MenuItem key={kind} icon={<Icon aria-hidden />} onAction={() => void give()}>
          {messages.handOvers[kind]}
        </MenuItem>
      )
    }),
  <MenuItem key="kit" icon={<FolderArchive aria-hidden />} onAction={() => void takeKit(project)}>
    {messages.handOverKit}
  </MenuItem>,
]

/** Sources and lists in one file, by the service. */
const takeKit = async (project: Project) => {
  try {
    const { url } = await send(edits.handOver, { params: { projectId: project.id } })
    location.assign(url)
  } catch (error) {
    toastFailure(error)
  }
}
