import { expect, test } from 'vitest'
import { notes } from '@clear-to-post/contract/notes'
import { answeredPerMinute, writesPerMinute } from '@clear-to-post/domain/most-kept'
import type { Scope } from '@clear-to-post/domain/scopes'
import { outcome } from '../../test/service.ts'
import { boundAnswers } from './answered.ts'
import { keysConnections, ownConnections, personsTurns } from './turns.ts'
import { boundWrites } from './written.ts'

const owner = { id: 'officer', role: 'User' as const, tenantId: null, securityStamp: 1 }
const byKey = (id: string) => ({ ...owner, key: { id, scopes: [] as Scope[] } })

test('writes by a person’s keys count together, and leave the person their own', async () => {
  const requireWritable = boundWrites({ limits: true, hasRoom: async () => true })
  const write = (who: typeof owner) => outcome(requireWritable(notes.save, who, 2))
  for (let n = 0; n < writesPerMinute; n++) await write(byKey(`${n % 2}`))
  expect([await write(byKey('0')), await write(byKey('another')), await write(owner)]).toEqual([
    'request.too-many',
    'request.too-many',
    'done',
  ])
})

test('answers to a person’s keys leave the person their own', () => {
  const { require, count } = boundAnswers({ limits: true })
  count(byKey('0'), answeredPerMinute)
  expect(() => require(byKey('another'))).toThrow('Too many requests')
  require(owner)
})

test('programs that call by a person’s keys have two connections, and leave the person their five', async () => {
  const inTurn = personsTurns()
  const { promise, resolve } = Promise.withResolvers<void>()
  const begun: string[] = []
  const call = (who: typeof owner, name: string) =>
    inTurn(who, () => {
      begun.push(name)
      return promise
    })
  const calls = [
    ...Array.from({ length: 40 }, (_, n) => call(byKey(`${n % 3}`), 'program')),
    ...Array.from({ length: 6 }, () => call(owner, 'person')),
  ]
  await Promise.resolve()
  expect(begun.filter((name) => name === 'program')).toHaveLength(keysConnections)
  expect(begun.filter((name) => name === 'person')).toHaveLength(ownConnections)
  resolve()
  await Promise.all(calls)
})
