import { expect, onTestFinished, test } from 'vitest'
import { scripts } from '@clear-to-post/contract/scripts'
import { answeredPerMinute } from '@clear-to-post/domain/most-kept'
import { callAs, makePerson, openService, outcome } from '../../test/service.ts'
import { boundAnswers } from './answered.ts'

test('a person is answered so many bytes in a minute, and others go on', () => {
  let now = 0
  const { require, count } = boundAnswers({ limits: true, now: () => now })
  const [one, other] = [{ id: 'a' }, { id: 'b' }]
  count(one, answeredPerMinute - 1)
  require(one)
  now = 59_000
  count(one, 1)
  expect(() => require(one)).toThrow('Too many requests')
  require(other)
  count(other, 1)
  now = 60_001
  require(one)
  count(one, 10)
  const unlimited = boundAnswers({ limits: false })
  unlimited.count(one, answeredPerMinute)
  unlimited.require(one)
})

test('all that a person reads by calls counts, and nothing more is answered when it was enough', async () => {
  const service = await openService({ SEED: 'none' }, undefined, { limits: true })
  onTestFinished(service.close)
  const [one, other] = [await makePerson(service, 'User'), await makePerson(service, 'User')]
  const text = '山'.repeat(10_000)
  for (let n = 0; n < 90; n++)
    await callAs(service, one)(scripts.create, { body: { title: `${n}`, content: text, tags: [] } })
  const read = (person: typeof one) => outcome(callAs(service, person)(scripts.list, { query: { perPage: '100' } }))
  const answers: string[] = []
  // Each is 2.7 megabytes, of three bytes a letter.
  for (let n = 0; n < 25; n++) answers.push(await read(one))
  expect([answers[0], answers.at(-1)]).toEqual(['done', 'request.too-many'])
  expect(await read(other)).toBe('done')
})
