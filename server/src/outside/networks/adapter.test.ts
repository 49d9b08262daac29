import { expect, it } from 'vitest'
import { openAsk, requireDone, RefusedByNetwork, SilentNetwork, type Answer } from './adapter.ts'

const answer = (status: number, text = '{"error":{"code":-1,"message":"Try again"}}'): Answer => ({
  status,
  text,
  headers: new Headers(),
  json: () => JSON.parse(text),
})

it('an answer that may come after the work was done is silence, whatever code of its own the network names', () => {
  for (const status of [500, 502, 503, 504, 408])
    expect(() => requireDone(answer(status), () => 'retry')).toThrow(SilentNetwork)
  for (const status of [400, 401, 403, 429]) expect(() => requireDone(answer(status))).toThrow(RefusedByNetwork)
  expect(requireDone(answer(201)).status).toBe(201)
})

it('an address that people gave is asked by https alone, and never one of this machine or a network of its own', async () => {
  let asked = 0
  const ask = openAsk({ fetch: () => Promise.resolve(new Response(String(++asked))) })
  for (const address of ['http://example.com/x', 'https://127.0.0.1/x', 'https://192.168.0.1/x', 'https://localhost/x'])
    await expect(ask(address, { isGiven: true }), address).rejects.toThrow(SilentNetwork)
  expect(asked).toBe(0)
  expect((await ask('http://127.0.0.1/x')).status).toBe(200)
})
