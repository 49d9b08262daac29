import { createElement, useState } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { leftOf, useDraft, type Draft } from './draft.ts'

const device = new Map<string, string>()
beforeEach(() => {
  device.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => device.get(key) ?? null,
    setItem: (key: string, value: string) => void device.set(key, value),
    removeItem: (key: string) => void device.delete(key),
  })
})
afterEach(() => vi.unstubAllGlobals())

/** The form as it stands once `then` was chosen on a page that was opened for `officer`. */
const drawn = (officer: string | null, then = officer): ReturnType<typeof useDraft> => {
  let form: ReturnType<typeof useDraft> | undefined
  const Form = () => {
    const [chosen, choose] = useState(officer)
    form = useDraft('admin', chosen)
    if (chosen !== then) choose(then)
    return null
  }
  renderToString(createElement(Form))
  return form!
}
const keep = (officer: string, title: string) =>
  device.set(`draft admin for ${officer}`, JSON.stringify({ title, instructions: `About ${officer}` }))

it('words for one officer’s video stand neither at another officer’s nor at one’s own', () => {
  keep('anna', 'Rates')
  expect(drawn('anna').draft.title).toBe('Rates')
  expect([drawn('bert').draft.title, drawn(null).draft.title]).toEqual(['', ''])
})

it('an officer who is chosen on the page takes along what stands there, unless something was begun for them', () => {
  keep('anna', 'Rates')
  expect(drawn('anna', 'bert').draft.title).toBe('Rates')
  keep('anna', 'Rates')
  keep('carl', 'Of Carl')
  expect(drawn('anna', 'carl').draft.title).toBe('Of Carl')
  expect(device.get('draft admin for anna'), 'which stays where it was').toContain('Rates')
})

it('words that were written while a video was submitted stay, and the rest of its form is begun anew', () => {
  keep('anna', 'Rates')
  const { draft: pressed, sent } = drawn('anna')
  device.set('draft admin for anna', JSON.stringify({ ...pressed, instructions: 'More' }))
  sent(pressed)
  expect(JSON.parse(device.get('draft admin for anna')!)).toMatchObject({ title: '', instructions: 'More' })
  const left = { ...pressed, title: '', instructions: 'More' } satisfies Draft
  expect(leftOf(left, left)).toMatchObject({ title: '', instructions: '' })
  sent(left)
  expect(device.size).toBe(0)
})
