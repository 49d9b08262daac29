import { setImmediate as tick } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { seeded, seedOfRun } from '../../test/random.ts'
import { FairTurns } from './fair-turns.ts'

it('no more than the allowed number run at once, and every task gets its turn', async () => {
  const random = seeded(seedOfRun())
  const turns = new FairTurns(3)
  let atWork = 0
  let most = 0
  let done = 0
  const work = async () => {
    most = Math.max(most, ++atWork)
    for (let n = random.whole(0, 4); n > 0; n--) await tick()
    atWork--
    done++
    if (done % 7 === 0) throw new Error('a disk that failed')
  }
  const all = Array.from({ length: 500 }, (_, n) => turns.take(`owner ${n % 11}`, work).catch(() => {}))
  await Promise.all(all)
  expect({ most, done, left: turns.taken }).toEqual({ most: 3, done: 500, left: 0 })
})

it('an owner with fifty uploads does not delay the single upload of another', async () => {
  const turns = new FairTurns(2)
  const order: string[] = []
  const upload = async (owner: string, pieces: number) => {
    for (let n = 0; n < pieces; n++)
      await turns.take(owner, async () => {
        await tick()
        order.push(owner)
      })
  }
  const busy = Promise.all(Array.from({ length: 50 }, () => upload('busy', 20)))
  await tick()
  await upload('single', 20)
  // Between two turns of the single one the busy one had a few, not fifty.
  const own = order.flatMap((owner, at) => (owner === 'single' ? [at] : []))
  expect(own).toHaveLength(20)
  expect(own.every((at, n) => n === 0 || at - own[n - 1]! <= 6)).toBe(true)
  await busy
})

it('where as many wait as may, one more takes the place of the last of whoever waits for most', async () => {
  const turns = new FairTurns(1, 4)
  const held = Promise.withResolvers<void>()
  const first = turns.take('busy', () => held.promise)
  const order: string[] = []
  const ask = (owner: string, name: string) =>
    turns
      .take(owner, async () => {
        order.push(name)
      })
      .catch((error: { code?: string }) => {
        order.push(`${name} ${error.code}`)
      })
  const asked = [
    ...['a', 'b', 'c', 'd', 'e'].map((name) => ask('busy', name)),
    ask('honest', 'f'),
    ask('other', 'g'),
    ask('third', 'h'),
    // Each waits for one: nobody gives it up.
    ask('fourth', 'i'),
  ]
  await tick()
  expect(order.toSorted()).toEqual(['b', 'c', 'd', 'e', 'i'].map((name) => `${name} service.unavailable`))
  held.resolve()
  await Promise.all([first, ...asked])
  expect([order.slice(5), turns.taken]).toEqual([['a', 'f', 'g', 'h'], 0])
})
