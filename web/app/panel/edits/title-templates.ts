import type { Title } from '@clear-to-post/edit/commands/titles'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { messages } from './messages.ts'

export type TitleTemplate = 'name' | 'words' | 'call'

/** What a new title says, and how it comes: the officer's name, the words it stands over, or what the viewer should do next. */
export const titleFrom = (
  template: TitleTemplate,
  { brand, close }: Recipe,
  words: string,
): Pick<Title, 'title' | 'line' | 'motion'> => {
  if (template === 'words') return { title: words, line: '', motion: 'grow' }
  if (template === 'name') return { title: brand.name, line: brand.line, motion: 'wipe' }
  return { title: close?.call || messages.callTitle, line: brand.name, motion: 'rise' }
}
