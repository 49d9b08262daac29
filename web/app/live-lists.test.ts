import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { projects, type Project } from '@clear-to-post/contract/projects'
import { Status } from '@clear-to-post/domain/workflow'
import { keepLists, listEveryMs, rowsEveryMs } from './live-lists.ts'
import { ageOf, onOtherPage, watchedBy } from './live-watch.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const idOf = (n: number) => `${String(n).padStart(8, '0')}-1111-4111-8111-111111111111`
const row = (n: number, status: Status, title = 'As it was') => ({ id: idOf(n), status, title }) as unknown as Project

/** A page with lists, each by its conditions, and a service that answers what stands in `now`. */
const aPage = (lists: Record<string, { query: object; items: Project[]; isInfinite?: boolean }>) => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  const now = new Map<string, Project>()
  const asked = { lists: 0, rows: [] as (readonly string[])[] }
  const keys = Object.fromEntries(
    Object.entries(lists).map(([name, { query, items, isInfinite }]) => {
      const queryKey = ['projects', projects.list.path, { query }, ...(isInfinite ? ['pages'] : [])]
      client.setQueryData(
        queryKey,
        isInfinite ? { pages: [{ items, nextCursor: null }], pageParams: [null] } : { items },
      )
      const observer = new QueryObserver(client, {
        queryKey,
        queryFn: () => {
          asked.lists++
          return client.getQueryData(queryKey)
        },
      })
      observer.subscribe(() => {})
      return [name, queryKey]
    }),
  )
  const kept = keepLists(client, async (ids) => {
    asked.rows.push(ids)
    return ids.flatMap((id) => now.get(id) ?? [])
  })
  const shown = (name: string): string[] => {
    const data = client.getQueryData(keys[name]!) as { items?: Project[]; pages?: { items: Project[] }[] }
    return (data.items ?? data.pages!.flatMap(({ items }) => items)).map(
      ({ id, title }) => `${Number(id.slice(0, 8))} ${title}`,
    )
  }
  return { client, now, asked, kept, shown }
}
const inStatus = (...statuses: Status[]) => ({ orderBy: 'modified:desc', wheres: [`status:in:${statuses.join(',')}`] })

test('a list is read at once after a rest and then every ten seconds, however much changes', async () => {
  const { asked, kept } = aPage({ all: { query: { orderBy: 'modified:desc' }, items: [row(1, Status.submitted)] } })
  for (let ms = 0; ms < 60_000; ms += 100) {
    kept.changed([idOf(ms)])
    await vi.advanceTimersByTimeAsync(100)
  }
  // At the beginning, and at the end of each ten seconds.
  expect(asked.lists).toBe(1 + 60_000 / listEveryMs)
  expect(asked.rows.length).toBeLessThanOrEqual(60_000 / rowsEveryMs)
  kept.stop()
})

test('while a list waits, its rows are as they are now: changed ones, ones that left, and ones that came', async () => {
  const { now, asked, kept, shown } = aPage({
    waiting: {
      query: inStatus(Status.submitted),
      items: [row(1, Status.submitted), row(2, Status.submitted)],
      isInfinite: true,
    },
    begun: { query: inStatus(Status.inProgress), items: [row(3, Status.inProgress)], isInfinite: true },
    found: { query: { orderBy: 'modified:desc', wheres: ['search:contains:rate'] }, items: [row(1, Status.submitted)] },
  })
  kept.changed([idOf(9)])
  await vi.advanceTimersByTimeAsync(0)
  expect(asked.lists).toBe(3)
  now.set(idOf(1), row(1, Status.submitted, 'Renamed'))
  now.set(idOf(2), row(2, Status.inProgress, 'Begun'))
  // The third is in nobody's reach any more.
  kept.changed([idOf(1), idOf(2), idOf(3)])
  await vi.advanceTimersByTimeAsync(rowsEveryMs)
  expect(asked).toEqual({ lists: 3, rows: [[idOf(1), idOf(2), idOf(3)]] })
  expect(shown('waiting')).toEqual(['1 Renamed'])
  expect(shown('begun')).toEqual(['2 Begun'])
  expect(shown('found')).toEqual(['1 Renamed'])
  kept.stop()
})

test('of many changes only those of rows on the page are asked for, thirteen at once', async () => {
  const items = Array.from({ length: 20 }, (_, n) => row(n, Status.submitted))
  const { asked, kept } = aPage({ found: { query: { wheres: ['search:contains:rate'] }, items } })
  kept.changed([idOf(500)])
  await vi.advanceTimersByTimeAsync(0)
  kept.changed(Array.from({ length: 100 }, (_, n) => idOf(100 + n)))
  await vi.advanceTimersByTimeAsync(rowsEveryMs)
  expect(asked.rows).toEqual([])
  kept.changed([...Array.from({ length: 100 }, (_, n) => idOf(300 + n)), ...items.map(({ id }) => id)])
  await vi.advanceTimersByTimeAsync(rowsEveryMs)
  expect(asked.rows).toHaveLength(1)
  expect(asked.rows[0]).toHaveLength(13)
  expect(asked.rows[0]!.every((id) => items.some((one) => one.id === id))).toBe(true)
  kept.stop()
})

test('a stream watches the things on its page, and soon those of the next page', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  const see = (...queryKey: unknown[]) => {
    client.setQueryData(queryKey, {})
    return new QueryObserver(client, { queryKey, queryFn: () => ({}) }).subscribe(() => {})
  }
  let watched = watchedBy(client)
  const moves: string[][] = []
  const forget = onOtherPage(
    client,
    () => watched,
    () => {
      watched = watchedBy(client)
      moves.push([...watched])
    },
  )
  const leave = see('projects', projects.list.path, {})
  see('notifications', '/notifications/list/', {})
  await vi.advanceTimersByTimeAsync(1000)
  see('projects', '/projects/:projectId/find/', { params: { projectId: idOf(1) } })
  see('edits', '/edits/:projectId/', { params: { projectId: idOf(1) } })
  leave()
  await vi.advanceTimersByTimeAsync(1000)
  expect(moves).toEqual([['projects'], [`project:${idOf(1)}`]])
  expect(ageOf(client, Date.now())).toBeGreaterThanOrEqual(1000)
  see('projects', projects.list.path, {})
  leave()
  forget()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(moves).toHaveLength(2)
})
