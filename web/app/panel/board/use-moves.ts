import { createContext, use, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { toast } from 'sonner'
import { projects, type Project } from '@clear-to-post/contract/projects'
import { between } from '@clear-to-post/domain/queue'
import type { Status } from '@clear-to-post/domain/workflow'
import { send } from '../../api.ts'
import { paths } from '../../paths.ts'
import { useUser } from '../../session.ts'
import { toastUndo } from '../../ui/toast-undo.ts'
import { useOutcome } from '../project/act.ts'
import { editColumn, type Filters } from './columns.ts'
import { messages } from './messages.ts'
import { moveInto, type BoardVerb } from './moves.ts'

/** A verb that asks something first; `Ask` has the question. */
export type Asking = { project: Project; verb: 'approve' | 'schedule' | 'assign' | 'cancel' | 'rollback' }

/** Everything that moves a card. Shown at once, taken back with the reason when the service says no. */
export const useMoves = (filters: Filters) => {
  const client = useQueryClient()
  const navigate = useNavigate()
  const user = useUser()
  const { done, failed } = useOutcome()
  const [asking, setAsking] = useState<Asking | null>(null)
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())

  const hold = async (projectId: string, work: () => Promise<void>) => {
    setBusy((before) => new Set(before).add(projectId))
    try {
      await work()
    } catch (error) {
      failed(error, projectId)
    } finally {
      setBusy((before) => new Set([...before].filter((id) => id !== projectId)))
    }
  }

  const shift = (project: Project, to: Status) => {
    editColumn(client, project.status, filters, (items) => items.filter(({ id }) => id !== project.id))
    editColumn(client, to, filters, (items) => [{ ...project, status: to, actions: [] }, ...items])
  }

  /** Does a verb, or asks what it needs first. `to` is where the card was dropped. */
  const act = (project: Project, verb: BoardVerb, to?: Status) => {
    const { id: projectId } = project
    const params = { projectId }
    const atOnce = (run: () => Promise<Project>) => {
      if (to !== undefined) shift(project, to)
      void hold(projectId, async () => done(verb, await run()))
    }
    if (verb === 'start') return atOnce(() => send(projects.start, { body: { projectId } }))
    if (verb === 'unschedule') return atOnce(() => send(projects.unschedule, { params, body: { seq: project.seq } }))
    // These need the video: the form stands beside it.
    if (verb === 'deny' || verb === 'review')
      return void navigate({ to: paths.project, params, search: { form: verb, cut: project.currentCut } })
    if (verb === 'send') return void navigate({ to: paths.project, params })
    setAsking({ project, verb })
  }

  /** A card was dropped on a column, or sent there by the menu. */
  const drop = (project: Project, column: Status) => {
    if (project.status === column) return
    const move = moveInto(project, column, user)
    if ('verb' in move) act(project, move.verb, column)
    else toast.error(move.why)
  }

  /** Whether a card may be dropped there, or lies there. */
  const takes = (project: Project, column: Status): boolean =>
    project.status === column || 'verb' in moveInto(project, column, user)

  /** Puts a card of the queue before or after another one of `items`, which are in the queue's order. */
  const place = (project: Project, items: readonly Project[], target: Project, side: 'before' | 'after') => {
    const rest = items.filter(({ id }) => id !== project.id)
    const at = rest.findIndex(({ id }) => id === target.id) + (side === 'after' ? 1 : 0)
    const [before, after] = [rest[at - 1]?.queue?.position ?? null, rest[at]?.queue?.position ?? null]
    // Without room between them the service moves the neighbours apart.
    const position = between(before, after) ?? before ?? 0
    const moved = { ...project, queue: { ...project.queue, position } }
    editColumn(client, 0, filters, () => [...rest.slice(0, at), moved, ...rest.slice(at)])
    void hold(project.id, async () => {
      await send(projects.reorder, { body: { projectId: project.id, position } })
      const again = () => client.invalidateQueries({ queryKey: ['projects'] })
      const was = project.queue?.position
      if (was === undefined) toast.success(messages.moved)
      else
        toastUndo(messages.moved, () =>
          send(projects.reorder, { body: { projectId: project.id, position: was } }).then(again),
        )
      void again()
    })
  }

  return { asking, endAsking: () => setAsking(null), busy, act, drop, takes, place }
}
export type Moves = ReturnType<typeof useMoves>

/** Cards and columns reach the moves of their board. */
export const MovesContext = createContext<Moves | null>(null)

export const useBoardMoves = (): Moves => {
  const moves = use(MovesContext)
  if (!moves) throw new Error('useBoardMoves is only for parts of the board')
  return moves
}
