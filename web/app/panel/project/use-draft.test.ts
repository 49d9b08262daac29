import { createElement, useState } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useScriptDraft } from '../record/script-draft.ts'
import { useDraft, writtenSince } from './use-draft.ts'

/** Drafts, hooks and all, with a tab whose storage may be full. Each is drawn once; what is set while it is drawn draws it anew. */
const tab = new Map<string, string>()
let isFull = false
beforeEach(() => {
  tab.clear()
  isFull = false
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => tab.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (isFull) throw new DOMException('Full', 'QuotaExceededError')
      tab.set(key, value)
    },
    removeItem: (key: string) => void tab.delete(key),
  })
})
afterEach(() => vi.unstubAllGlobals())

/** What a component answers when it is drawn. */
const drawn = <T>(hook: () => T): T => {
  let last: T | undefined
  const One = () => {
    last = hook()
    return null
  }
  renderToString(createElement(One))
  return last!
}
const keep = (of: string, value: unknown) => tab.set(`written anna ${of}`, JSON.stringify(value))

it('a draft whose key becomes that of another thing takes what is kept of that one, or its beginning', () => {
  keep('cut 1', 'Words for cut 1')
  const [words, begun] = ['cut 2', 'cut 3'].map((next) =>
    drawn(() => {
      const [of, setOf] = useState('cut 1')
      const [value] = useDraft(of, `Beginning of ${of}`, 'anna')
      if (of === 'cut 1') setOf(next)
      if (next === 'cut 2') keep('cut 2', 'Words for cut 2')
      return value
    }),
  )
  expect([words, begun]).toEqual(['Words for cut 2', 'Beginning of cut 3'])
  expect(tab.get('written anna cut 1')).toBe('"Words for cut 1"')
})

it('a draft is kept as it is written, and dropped when nothing of it is left', () => {
  const [, write, , forget] = drawn(() => useDraft('one', '', 'anna'))
  write('Begun')
  expect(tab.get('written anna one')).toBe('"Begun"')
  expect(drawn(() => useDraft('one', '', 'anna'))[0]).toBe('Begun')
  write('')
  expect(tab.size).toBe(0)
  write('Again')
  forget()
  expect(tab.size).toBe(0)
})

it('a draft that the browser cannot keep stands until the page is left', () => {
  keep('full', 'Old')
  isFull = true
  const [, write, sent] = drawn(() => useDraft('full', '', 'anna'))
  write('Written since')
  expect(drawn(() => useDraft('full', '', 'anna'))[0]).toBe('Written since')
  expect(sent('Written since')).toBeNull()
  expect(drawn(() => useDraft('full', '', 'anna'))[0]).toBe('')
})

it('a draft that was sent goes, and words that were written since the press stay', () => {
  const first = drawn(() => useDraft('one', '', 'anna'))
  first[1]('Sent.')
  const atPress = drawn(() => useDraft('one', '', 'anna'))
  // Written on while the answer is awaited: the form that hears it is the one that was pressed.
  first[1]('Sent. And more.')
  expect(atPress[2]('Sent.')).toBe('Sent. And more.')
  expect(tab.get('written anna one')).toBe('"Sent. And more."')
  expect(atPress[2]('Sent.', writtenSince)).toBe('And more.')
  expect(tab.get('written anna one')).toBe('"And more."')
  expect(atPress[2]('And more.')).toBeNull()
  expect(tab.size).toBe(0)
})

it('words that were deleted while they were sent are sent, and nothing stays', () => {
  const [, write, sent] = drawn(() => useDraft('one', { words: '' }, 'anna'))
  write({ words: 'Sent' })
  write((now) => ({ words: `${now.words} twice` }))
  expect(tab.get('written anna one')).toBe('{"words":"Sent twice"}')
  const [blank] = drawn(() => useDraft('two', 'As it was', 'anna'))
  expect(drawn(() => useDraft('two', blank, 'anna'))[2]('Changed and sent')).toBeNull()
  expect(sent({ words: 'Sent twice' })).toBeNull()
  expect(tab.size).toBe(0)
})

it('of a message the words that follow those that went are left, and all of them where these were changed', () => {
  expect(writtenSince('First.\n\nSecond.', 'First.\n')).toBe('Second.')
  expect(writtenSince('First.', 'First. ')).toBe('')
  expect(writtenSince('The first.', 'First.')).toBe('The first.')
  expect(writtenSince('', 'First.')).toBe('')
})

it('of a message that was written anew while another went nothing is taken away, also where both begin alike', () => {
  expect(writtenSince('Yesterday we agreed on blue.', 'Yes')).toBe('Yesterday we agreed on blue.')
  expect(writtenSince('Yes, but blue.', 'Yes ')).toBe('Yes, but blue.')
  expect(writtenSince('Introduction', 'Intro')).toBe('Introduction')
  // Gone on with after a space or on a new line.
  expect(writtenSince('Yes And in blue.', 'Yes')).toBe('And in blue.')
  expect(writtenSince('Yes\nAnd in blue.', 'Yes')).toBe('And in blue.')
})

it('a script that was begun to be changed does not stand in the place of another', () => {
  const [, write] = drawn(() => useScriptDraft('Rates fell.', 'anna'))
  write('Rates fell again.')
  expect(drawn(() => useScriptDraft('Rates fell.', 'anna'))[0]).toBe('Rates fell again.')
  expect(drawn(() => useScriptDraft('Another script.', 'anna'))[0]).toBe('Another script.')
})
