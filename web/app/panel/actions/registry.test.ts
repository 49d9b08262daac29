import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { panelActionsOf, roomsOf } from '@clear-to-post/domain/panel'
import { paths } from '../../paths.ts'
import { matching } from '../edits/matching.ts'
import { entriesOf } from '../entries.ts'
import { commandsOf } from './registry.ts'

const company = '00000000-0000-4000-8000-000000000001'
const visitor = (actor: Parameters<typeof roomsOf>[0]) => ({ rooms: roomsOf(actor), actions: panelActionsOf(actor) })
const everybody = (['User', 'Editor', 'QA', 'ADMIN'] as const).flatMap((role) =>
  [null, company].map((tenantId) => visitor({ role, tenantId })),
)

it('every room of every person is reached by two keys, and no two things have the same', () => {
  for (const { rooms, actions } of everybody) {
    const commands = commandsOf({ rooms, actions })
    const pressed = commands.map(({ keys }) => keys.join(' ')).filter((keys) => keys !== '')
    expect(
      entriesOf({ rooms, actions }).filter(({ to }) => !commands.find(({ id }) => id === to)?.keys.length),
    ).toEqual([])
    expect(new Set(pressed).size).toBe(pressed.length)
    expect(new Set(commands.map(({ id }) => id)).size).toBe(commands.length)
    expect(commands.filter(({ to }) => to).length).toBeGreaterThanOrEqual(rooms.length)
  }
})

it('nobody is offered a room that is not theirs', () => {
  const labels = commandsOf(visitor({ role: 'Editor', tenantId: null })).map(({ label }) => label)
  expect(labels).toContain('Go to My work')
  expect(labels).not.toContain('Go to People')
})

it('the service’s ADMIN goes to companies, and a company’s to theirs', () => {
  const labelsOf = (tenantId: string | null) =>
    commandsOf(visitor({ role: 'ADMIN', tenantId })).map(({ label }) => label)
  expect(labelsOf(null)).toContain('Go to Companies')
  expect(labelsOf(company)).toContain('Go to Company')
  expect(labelsOf(company)).not.toContain('Go to Companies')
})

const walk = readFileSync(join(import.meta.dirname, '../../../../e2e/panel-pages.ts'), 'utf8')
const walkedAs = {
  officer: visitor({ role: 'User', tenantId: null }),
  editor: visitor({ role: 'Editor', tenantId: null }),
  qa: visitor({ role: 'QA', tenantId: null }),
  admin: visitor({ role: 'ADMIN', tenantId: null }),
  company: visitor({ role: 'ADMIN', tenantId: company }),
}
it('each page that a person of the journeys opens is found by them, and each page of the panel by somebody', () => {
  for (const [who, person] of Object.entries(walkedAs)) {
    const [, list = ''] = walk.match(new RegExp(`\\n  ${who}: \\[([^\\]]*)\\]`)) ?? []
    const pages = new Set([...list.matchAll(/'(\/panel[^'?]*)/g)].map(([, path]) => path!))
    expect(pages.size, who).toBeGreaterThan(2)
    const found = new Set(commandsOf(person).map(({ to }) => to))
    expect(
      [...pages].filter((path) => !found.has(path)),
      who,
    ).toEqual([])
  }
  const anybodys = new Set(everybody.flatMap((person) => commandsOf(person).map(({ to }) => to)))
  const pages = Object.values(paths).filter((path) => path.startsWith('/panel') && !path.includes('$'))
  expect(pages.length).toBeGreaterThan(30)
  expect(pages.filter((path) => !anybodys.has(path))).toEqual([])
})

it('a page is found by the head that stands on it, where its room has another name', () => {
  const found = (text: string) => matching(commandsOf(walkedAs.admin), text).map(({ to }) => to)
  expect(found('how are we')).toEqual([paths.reports])
  expect(found('given up')).toEqual([paths.givenUp])
  expect(found('api')).toEqual([paths.apiKeys])
  expect(found('passkeys')).toEqual([`${paths.profile}#security`])
  for (const person of [walkedAs.officer, walkedAs.company])
    expect(matching(commandsOf(person), 'profile and brand')[0]?.to).toBe(paths.profile)
  // Rooms come before what is within them.
  expect(found('p')[0]).toBe(paths.people)
  expect(found('profile')[0]).toBe(paths.profile)
})

it('a page is found by words for what stands on it, by whom it belongs to', () => {
  const foundBy = (person: keyof typeof walkedAs, text: string) =>
    matching(commandsOf(walkedAs[person]), text).map(({ to }) => to)
  expect(foundBy('admin', 'coupon')).toContain(paths.catalogue)
  expect(foundBy('admin', 'price')).toContain(paths.catalogue)
  expect(foundBy('company', 'hours')).toContain(paths.goals)
  expect(foundBy('company', 'set up')).toContain(paths.tenants)
  expect(foundBy('editor', 'hours')).toContain(`${paths.profile}#hours`)
  expect(foundBy('editor', 'coupon')).toEqual([])
})
