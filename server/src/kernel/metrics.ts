import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** What this process has counted of its own work since it started; /metrics shows it (http/health.ts). */
export const counted = new Registry()
const registers = [counted]

const requests = new Histogram({
  name: 'clear_request_seconds',
  help: 'Requests answered, by route and class of status (2xx to 5xx), and how long each took',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
  registers,
})
const jobs = new Histogram({
  name: 'clear_job_seconds',
  help: 'Runs of jobs, by kind and outcome (done, failed, interrupted), and how long each took',
  // Not `job`: Prometheus has a label of that name itself, for what it asks, and would put this one aside.
  labelNames: ['kind', 'outcome'] as const,
  buckets: [0.05, 0.25, 1, 5, 15, 60, 300, 900, 3600],
  registers,
})
const running = new Gauge({
  name: 'clear_jobs_running',
  help: 'Jobs that this process runs now, by kind',
  labelNames: ['kind'] as const,
  registers,
})
const tasks = new Histogram({
  name: 'clear_task_seconds',
  help: 'Turns of periodic tasks, by outcome (done, failed), and how long each took',
  labelNames: ['task', 'outcome'] as const,
  buckets: [0.01, 0.1, 1, 10, 60, 600],
  registers,
})
const lastTurn = new Gauge({
  name: 'clear_task_last_done_timestamp_seconds',
  help: 'When a periodic task was last done by this process, in seconds since 1970',
  labelNames: ['task'] as const,
  registers,
})
const failedTurns = new Gauge({
  name: 'clear_task_failed_turns',
  help: 'How many turns of a periodic task have failed in this process since the last one that was done',
  labelNames: ['task'] as const,
  registers,
})

const wrongGuesses = new Counter({
  name: 'clear_wrong_guesses_total',
  help: 'Wrong passwords, codes by mail (code) and codes of a second step (second-step) that were typed, by what was typed',
  labelNames: ['typed'] as const,
  registers,
})

/** What can be guessed. */
export const guessed = ['password', 'code', 'second-step'] as const
// From the start, or Prometheus took the first ones for what was there before.
for (const typed of guessed) wrongGuesses.inc({ typed }, 0)

/** Somebody typed what was wrong. */
export const countWrongGuess = (typed: (typeof guessed)[number]): void => wrongGuesses.inc({ typed })

/** One request was answered. `route`: as it is declared, never the address, of which there is no end. */
export const countRequest = (one: { method: string; route: string; status: number; seconds: number }): void =>
  requests.observe({ method: one.method, route: one.route, status: `${Math.floor(one.status / 100)}xx` }, one.seconds)

export type Outcome = 'done' | 'failed' | 'interrupted'

/** Runs a job and counts it. `outcomeOf` says what an error means. */
export const countedJob = async (kind: string, run: () => Promise<void>, outcomeOf: (error: unknown) => Outcome) => {
  running.inc({ kind })
  const begun = performance.now()
  let outcome: Outcome = 'done'
  try {
    await run()
  } catch (error) {
    outcome = outcomeOf(error)
    throw error
  } finally {
    running.dec({ kind })
    jobs.observe({ kind, outcome }, (performance.now() - begun) / 1000)
  }
}

/** Runs a turn of a periodic task and counts it. */
export const countedTask = async (task: string, run: () => Promise<void>): Promise<void> => {
  const begun = performance.now()
  let outcome: Outcome = 'failed'
  try {
    await run()
    outcome = 'done'
    lastTurn.set({ task }, Date.now() / 1000)
    failedTurns.set({ task }, 0)
  } catch (error) {
    failedTurns.inc({ task })
    throw error
  } finally {
    tasks.observe({ task, outcome }, (performance.now() - begun) / 1000)
  }
}
