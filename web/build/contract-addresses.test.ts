import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { api } from '@clear-to-post/contract/api'
import { addressesOf } from './contract-addresses.ts'

const contract = join(import.meta.dirname, '../../contract/src')

it.each(Object.entries(api))(
  'the browser bundle contains method and address of every call of %s, and nothing else',
  async (room, calls) => {
    const holder = Object.values(roomFiles).find((values) => values[room] === calls)
    const browser = await moduleFrom(addressesOf(holder!)!)
    const whole = (calls: object) =>
      Object.fromEntries(Object.entries(calls).map(([name, { method, path, base }]) => [name, { method, path, base }]))
    expect(browser[room]).toEqual(whole(calls))
    for (const call of Object.values(browser[room] as object))
      expect(Object.keys(call).filter((key) => !['method', 'path', 'base'].includes(key))).toEqual([])
  },
)

it('a contract file with functions is bundled unchanged, and schemas are left out', async () => {
  expect(addressesOf({ send: () => {} })).toBe(null)
  const browser = await moduleFrom(addressesOf(roomFiles['identity']!)!)
  expect(browser['providers']).toEqual(roomFiles['identity']!['providers'])
  expect(addressesOf(roomFiles['failure']!)).toBe('')
  expect(addressesOf(roomFiles['live']!)).not.toContain('liveEvents')
})

const roomFiles: Record<string, Record<string, unknown>> = Object.fromEntries(
  await Promise.all(
    globSync('*.ts', { cwd: contract })
      .filter((file) => !file.includes('.test.'))
      .map(async (file) => [basename(file, '.ts'), await import(join(contract, file))]),
  ),
)

const moduleFrom = (code: string): Promise<Record<string, unknown>> =>
  import(`data:text/javascript,${encodeURIComponent(code)}`)
