import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { edits, type Edit } from '@clear-to-post/contract/edits'
import { Refusal } from '@clear-to-post/contract/errors'
import type { Command } from '@clear-to-post/edit/commands/command'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { keyOf, send } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { useUser } from '../../session.ts'
import { benchStep, isDirty, openBench, ownIn, type Bench, type RemoteEdit } from './bench.ts'
import { readDocument, sameDocument, signOf } from './document.ts'
import { dropKept, keep, type Kept } from './kept.ts'
import { keepSteps, type KeptSteps } from './kept-steps.ts'
import { messages } from './messages.ts'

/** About a second after the last change the work goes to the service. */
const restMs = 900
const againMs = 5000
/** A slider is kept once it rests. */
const stepsRestMs = 250

/** What was left here of a project when its page was opened. */
export type Left = { kept: Kept | null; steps: KeptSteps | null }

export type Workbench = {
  /** What the service had at a revision, as far as it passed through here. */
  recipeAt: (revision: number) => Recipe | undefined
  bench: Bench
  recipe: Recipe
  /** Whether what is on the bench is on this machine's disk: `asked` until the browser has said so. */
  keeping: 'asked' | 'kept' | 'not-kept'
  /** The recipe may be changed. */
  mayWrite: boolean
  mayRender: boolean
  /** Does something that can be undone; `merge` joins changes of one kind in a row. */
  change: (name: string, command: Command, merge?: string) => void
  undo: () => void
  redo: () => void
  /** Saves what is open and answers the revision that the service has; throws what stands in the way. */
  flush: () => Promise<number>
  tryAgain: () => void
  takeRemote: () => void
  keepMine: () => void
}

/**
 * The recipe on the bench: changed, undone, saved by itself with the revision it was made from, kept here until it is.
 * `left`: what was kept when the page was opened (`readKept`), and what could be undone then (`readSteps`).
 */
