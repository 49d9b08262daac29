import { expect, test } from 'vitest'
import { criteriaLimits, feedbackCriteria, labelled, numbered } from './feedback.ts'

test('a new criterion gets an id made from its label, and an existing one keeps its id when its label changes', () => {
  const wanted = [{ id: 'pacing', label: 'Rhythm' }, { label: 'Pacing' }, { label: 'Hook, first 3 s' }, { label: '→' }]
  const criteria = [
    { id: 'pacing', label: 'Rhythm' },
    { id: 'pacing-2', label: 'Pacing' },
    { id: 'hook-first-3-s', label: 'Hook, first 3 s' },
    { id: 'criterion', label: '→' },
  ]
  expect(numbered(feedbackCriteria, wanted)).toEqual({ criteria })
  expect(
    numbered(feedbackCriteria, [
      { id: 'audio', label: 'Audio' },
      { id: 'hook', label: 'Hook' },
    ]),
  ).toEqual({
    unknown: 1,
  })
  expect(numbered(feedbackCriteria, [{ id: 'hook', label: 'Hook' }])).toEqual({ unknown: 0 })
  const long = numbered(
    [],
    Array.from({ length: 20 }, () => ({ label: 'a'.repeat(60) })),
  )
  const ids = 'criteria' in long ? long.criteria.map(({ id }) => id) : []
  expect(new Set(ids).size).toBe(20)
  expect(Math.max(...ids.map((id) => id.length))).toBeLessThanOrEqual(criteriaLimits.label)
})

test('the scores of a denial take their labels from the list, and an id that is not on the list is refused', () => {
  const list = [{ id: 'pacing', label: 'Rhythm' }]
  expect(labelled(list, [{ id: 'pacing', label: 'Pacing', score: 3 }])).toEqual({
    scores: [{ id: 'pacing', label: 'Rhythm', score: 3 }],
  })
  expect(labelled(list, [{ id: 'pacing' }, { id: 'audio' }])).toEqual({ unknown: 1 })
  expect(labelled(list, [{ id: 'audio' }])).toEqual({ unknown: 0 })
})
