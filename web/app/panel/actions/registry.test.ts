import { expect, it } from 'vitest'
import { panelActionsOf, roomsOf } from '@clear-to-post/domain/panel'
import { commandsOf } from './registry.ts'

const company = '00000000-0000-4000-8000-000000000001'
const visitor = (actor: Parameters<typeof roomsOf>[0]) => ({ rooms: roomsOf(actor), actions: panelActionsOf(actor) })
const everybody = (['User', 'Editor', 'QA', 'ADMIN'] as const).flatMap((role) =>
  [null, company].map((tenantId) => visitor({ role, tenantId })),
)

it('every room of every person is reached by two keys, and no two things have the same', () => {
  for (const { rooms, actions } of everybody) {
    const commands = commandsOf({ rooms, actions })
    const pressed = commands.map(({ keys }) => keys.join(' '))
    expect(pressed.filter((keys) => keys === '')).toEqual([])
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
