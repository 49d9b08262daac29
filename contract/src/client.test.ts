import { expect, it } from 'vitest'
import { accounts } from './accounts.ts'
import { client } from './client.ts'

it('an origin may end in a slash', async () => {
  const asked: string[] = []
  const fetch = (async (address: string) => {
    asked.push(address)
    return Response.json({})
  }) as typeof globalThis.fetch
  for (const origin of ['', '/', 'https://clear.example', 'https://clear.example/'])
    await client({ origin, fetch })(accounts.info, {})
  const path = '/api/accounts/user/info'
  expect(asked).toEqual([path, path, `https://clear.example${path}`, `https://clear.example${path}`])
})
