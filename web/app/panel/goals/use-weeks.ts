import { useQueries, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { User } from '@clear-to-post/contract/accounts'
import { goals, type Goal } from '@clear-to-post/contract/goals'
import { defaultWeeklyTarget } from '@clear-to-post/domain/goals'
import { query } from '../../api.ts'
import type { List } from '../../ui/listed.tsx'
import { onlyEditors } from '../accounts/editors.ts'
import { editorsQuery } from '../accounts/use-people.ts'

/** An editor and their goal of a week, which loads by itself. */
export type EditorWeek = {
  editor: User
  goal: z.infer<typeof Goal> | undefined
  isPending: boolean
  isError: boolean
  refetch: () => unknown
}

/** Every editor's week, and what is approved and wanted together. */
export const useWeeks = (week: string): { list: List<EditorWeek>; done: number; target: number } => {
  const editors = useQuery({ ...editorsQuery, select: onlyEditors })
  const found = useQueries({
    queries: (editors.data ?? []).map(({ id }) => query(goals.list, { query: { editorId: id, isoWeek: week } })),
  })
  const items = editors.data?.map((editor, place) => {
    const { data, isPending = true, isError = false, refetch = () => {} } = found[place] ?? {}
    return { editor, goal: data?.items.find(({ isoWeek }) => isoWeek === week), isPending, isError, refetch }
  })
  const sum = (of: (goal: EditorWeek['goal']) => number) => (items ?? []).reduce((all, { goal }) => all + of(goal), 0)
  return {
    list: { items, error: editors.error, refetch: editors.refetch },
    done: sum((goal) => goal?.progress ?? 0),
    target: sum((goal) => goal?.target ?? defaultWeeklyTarget),
  }
}
