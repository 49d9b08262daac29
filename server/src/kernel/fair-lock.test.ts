import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { fairLock } from './fair-lock.ts'

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
