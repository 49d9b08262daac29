import { mostCrashes } from '@clear-to-post/domain/crashes'
import type { JobContext, Log } from './work.ts'

/**
 * One run of long work over one row. Two runs of the same work may be alive at once: one was believed dead, and the queue
 * gave the job to another. So each run counts up the row's `attempt` when it begins, and everything it writes asks for that
 * number: the newest run counts, and an older one changes nothing.
 */
export type Attempt = {
  /** What it is, for the log: `{ renderId }`. */
  about: Record<string, string>
  /** How often a worker died over this work before this run. */
  crashes: number
  work: () => Promise<unknown>
  /** Whether another try may end better; unless said, as long as the queue has tries left. */
  isWorthAnotherTry?: (why: Pause) => boolean
  /**
   * Leaves the row to its next try, so that this end does not count as a crash. Answers true when a job for that try is
   * enqueued; otherwise the error is thrown, and the queue tries again.
   */
  pause: (why: Pause) => Promise<boolean>
  /** Ends the work for good, with words for whoever waits for it. */
  giveUp: (why: GivenUp) => Promise<unknown>
  /** Takes back what this run left behind that its successor does not need. */
  stepBack?: () => Promise<unknown>
}

/**
 * `interrupted`: the worker is closing; `disk-full` and `storage-away` (the place of the files does not answer) say nothing
 * about the work itself; `fault`: anything else.
 */
export type Pause = 'interrupted' | OfTheMachine | 'fault'
type OfTheMachine = 'disk-full' | 'storage-away'
/** Whether it is the machine’s trouble and not the work’s, which waits until there is room, or until the files answer. */
export const isOfTheMachine = (why: unknown): why is OfTheMachine => why === 'disk-full' || why === 'storage-away'
/** `crashed`: workers died over it; `memory`: it was refused memory; `fault`: anything else. */
export type GivenUp = 'crashed' | 'memory' | 'fault'

/** The row is no longer this run's: a later run took over, or somebody stopped the work or threw it away. */
export class Overtaken extends Error {
  constructor() {
    super('The row is no longer this run’s: another one took over, or somebody ended the work.')
  }
}

/** What a write answered that asked for its attempt. Throws `Overtaken` when it found no row. */
export const unlessOvertaken = <Row>(row: Row | undefined): Row => {
  if (row === undefined) throw new Overtaken()
  return row
}

/**
 * Runs an attempt to one of its ends: done, given up, left to the next try (throws what happened, for the queue), or
 * overtaken. Work over which workers died `mostCrashes` times is given up without being begun.
 */
export const runAttempt = async (
  { log, signal, lastAttempt }: Pick<JobContext, 'log' | 'signal' | 'lastAttempt'>,
  attempt: Attempt,
): Promise<void> => {
  try {
    if (attempt.crashes >= mostCrashes) {
      log.error({ ...attempt.about, crashes: attempt.crashes }, 'work is given up: its worker died over it')
      await attempt.giveUp('crashed')
    } else await attempt.work().catch((error: unknown) => afterTrouble(attempt, { error, log, signal, lastAttempt }))
  } catch (error) {
    if (!(error instanceof Overtaken)) throw error
    await attempt.stepBack?.()
  }
}

const afterTrouble = async (
  { about, isWorthAnotherTry = () => !lastAttempt, pause, giveUp }: Attempt,
  { error, log, signal, lastAttempt }: Pick<JobContext, 'log' | 'signal' | 'lastAttempt'> & { error: unknown },
): Promise<void> => {
  if (error instanceof Overtaken) throw error
  const reason = reasonOf(error)
  const why = signal.aborted ? 'interrupted' : isOfTheMachine(reason) ? reason : 'fault'
  if (why === 'interrupted' || isWorthAnotherTry(why)) {
    const isEnqueued = await pause(why).catch((trouble: unknown) => {
      // What happened first is what the queue and the log must hear of.
      if (trouble instanceof Overtaken) throw trouble
      return false
    })
    if (isEnqueued) return
    throw error
  }
  log.error({ err: error, ...about }, 'work is given up')
  await giveUp(reason === 'memory' ? 'memory' : 'fault')
}

/** What an error says of itself: media's `MediaTrouble` has a reason in a word. */
const reasonOf = (error: unknown): unknown => (error as { reason?: unknown } | null)?.reason

/**
 * Writes how far a run is: every `everyMs` the latest of what was reported, one write at a time, and nothing after `end`.
 * Each time it learns whether the row is still this run's, also when nothing was reported: `signal` ends when it is not,
 * and when `write` says that the disk is full. A database that is away for a moment does not end the run.
 */
export const progressWriter = <Report>({
  write,
  everyMs,
  log,
}: {
  /** Writes a report, or nothing but that the run is alive, while the row is this run's; throws `Overtaken`. */
  write: (report: Report | undefined) => Promise<unknown>
  everyMs: number
  log: Log
}) => {
  const lost = new AbortController()
  let next: Report | undefined
  let writing: Promise<void> | undefined

  const writeNext = async () => {
    const report = next
    next = undefined
    try {
      await write(report)
    } catch (error) {
      if (error instanceof Overtaken || isOfTheMachine(reasonOf(error))) lost.abort(error)
      else log.warn({ err: error }, 'progress was not written')
    }
  }
  const timer = setInterval(() => {
    writing ??= writeNext().finally(() => (writing = undefined))
  }, everyMs)
  return {
    signal: lost.signal,
    report: (report: Report) => void (next = report),
    end: async () => {
      clearInterval(timer)
      await writing
    },
  }
}
