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
  const left = stillLeft({ role: 'QA', company: 'a-lending' }, [
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
  const [invited, write, clear] = opened('a-lending')
  write({ ...invited, written: 'anna@a.test' })
  expect(stillLeft(invited, [{ line: 'anna@a.test', error: null }])).toBeNull()
  clear()
  expect(opened('a-lending')[0].written).toBe('')
})
