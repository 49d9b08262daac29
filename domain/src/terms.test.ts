import { expect, test } from 'vitest'
import { areOfToday, dueTerms, termsDocuments, termsVersions } from './terms.ts'

const today = termsDocuments.map((document) => ({ document, version: termsVersions[document] }))

test('a document is due until its words of today are agreed to', () => {
  expect(dueTerms([])).toEqual(['terms', 'privacy'])
  expect(dueTerms([{ document: 'terms', version: '2020-01-01' }, today[1]!])).toEqual(['terms'])
  expect(dueTerms(today)).toEqual([])
})

test('older words are not those of today', () => {
  expect(areOfToday(today)).toBe(true)
  expect(areOfToday([...today, { document: 'privacy', version: '2020-01-01' }])).toBe(false)
})
