import { expect, test } from 'vitest'
import { conditions } from '../main/conditions.ts'
import { areas, areaStates } from './status.ts'

const met = { ok: true, says: 'fine' }
const notWorking = (...parts: Parameters<typeof areaStates>[0]) =>
  areaStates(parts).flatMap(({ area, works }) => (works ? [] : [area]))

test('an area does not work while something it stands on is not ready, or waits', () => {
  expect(notWorking({ name: 'database', ...met }, { name: 'queue', ...met })).toEqual([])
  expect(notWorking({ name: 'database', ok: false, says: 'is away', why: 'Without it nothing works.' })).toEqual([
    'panel',
  ])
  expect(notWorking({ name: 'queue', ok: true, says: 'waits', why: 'Checks stand still.' })).toEqual([
    'editing',
    'messages',
  ])
  expect(notWorking({ name: 'sandbox', ok: true, says: 'none here', why: 'A hostile video could read keys.' })).toEqual(
    [],
  )
})

/** Conditions that no area stands on, and why. */
const ofNoArea: Record<string, string> = {
  production: 'a setting',
  address: 'a setting',
  proxy: 'a setting',
  demo: 'a setting',
  'stand-ins': 'a setting',
  secrets: 'a setting',
  files: 'who may read them on the machine',
  'given-up': 'one thing of one person, which the operator sends again',
  payments: 'a setting',
  push: 'a setting',
  metrics: 'for the operator',
  backup: 'for the operator',
}

test('every condition stands under an area, or says why it stands under none', () => {
  const known = new Set<string>([...Object.values(areas).flat(), ...Object.keys(ofNoArea)])
  expect(conditions.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([])
  const names = new Set(conditions.map(({ name }) => name))
  expect([...known].filter((name) => !names.has(name))).toEqual([])
})
