import type { Title } from '@clear-to-post/edit/commands/titles'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { messages } from './messages.ts'

export type TitleTemplate = 'name' | 'words' | 'call'

/** What a new title says: the officer's name, the words it stands over, or what the viewer should do next. */
export const titleFrom = (
  template: TitleTemplate,
  { brand, close }: Recipe,
  words: string,
): Pick<Title, 'title' | 'line'> => {
  if (template === 'words') return { title: words, line: '' }
  if (template === 'name') return { title: brand.name, line: brand.line }
  return { title: close?.call || messages.callTitle, line: brand.name }
}
