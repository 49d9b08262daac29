import { expect, test } from 'vitest'
import { inTime, other, pause, short, word } from '../../test/stretches.ts'
import { setAside, stretchesOf } from './stretches.ts'

const heard = (...list: [word: string, long: number][]) => {
  let at = 0
  return list.map(([name, long]) => ({ word: name, start: at, end: (at += long), score: -7 }))
}

test('consecutive off-script sounds are one stretch, fillers among them', () => {
  const list = stretchesOf(heard(['w0', 300], ['++AA++', 100], ['++UM++', 100], ['++L++', 100], ['w1', 300]))
  expect(short(list)).toBe('w0 [AA UM L] w1')
  expect(list[0]).toEqual({ kind: 'place', place: 0, score: -7, start: 0, end: 300 })
  expect(list[1]).toMatchObject({ start: 300, end: 600 })
})

test('consecutive silences are one silence', () => {
  expect(stretchesOf(heard(['<sil>', 100], ['<sil>', 50]))).toEqual([{ kind: 'silence', start: 0, end: 150 }])
})

test('a pause under 60 ms does not separate off-script sounds, and one of 60 ms does', () => {
  expect(short(stretchesOf(heard(['++AA++', 100], ['<sil>', 50], ['++L++', 100])))).toBe('[AA L]')
  expect(short(stretchesOf(heard(['++AA++', 100], ['<sil>', 60], ['++L++', 100])))).toBe('[AA] _ [L]')
  expect(short(stretchesOf(heard(['w0', 100], ['<sil>', 50], ['++L++', 100])))).toBe('w0 _ [L]')
})

test('a word that is set aside joins the off-script sounds beside it', () => {
  const list = inTime(word(0), word(7), other('L'), pause(), word(8))
  expect(short(setAside(list, new Set([list[1]!])))).toBe('w0 [? L] _ w8')
})
