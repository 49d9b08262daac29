import { expect, it } from 'vitest'
import { counted } from './metrics.ts'
import { pauseOf, runScheduler } from './scheduler.ts'

it('a task that failed is tried again within five minutes, and one that was done at its own time', () => {
  expect([pauseOf(3600, true), pauseOf(3600, false)]).toEqual([3600, 300])
  expect([pauseOf(5, true), pauseOf(5, false)]).toEqual([5, 5])
})

it('failed turns in a row are counted by task, and forgotten once one is done', async () => {
  const task = 'a task of this test'
  const said: number[] = []
  const stop = new AbortController()
  const failedTurns = async () =>
    (await counted.getSingleMetric('clear_task_failed_turns')!.get()).values.find(
      ({ labels }) => labels['task'] === task,
    )?.value ?? 0
  await runScheduler(
    [
      {
        name: task,
        seconds: 0,
        run: async () => {
          said.push(await failedTurns())
          if (said.length < 4) throw new Error('not yet')
          if (said.length > 4) stop.abort()
        },
      },
    ],
    { log: { info: () => {}, warn: () => {}, error: () => {} }, signal: stop.signal },
  )
  expect(said).toEqual([0, 1, 2, 3, 0])
})
