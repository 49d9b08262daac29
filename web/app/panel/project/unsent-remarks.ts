import { useMemo, useSyncExternalStore } from 'react'
import { projects } from '@clear-to-post/contract/projects'
import { Refusal } from '@clear-to-post/contract/errors'
import { againAfter, isWorthRepeating, keyOf, queryClient, send } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { personHere } from '../../session.ts'
import { toastFailure } from '../../ui/toasts.tsx'
import type { Remark } from './conversation.tsx'
import { dropWritten, keepWritten, writtenUnder } from './use-draft.ts'

/**
 * Comments between the press and the answer. Each is kept in this tab beside the drafts of its person, under its request id, until
 * the service has it: a lost line, another tab of the page, a reload or an ended session leaves it there as not sent, and trying
 * again, however often, posts it once.
 */
export type UnsentRemark = {
  /** Its request id, the same at every try. */
  id: string
  projectId: string
  cut: number
  atMs: number
  text: string
  isInternal: boolean
  createdAt: string
}

export const useUnsentRemarks = (projectId: string): readonly (UnsentRemark & Standing)[] => {
  const written = useSyncExternalStore(subscribe, () => JSON.stringify(standingOf(projectId)))
  return useMemo(() => JSON.parse(written) as (UnsentRemark & Standing)[], [written])
}

/** Keeps it and sends it as who is here now; what fails stays. */
export const postRemark = async (remark: UnsentRemark): Promise<void> => {
  const person = personHere()
  if (person === null || underWay.has(remark.id)) return
  underWay.add(remark.id)
  problems.delete(remark.id)
  keepWritten(person, keyFor(remark), remark)
  tell()
  try {
    const posted = await untilAnswered(remark, person)
    dropWritten(person, keyFor(remark))
    queryClient.setQueryData<{ items: Remark[] }>(
      listOf(remark),
      (list) => list && { items: placed(list.items, posted) },
    )
  } catch (error) {
    toastFailure(error)
    problems.set(remark.id, failureWords(error))
    if (error instanceof Refusal && error.code === 'project.other-readers') readByOthers(person, remark)
  } finally {
    underWay.delete(remark.id)
    tell()
    void queryClient.invalidateQueries({ queryKey: listOf(remark) })
  }
}

/** It is not sent any more. */
export const takeBackRemark = (remark: UnsentRemark): void => {
  const person = personHere()
  if (person !== null) dropWritten(person, keyFor(remark))
  tell()
}

/** Takes a step to which this person's comments belong, unless one of them is not with the service yet. Says whether it did. */
export const afterRemarks = (projectId: string, go: () => void): boolean => {
  const person = personHere()
  const posted = queryClient.getQueryData<{ items: Remark[] }>(listOf({ projectId }))?.items ?? []
  if (person !== null && standingOf(projectId).some((remark) => !isPosted(remark, person, posted))) return false
  go()
  return true
}

/** Whether it stands among the comments that the service has: its answer was lost on the way, or is late. */
export const isPosted = (remark: UnsentRemark, userId: string, posted: readonly Remark[]): boolean =>
  posted.some(
    ({ authorId, cut, atMs, text, createdAt }) =>
      authorId === userId &&
      cut === remark.cut &&
      atMs === remark.atMs &&
      text === remark.text &&
      Date.parse(createdAt) > Date.parse(remark.createdAt) - clocksDifferMs,
  )

/** How much the clock of a device may be ahead; an equal comment of long ago is another one. */
const clocksDifferMs = 5 * 60_000

type Standing = { isSending: boolean; problem?: string }
const underWay = new Set<string>()
const problems = new Map<string, string>()
const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
const tell = () => listeners.forEach((listener) => listener())

const keyFor = ({ projectId, id }: UnsentRemark): string => `posting ${projectId} ${id}`
const listOf = ({ projectId }: Pick<UnsentRemark, 'projectId'>) => keyOf(projects.comments, { params: { projectId } })

const standingOf = (projectId: string): (UnsentRemark & Standing)[] =>
  writtenUnder<UnsentRemark>(`posting ${projectId} `).map((remark) => ({
    ...remark,
    isSending: underWay.has(remark.id),
    ...(problems.has(remark.id) && { problem: problems.get(remark.id)! }),
  }))

/** Four times, as every call. */
const untilAnswered = async (remark: UnsentRemark, as: string): Promise<Remark> => {
  const { id: requestId, projectId, atMs, text, cut, isInternal } = remark
  for (let failures = 0; ; failures++)
    try {
      const input = { params: { projectId }, body: { atMs, text, cut, isInternal } }
      return await send(projects.comment, input, { requestId, as })
    } catch (error) {
      if (failures === 3 || !isWorthRepeating(error)) throw error
      await new Promise((resume) => setTimeout(resume, againAfter(failures)))
    }
}

const placed = (items: readonly Remark[], posted: Remark): Remark[] =>
  [...items.filter(({ id }) => id !== posted.id), posted].toSorted((a, b) => a.atMs - b.atMs)

/** Told of it, whoever tries once more means it for those who read it now. */
const readByOthers = (person: string, remark: UnsentRemark) => {
  keepWritten(person, keyFor(remark), { ...remark, isInternal: !remark.isInternal })
  void queryClient.invalidateQueries({
    queryKey: keyOf(projects.find, { params: { projectId: remark.projectId } }),
  })
}
