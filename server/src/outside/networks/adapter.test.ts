import { expect, it } from 'vitest'
import { requireDone, RefusedByNetwork, SilentNetwork, type Answer } from './adapter.ts'

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
