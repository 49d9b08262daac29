import { expect, test } from 'vitest'
import { criteriaLimits, feedbackCriteria, labelled, numbered } from './feedback.ts'

test('a new criterion is named after its label, an old one keeps its id under any label', () => {
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

test('a denial takes the list’s labels, for what is on it alone', () => {
  const list = [{ id: 'pacing', label: 'Rhythm' }]
  expect(labelled(list, [{ id: 'pacing', label: 'Pacing', score: 3 }])).toEqual({
    scores: [{ id: 'pacing', label: 'Rhythm', score: 3 }],
  })
  expect(labelled(list, [{ id: 'pacing' }, { id: 'audio' }])).toEqual({ unknown: 1 })
  expect(labelled(list, [{ id: 'audio' }])).toEqual({ unknown: 0 })
})
