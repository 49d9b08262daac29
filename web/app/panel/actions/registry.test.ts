import { expect, it } from 'vitest'
import { roomsOf } from '@clear-to-post/domain/panel'
import { commandsOf } from './registry.ts'

const everybody = (['User', 'Editor', 'QA', 'ADMIN'] as const).flatMap((role) =>
  [null, '00000000-0000-4000-8000-000000000001'].map((tenantId) => roomsOf({ role, tenantId })),
)

it('every room of every person is reached by two keys, and no two things have the same', () => {
  for (const rooms of everybody) {
    const commands = commandsOf({ rooms })
    const pressed = commands.map(({ keys }) => keys.join(' '))
    expect(pressed.filter((keys) => keys === '')).toEqual([])
    expect(new Set(pressed).size).toBe(pressed.length)
    expect(new Set(commands.map(({ id }) => id)).size).toBe(commands.length)
    expect(commands.filter(({ to }) => to).length).toBeGreaterThanOrEqual(rooms.length)
  }
})

it('nobody is offered a room that is not theirs', () => {
  const labels = commandsOf({ rooms: roomsOf({ role: 'Editor', tenantId: null }) }).map(({ label }) => label)
  expect(labels).toContain('Go to My work')
  expect(labels).not.toContain('Go to People')
})
