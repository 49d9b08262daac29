import { expect, test } from 'vitest'
import { bodyOf, isSame, moved, rowsOf, wrongOf } from './rows.ts'

const kept = [
  { id: 'pacing', label: 'Pacing' },
  { id: 'audio', label: 'Audio' },
  { id: 'brand', label: 'Brand' },
]

test('criteria rows move in both directions, and moving one back leaves nothing changed', () => {
  const rows = rowsOf(kept)
  const labels = (list: typeof rows) => list.map(({ label }) => label).join()
  expect(labels(moved(rows, 0, 2))).toBe('Audio,Brand,Pacing')
  expect(labels(moved(rows, 2, 1))).toBe('Pacing,Brand,Audio')
  expect(isSame(moved(rows, 0, 1), kept)).toBe(false)
  expect(isSame(moved(moved(rows, 0, 1), 1, 0), kept)).toBe(true)
})

test('criteria are sent trimmed and without ids for new ones, and empty or repeated labels are found', () => {
  const rows = [...rowsOf(kept.slice(0, 1)), { key: 'new-0', label: ' Hook ' }]
  expect(bodyOf(rows)).toEqual([{ id: 'pacing', label: 'Pacing' }, { label: 'Hook' }])
  expect([...wrongOf([...rows, { key: 'new-1', label: ' ' }, { key: 'new-2', label: 'PACING' }])]).toEqual([
    ['new-1', 'nameless'],
    ['new-2', 'twice'],
  ])
})