export const useBench = (edit: Edit, remoteRecipe: Recipe, { kept: left, steps }: Left): Workbench => {
  const user = useUser()
  const client = useQueryClient()
  const { projectId } = edit
  const mayWrite = edit.actions.includes('save')
  const remote: RemoteEdit = { recipe: remoteRecipe, revision: edit.revision }
  const [bench, act] = useReducer(benchStep, null, () => {
    const kept = mayWrite ? left : null
    // Kept from before the newest save, and nothing more than it: another tab was quicker.
    const isNews = kept && kept.revision <= edit.revision && !sameDocument(kept.recipe, remote)
    return openBench(remote, isNews ? kept : null, messages.did.keptBefore, mayWrite ? steps : null)
  })
  const now = useRef(bench)
  const latest = useRef(remote)
  useEffect(() => {
    now.current = bench
    latest.current = remote
  })
  const sent = useRef(new Set(left?.sent))
  const [kept, setKept] = useState<{ recipe: Recipe; isKept: boolean } | null>(null)
  const running = useRef<Promise<number> | null>(null)
  const known = useRef(new Map<number, Recipe>())
  known.current.set(bench.revision, bench.saved)

  const save = useCallback((): Promise<number> => {
    if (running.current) return running.current
    const { recipe, revision } = now.current
    act({ do: 'saving' })
    sent.current.add(signOf(recipe))
    const noted = keep(user.id, projectId, { revision, recipe, sent: [...sent.current] })
    // Kept before it goes out: whatever ends this page meanwhile, the next one knows its own work in what the service has.
    const run = noted
      .then(() =>
        send(edits.save, { params: { projectId }, body: { revision, recipe: recipe as never } }, { as: user.id }),
      )
      .then((answer) => {
        sent.current.clear()
        act({ do: 'stored', recipe, revision: answer.revision })
        // The list of renders and whoever reads this edit next must see it; asking again would only bring our own words.
        client.setQueryData<Edit>(keyOf(edits.find, { params: { projectId } }), (before) =>
          before ? { ...before, revision: answer.revision, recipe: recipe as never, reason: undefined } : before,
        )
        return answer.revision
      })
    running.current = run
    void run
      .catch((error: unknown) => {
        if (!(error instanceof Refusal) || error.kind === 'unavailable') act({ do: 'away' })
        else if (error.code === 'edit.changed') {
          act({ do: 'conflict' })
          void client.invalidateQueries({ queryKey: keyOf(edits.find, { params: { projectId } }) })
        } else act({ do: 'refused', words: failureWords(error) })
      })
      .finally(() => (running.current = null))
    return run
  }, [client, projectId, user.id])

  const { state } = bench.saving
  useEffect(() => {
    if (!mayWrite || state === 'saving' || state === 'conflict' || state === 'refused') return
    if (!isDirty(bench)) return
    const timer = setTimeout(() => void save().catch(() => {}), state === 'away' ? againMs : restMs)
    const online = () => void save().catch(() => {})
    addEventListener('online', online)
    return () => {
      clearTimeout(timer)
      removeEventListener('online', online)
    }
  }, [bench, mayWrite, save, state])

  useEffect(() => {
    if (!mayWrite) return
    const { recipe, saved, revision } = bench
    if (recipe === saved) return dropKept(user.id, projectId)
    let isOver = false
    void keep(user.id, projectId, { revision, recipe, sent: [...sent.current] }).then(
      (isKept) => isOver || setKept({ recipe, isKept }),
    )
    return () => void (isOver = true)
  }, [bench, mayWrite, projectId, user.id])

  const { recipe: shown, past, future } = bench
  useEffect(() => {
    if (!mayWrite || past.length + future.length === 0) return
    const write = () => void keepSteps(user.id, projectId, { recipe: shown, past, future })
    const timer = setTimeout(write, stepsRestMs)
    addEventListener('pagehide', write)
    return () => {
      clearTimeout(timer)
      removeEventListener('pagehide', write)
    }
  }, [mayWrite, shown, past, future, projectId, user.id])

  // Leaving the page by its links: what is open goes along.
  useEffect(
    () => () => {
      if (mayWrite && isDirty(now.current) && now.current.saving.state === 'changed') void save().catch(() => {})
    },
    [mayWrite, save],
  )

  // Somebody else saved: without work of ours theirs is shown, else a person decides.
  useEffect(() => {
    if (edit.revision <= bench.revision || running.current) return
    const own = ownIn(remoteRecipe, bench, sent.current)
    if (own) {
      sent.current.clear()
      act({ do: 'stored', recipe: own, revision: edit.revision })
    } else if (state === 'conflict') return
    else if (isDirty(bench)) act({ do: 'conflict' })
    else {
      act({ do: 'take-theirs', remote: { recipe: remoteRecipe, revision: edit.revision }, name: messages.did.theirs })
      toast.info(messages.theirsLoaded)
    }
  }, [edit.revision, remoteRecipe, bench, state])

  return {
    recipeAt: useCallback((revision) => known.current.get(revision), []),
    bench,
    recipe: bench.recipe,
    keeping: kept?.recipe !== bench.recipe ? 'asked' : kept.isKept ? 'kept' : 'not-kept',
    mayWrite,
    mayRender: edit.actions.includes('render'),
    change: useCallback(
      (name, command, merge) => {
        if (mayWrite) act({ do: 'change', name, command, merge })
      },
      [mayWrite],
    ),
    undo: useCallback(() => act({ do: 'undo' }), []),
    redo: useCallback(() => act({ do: 'redo' }), []),
    flush: useCallback(async () => {
      if (running.current) await running.current
      return isDirty(now.current) ? await save() : now.current.revision
    }, [save]),
    tryAgain: useCallback(() => act({ do: 'try-again' }), []),
    takeRemote: useCallback(() => act({ do: 'take-theirs', remote: latest.current, name: messages.did.theirs }), []),
    keepMine: useCallback(() => act({ do: 'keep-mine', remote: latest.current }), []),
  }
}

/** The recipe of an edit, brought up to date; null when there is none or it cannot be read here. */
export const recipeOf = (document: Edit['recipe'] | null): Recipe | null => (document ? readDocument(document) : null)
