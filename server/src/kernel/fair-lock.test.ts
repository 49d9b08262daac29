import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { fairLock, Preempted } from './fair-lock.ts'

/** A lock whose runs end when the test says so; `running` names those that have begun and not ended. */
const open = () => {
  const lock = fairLock()
  const running: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const start = (mode: 'shared' | 'exclusive', name: string) =>
    lock(mode, async () => {
      running.push(name)
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      ends.set(name, (error) => (error ? reject(error) : resolve(name)))
      return promise.finally(() => running.splice(running.indexOf(name), 1))
    })
  const end = async (name: string, error?: Error) => {
    ends.get(name)!(error)
    await turn()
  }
  return { start, end, running }
}

it('shared work runs in parallel and exclusive work alone, in the order of the requests', async () => {
  const { start, end, running } = open()
  const all = [
    start('shared', 'a'),
    start('shared', 'b'),
    start('exclusive', 'C'),
    start('exclusive', 'D'),
    start('shared', 'e'),
    start('shared', 'f'),
    start('exclusive', 'G'),
  ]
  await turn()
  expect(running).toEqual(['a', 'b'])
  await end('b')
  expect(running).toEqual(['a'])
  await end('a')
  expect(running).toEqual(['C'])
  await end('C')
  expect(running).toEqual(['D'])
  await end('D')
  expect(running).toEqual(['e', 'f'])
  await end('e')
  expect(running).toEqual(['f'])
  await end('f')
  expect(running).toEqual(['G'])
  await end('G')
  expect(await Promise.all(all)).toEqual(['a', 'b', 'C', 'D', 'e', 'f', 'G'])
})

it('a run that fails frees the lock, and its caller gets the error', async () => {
  const { start, end, running } = open()
  const failed = expect(start('exclusive', 'A')).rejects.toThrow('A failed')
  const alsoFailed = expect(start('shared', 'b')).rejects.toThrow('b failed')
  void start('exclusive', 'C')
  await turn()
  await end('A', new Error('A failed'))
  await failed
  expect(running).toEqual(['b'])
  await end('b', new Error('b failed'))
  await alsoFailed
  expect(running).toEqual(['C'])
})

it('work for idle times begins when nothing else runs or waits, and ends before anything that is asked for then', async () => {
  const lock = fairLock()
  const events: string[] = []
  const held = Promise.withResolvers<void>()
  const cleared = Promise.withResolvers<void>()
  const idle = (name: string, signal = new AbortController().signal) =>
    lock.whenIdle(async (told) => {
      events.push(`${name} begins`)
      await new Promise((resolve) => told.addEventListener('abort', resolve, { once: true }))
      events.push(`${name} told: ${told.reason instanceof Preempted ? 'other work' : 'stop'}`)
      await cleared.promise
      events.push(`${name} ends`)
    }, signal)
  const first = lock('shared', () => held.promise)
  const waiting = idle('idle')
  await turn()
  expect(events).toEqual([])
  held.resolve()
  await first
  await turn()
  expect(events).toEqual(['idle begins'])
  const urgent = lock('shared', async () => void events.push('urgent'))
  const alone = lock('exclusive', async () => void events.push('alone'))
  await turn()
  expect(events).toEqual(['idle begins', 'idle told: other work'])
  cleared.resolve()
  await Promise.all([waiting, urgent, alone])
  expect(events.slice(2)).toEqual(['idle ends', 'urgent', 'alone'])
  // Two of them do not run beside each other, and one that waits ends with its signal.
  const stop = new AbortController()
  const running = idle('second', stop.signal)
  await expect(idle('third', AbortSignal.timeout(1))).rejects.toThrow('timeout')
  stop.abort()
  await running
  expect(events.slice(5)).toEqual(['second begins', 'second told: stop', 'second ends'])
})
