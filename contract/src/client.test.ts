import { expect, it } from 'vitest'
import { accounts } from './accounts.ts'
import { client } from './client.ts'

it('the client accepts an origin with or without a trailing slash', async () => {
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

it('a failed call carries the server’s message, the kind for its status, or the specified default message', async () => {
  const failed = (body: string, status: number) => {
    const fetch = (async () => new Response(body, { status })) as typeof globalThis.fetch
    return client({ origin: '', fetch })(accounts.info, {}).catch((error: unknown) => error)
  }
  expect(await failed('{"message":"No seat is left","kind":"conflict","code":"tenant.full"}', 409)).toMatchObject({
    message: 'No seat is left',
    code: 'tenant.full',
  })
  for (const body of ['{}', '{"message":""}', 'null'])
    expect(await failed(body, 500)).toMatchObject({ message: 'Unexpected error occurred' })
  for (const body of ['', '<h1>Bad gateway</h1>'])
    expect(await failed(body, 502)).toMatchObject({ message: 'Unknown error', kind: 'unexpected' })
  for (const [status, kind] of [
    [409, 'conflict'],
    [400, 'invalid-argument'],
    [404, 'not-found'],
    [401, 'unauthorized'],
    [403, 'forbidden'],
  ] as const)
    expect(await failed('{}', status)).toMatchObject({ kind })
})
