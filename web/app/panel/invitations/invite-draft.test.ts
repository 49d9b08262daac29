import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { stillLeft, useInvited } from './invite-draft.ts'

const tab = new Map<string, string>()
beforeEach(() => {
  tab.clear()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => tab.get(key) ?? null,
    setItem: (key: string, value: string) => void tab.set(key, value),
    removeItem: (key: string) => void tab.delete(key),
  })
})
afterEach(() => vi.unstubAllGlobals())

/** The form as it is opened for a company. */
const opened = (company: string): ReturnType<typeof useInvited> => {
  let form: ReturnType<typeof useInvited> | undefined
  const Form = () => {
    form = useInvited(company, 'anna')
    return null
  }
  renderToString(createElement(Form))
  return form!
}

it('addresses that were refused for one company do not stand in the form of another', () => {
  const [, write] = opened('a-lending')
  const asked = { role: 'QA', company: 'a-lending', lines: ['anna@a.test', 'bert@a.test'] } as const
  const left = stillLeft({ ...asked, written: 'anna@a.test\nbert@a.test', left: [] }, asked, [
    { line: 'anna@a.test', error: null },
    { line: 'bert@a.test', error: 'No seat is free.' },
  ])
  write(left!)
  expect(opened('b-bank')[0]).toEqual({ written: '', role: 'User', company: 'b-bank', left: [] })
  expect(opened('a-lending')[0], 'with its role and its reason').toEqual({
    written: 'bert@a.test',
    role: 'QA',
    company: 'a-lending',
    left: [{ line: 'bert@a.test', error: 'No seat is free.' }],
  })
})

it('a role that was chosen for no address is not chosen the next time', () => {
  const [invited, write] = opened('a-lending')
  write({ ...invited, role: 'ADMIN', written: 'anna@a.test' })
  expect(opened('a-lending')[0].role).toBe('ADMIN')
  write({ ...invited, role: 'ADMIN', written: ' ' })
  expect(opened('a-lending')[0].role).toBe('User')
})

it('an invitation is begun anew once all of it was sent', () => {
  const [begun, write, sent] = opened('a-lending')
  const invited = { ...begun, written: 'anna@a.test' }
  write(invited)
  const answered = [{ line: 'anna@a.test', error: null }]
  expect(sent(invited, (now) => stillLeft(now, { ...invited, lines: ['anna@a.test'] }, answered))).toBeNull()
  expect(opened('a-lending')[0].written).toBe('')
})

it('an address that was written while others were sent stays, with the company that is chosen for it', () => {
  const now = { written: 'anna@a.test\ncarl@b.test', role: 'QA', company: 'b-bank', left: [] } as const
  const sent = { role: 'User', company: 'a-lending', lines: ['anna@a.test'] } as const
  expect(stillLeft({ ...now, left: [] }, sent, [{ line: 'anna@a.test', error: null }])).toEqual({
    ...now,
    written: 'carl@b.test',
  })
  const refused = [{ line: 'anna@a.test', error: 'No seat is free.' }]
  expect(stillLeft({ ...now, left: [] }, sent, refused), 'beside one that was refused').toEqual({
    written: 'anna@a.test\ncarl@b.test',
    role: 'User',
    company: 'a-lending',
    left: [{ line: 'anna@a.test', error: 'No seat is free.' }],
  })
})
