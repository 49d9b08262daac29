import { Captions, FileOutput } from 'lucide-react'
import { toast } from 'sonner'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { MenuItem } from '../../ui/menu.tsx'
import { messages } from './messages.ts'

export const handOvers = ['srt', 'vtt', 'edl', 'otio', 'fcpxml'] as const
export type HandOver = (typeof handOvers)[number]

/** The edit as other programs read it, made here in the browser. */
export const handOverItems = (recipe: Recipe, title: string) =>
  handOvers.map((kind) => {
    const Icon = kind === 'srt' || kind === 'vtt' ? Captions : FileOutput
    const give = async () => {
      try {
        const { handOver } = await import('./hand-over.ts')
        handOver(kind, recipe, title)
      } catch {
        toast.error(messages.handOverFailed)
      }
    }
    return (
      <MenuItem key={kind} icon={<Icon aria-hidden />} onAction={() => void give()}>
        {messages.handOvers[kind]}
      </MenuItem>
    )
  })
