import { expect, it } from 'vitest'
import { ownConnections, personsTurns } from './turns.ts'

const slow = () => {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  return { work: () => promise, resolve, reject }
}

it('one person has a few calls running, the others wait in their order, and nobody else waits for them', async () => {
  const inTurn = personsTurns()
  const [one, other] = [{ id: 'one' }, { id: 'other' }]
  const calls = Array.from({ length: ownConnections + 2 }, slow)
  const begun: number[] = []
  const ends = calls.map(({ work }, i) =>
    inTurn(one, () => {
      begun.push(i)
      return work()
    }),
  )
  await Promise.resolve()
  expect(begun).toEqual([0, 1, 2, 3, 4])
  expect(await inTurn(other, async () => 'answered')).toBe('answered')
  // One that fails makes room as one that ends.
  calls[1]!.reject(new Error('no'))
  await expect(ends[1]).rejects.toThrow('no')
  expect(begun).toEqual([0, 1, 2, 3, 4, 5])
  for (const { resolve } of calls) resolve('done')
  expect(await Promise.all([...ends.slice(0, 1), ...ends.slice(2)])).toEqual(Array(6).fill('done'))
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(await inTurn(one, async () => 'again')).toBe('again')
})

it('a person with two hundred calls waiting is told to slow down', async () => {
  const inTurn = personsTurns()
  const { work, resolve } = slow()
  const all = Array.from({ length: ownConnections + 200 }, () => inTurn({ id: 'one' }, work))
  await expect(inTurn({ id: 'one' }, work)).rejects.toMatchObject({ code: 'request.too-many' })
  resolve('done')
  expect(new Set(await Promise.all(all))).toEqual(new Set(['done']))
})
