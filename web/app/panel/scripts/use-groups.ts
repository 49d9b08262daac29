import { useEffect } from 'react'
import type { List } from '../../ui/listed.tsx'
import { messages } from './messages.ts'
import { ownKey, type ScriptsSearch } from './search.ts'
import { useLibrary, type Category, type Script } from './use-library.ts'

/** Scripts under one name: a category of the library, or one’s own. */
export type Group = { id: string; title: string; scripts: readonly Script[]; category?: Category }

/** The groups that fit what is looked for, one’s own scripts first. */
export const useGroups = ({ q, category: chosen }: ScriptsSearch): List<Group> => {
  const { library, own, mayWrite } = useLibrary()
  useWholeList(own, q !== undefined)
  const groups: Group[] = [
    { id: ownKey, title: messages.own, scripts: own.items ?? [] },
    ...(library.data?.categories ?? []).map((category) => ({ ...category, category })),
  ]
    .filter(({ id }) => chosen === undefined || chosen === id)
    .map((group) => ({ ...group, scripts: group.scripts.filter((script) => matches(script, q)) }))
    // A search shows only where something was found; without one an empty category is still a place to fill.
    .filter(({ id, scripts }) => scripts.length > 0 || (id !== ownKey && q === undefined && mayWrite))
  const isComplete = library.data !== undefined && (groups.length > 0 || own.items !== undefined)
  return {
    items: isComplete ? groups : undefined,
    error: library.error ?? own.error,
    refetch: () => Promise.all([library.refetch(), own.refetch()]),
  }
}

/** Everything is looked through, also what is not on the page yet. */
const useWholeList = (
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> },
  isWanted: boolean,
): void => {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list
  useEffect(() => {
    if (isWanted && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [isWanted, hasNextPage, isFetchingNextPage, fetchNextPage])
}

const matches = ({ title, content, tags = [] }: Script, q: string | undefined): boolean => {
  if (q === undefined) return true
  const text = `${title}\n${content}\n${tags.join(' ')}`.toLocaleLowerCase()
  return q
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
