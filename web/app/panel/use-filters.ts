import { useNavigate } from '@tanstack/react-router'

/**
 * What narrows a list, all of it in the page’s address: `search` is what the route reads there. A change leaves no step in the
 * history and no jump in the page. `besides` are the keys that narrow nothing: an order, a view.
 */
export const useFilters = <Search extends object>(search: Search, besides: readonly (keyof Search)[] = []) => {
  const navigate = useNavigate()
  const change = (part: Partial<Search>) =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, ...part }) as never,
      replace: true,
      resetScroll: false,
    })
  const filters = (Object.keys(search) as (keyof Search)[]).filter((key) => !besides.includes(key))
  return {
    search,
    change,
    isFiltered: filters.length > 0,
    clear: () => change(Object.fromEntries(filters.map((key) => [key, undefined])) as Partial<Search>),
  }
}
