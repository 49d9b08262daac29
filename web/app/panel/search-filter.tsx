import type { ReactNode } from 'react'
import { FilterBar } from '../ui/filter-bar.tsx'
import type { useFilters } from './use-filters.ts'
import { ViewsMenu } from './views/views-menu.tsx'

/** What a room's `messages` say about its search. */
type SearchWords = { search: string; clear: string; noneTitle: string; noneText: string }

/**
 * The `filter` of a `ListPage` whose address holds the words that are looked for (`useFilters`) and, beside them, `choices`:
 * with choices a button leads back to all of the list, without any the search field's own cross does.
 */
export const searchFilter = <Search extends { q?: string | undefined }>(
  words: SearchWords,
  { search, change, isFiltered, clear }: ReturnType<typeof useFilters<Search>>,
  choices?: ReactNode,
) => ({
  words,
  isOn: isFiltered,
  onClear: clear,
  fields: (
    <FilterBar
      search={words.search}
      words={search.q}
      onWords={(q) => change({ q } as Partial<Search>)}
      {...(choices === undefined ? {} : { clear: words.clear, onClear: isFiltered ? clear : undefined })}
    >
      {choices}
      <ViewsMenu search={search} />
    </FilterBar>
  ),
})
