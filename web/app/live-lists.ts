import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query'
import { projects, type Project } from '@clear-to-post/contract/projects'

/** A list is read again at most this often; the rows that changed are asked for by their ids at most every two seconds. */
export const listEveryMs = 10_000
export const rowsEveryMs = 2_000
/** As many ids as stand in one condition of a list. */
const mostRows = 13

type Page = { items: Project[] }
type Kept = Page | InfiniteData<Page>

/**
 * Keeps the lists of projects that are on the page as fresh as the service tells. The first change after a rest is read at once.
 * While more come, the rows that are there are asked for by their ids, in one question for all lists, and the lists themselves
 * every ten seconds. `rowsOf` answers those of these projects that the person still sees.
 */
export const keepLists = (client: QueryClient, rowsOf: (ids: readonly string[]) => Promise<readonly Project[]>) => {
  const changed = new Set<string>()
  let isMore = false
  let readAt = -Infinity
  let listTimer: ReturnType<typeof setTimeout> | undefined
  let rowTimer: ReturnType<typeof setTimeout> | undefined

  const readLists = () => {
    listTimer = undefined
    readAt = performance.now()
    isMore = false
    changed.clear()
    void client.invalidateQueries({ queryKey: ['projects'], predicate: isList })
  }
  const readRows = async () => {
    rowTimer = undefined
    const lists = listsOnPage(client)
    const known = new Set(lists.flatMap(({ state }) => itemsOf(state.data).map(({ id }) => id)))
    const asked = [...changed].sort((a, b) => Number(known.has(b)) - Number(known.has(a))).slice(0, mostRows)
    for (const id of asked) changed.delete(id)
    if (!asked.some((id) => known.has(id)) && !lists.some(byStatusAlone)) return
    const rows = await rowsOf(asked).catch(() => undefined)
    // What is not known is read with the list.
    if (rows === undefined) return
    for (const { queryKey } of lists)
      client.setQueryData<Kept>(queryKey, (kept) => kept && patched(kept, queryKey, asked, rows))
  }
  return {
    changed: (ids: readonly string[], { more = false } = {}) => {
      for (const id of ids) changed.add(id)
      isMore ||= more
      const wait = readAt + listEveryMs - performance.now()
      if (wait <= 0 && listTimer === undefined) return readLists()
      listTimer ??= setTimeout(readLists, wait)
      rowTimer ??= setTimeout(() => void readRows(), rowsEveryMs)
    },
    stop: () => {
      clearTimeout(listTimer)
      clearTimeout(rowTimer)
    },
  }
}

/** Whether a question of the room `projects` is about a list: those about one project name it. */
export const isList = ({ queryKey }: Pick<Query, 'queryKey'>): boolean => idOf(queryKey) === undefined

/** Which project a question is about; undefined for a list. */
export const idOf = (queryKey: readonly unknown[]): string | undefined =>
  (queryKey[2] as { params?: { projectId?: string } } | undefined)?.params?.projectId

const listsOnPage = (client: QueryClient): Query<unknown, Error, Kept>[] =>
  client.getQueryCache().findAll({ queryKey: ['projects', projects.list.path], type: 'active' }) as never

const itemsOf = (kept: Kept | undefined): Project[] =>
  kept === undefined ? [] : 'pages' in kept ? kept.pages.flatMap(({ items }) => items) : kept.items

const queryOf = (queryKey: readonly unknown[]) =>
  (queryKey[2] as { query?: { wheres?: string[]; orderBy?: string } } | undefined)?.query ?? {}

const statusWhere = /^status:(?:eq|in):([\d,]+)$/
const byStatusAlone = ({ queryKey }: { queryKey: readonly unknown[] }): boolean => {
  const { wheres = [], orderBy } = queryOf(queryKey)
  return wheres.every((one) => statusWhere.test(one)) && (orderBy?.startsWith('modified:') ?? false)
}

/** Whether a row may stand in this list by its status, as far as the list names one. */
const fits = (queryKey: readonly unknown[], { status }: Project): boolean =>
  (queryOf(queryKey).wheres ?? []).every((one) => {
    const [, statuses] = statusWhere.exec(one) ?? []
    return statuses === undefined || statuses.split(',').includes(String(status))
  })

/** A list with these rows as they are now: those that no longer fit are gone, and where its order is known new ones came. */
const patched = (
  kept: Kept,
  queryKey: readonly unknown[],
  asked: readonly string[],
  rows: readonly Project[],
): Kept => {
  const fresh = new Map(rows.filter((row) => fits(queryKey, row)).map((row) => [row.id, row]))
  const known = new Set(itemsOf(kept).map(({ id }) => id))
  const came = byStatusAlone({ queryKey }) ? [...fresh.values()].filter(({ id }) => !known.has(id)) : []
  const isDown = queryOf(queryKey).orderBy === 'modified:desc'
  const inPage = (page: Page, isEdge: boolean): Page => ({
    ...page,
    items: [
      ...(isEdge && isDown ? came : []),
      ...page.items.flatMap((row) => (asked.includes(row.id) ? (fresh.get(row.id) ?? []) : row)),
      ...(isEdge && !isDown ? came : []),
    ],
  })
  if (!('pages' in kept)) return inPage(kept, true)
  // At the end only of a list that is there to its end.
  const last = kept.pages.length - 1
  const isWhole = (kept.pages[last] as { nextCursor?: string | null } | undefined)?.nextCursor === null
  const edge = isDown ? 0 : isWhole ? last : -1
  return { ...kept, pages: kept.pages.map((page, at) => inPage(page, at === edge)) }
}
