import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { leftOf, openForm, useDraft, type Draft } from './draft.ts'

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

const keep = (officer: string, title: string) =>
  device.set(`draft admin for ${officer}`, JSON.stringify({ title, instructions: `About ${officer}` }))
const opened = (officer: string | null) => openForm('admin', officer)
const titleAt = (officer: string | null) => opened(officer).held().draft.title

it('words for one officer’s video stand neither at another officer’s nor at one’s own', () => {
  keep('anna', 'Rates')
  expect([titleAt('anna'), titleAt('bert'), titleAt(null)]).toEqual(['Rates', '', ''])
})

it('an officer who is chosen on the page takes along what stands there, unless something was begun for them', () => {
  keep('anna', 'Rates')
  const form = opened('anna')
  form.chooseOfficer('bert')
  expect(form.held()).toMatchObject({ officerId: 'bert', draft: { title: 'Rates' } })
  expect([titleAt('anna'), titleAt('bert')]).toEqual(['', 'Rates'])
  keep('carl', 'Of Carl')
  form.chooseOfficer('carl')
  expect(form.held().draft.title).toBe('Of Carl')
  expect(titleAt('bert'), 'which stays where it was').toBe('Rates')
})

it('a form that is drawn keeps nothing: only a change does', () => {
  let form: ReturnType<typeof useDraft> | undefined
  const Form = () => {
    form = useDraft('admin')
    return null
  }
  renderToString(createElement(Form))
  expect([form!.isBegun, device.size]).toEqual([false, 0])
  form!.change({ title: 'Rates', tour: { beds: '3' } })
  renderToString(createElement(Form))
  expect([form!.isBegun, form!.draft]).toMatchObject([true, { title: 'Rates', tour: { beds: '3', baths: '' } }])
  form!.change({ title: '', tour: { beds: '' } })
  expect(device.size, 'what was deleted again').toBe(0)
})

it('a form that was submitted is sent as it stands in its tab, and what another one wrote for the next video stays', () => {
  const [one, next] = [opened('anna'), opened('anna')]
  one.change({ title: 'Video one', tour: { beds: '3' } })
  one.submitted()
  next.look()
  next.change({ title: 'Video two', instructions: 'For next week', tour: { beds: '' } })
  one.look()
  expect(one.held().draft).toMatchObject({ title: 'Video one', instructions: '', tour: { beds: '3' } })
  // What is still changed where it waits goes with it, and takes nothing else from the other.
  one.change({ captionSuggestion: 'Rates' })
  next.look()
  expect(next.held().draft).toMatchObject({
    title: 'Video two',
    instructions: 'For next week',
    captionSuggestion: 'Rates',
  })
  const pressed = one.held().draft
  expect(pressed).toMatchObject({ title: 'Video one', instructions: '', captionSuggestion: 'Rates' })
  one.sent(pressed)
  next.look()
  expect(next.held().draft).toMatchObject({ title: 'Video two', instructions: 'For next week', captionSuggestion: '' })
  expect(one.held().draft.title).toBe('Video two')
})

it('words that were written while a video was submitted stay, and the rest of its form is begun anew', () => {
  keep('anna', 'Rates')
  const { held, change, sent } = opened('anna')
  const pressed = held().draft
  change({ instructions: 'More' })
  sent(pressed)
  expect(JSON.parse(device.get('draft admin for anna')!)).toMatchObject({ title: '', instructions: 'More' })
  expect(held().draft).toMatchObject({ title: '', instructions: 'More' })
  const left = { ...pressed, title: '', instructions: 'More' } satisfies Draft
  expect(leftOf(left, left)).toMatchObject({ title: '', instructions: '' })
  sent(left)
  expect(device.size).toBe(0)
})
