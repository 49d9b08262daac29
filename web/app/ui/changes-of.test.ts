import { expect, test } from 'vitest'
import { changesOf, partsApart, takenBack } from './changes-of.ts'

const from = { title: 'Rates', tags: ['rates'], active: true }

test('of a form the changed parts alone are sent, with what each of them was', () => {
  expect(changesOf({ ...from, tags: ['rates', 'homes'] }, from)).toEqual({
    tags: ['rates', 'homes'],
    was: { tags: ['rates'] },
  })
  expect(changesOf({ ...from, tags: ['rates'] }, from)).toBeUndefined()
})

test('a part that somebody else changed is sent with what it says now, once that is in sight', () => {
  const now = { ...from, title: 'Rates today' }
  expect(partsApart(now, from)).toEqual(['title'])
  expect(changesOf({ ...from, title: 'Rates in May' }, from, now)).toEqual({
    title: 'Rates in May',
    was: { title: 'Rates today' },
  })
  expect(changesOf({ ...from, active: false }, from, now)).toEqual({ active: false, was: { active: true } })
})

test('a change is taken back in its own parts alone, whatever else has changed since', () => {
  const changes = changesOf({ ...from, tags: ['homes'] }, from)!
  expect(takenBack(changes, { ...from, title: 'Theirs', tags: ['homes', 'kept'] })).toEqual({
    tags: ['rates'],
    was: { tags: ['homes', 'kept'] },
  })
})
