import { once } from 'node:events'
import { request } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { kindOf as ofMeta } from './meta.ts'
import { answerOf, openAsk, requireDone, RefusedByNetwork, SilentNetwork, type Answer } from './adapter.ts'

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

it('a network that has had enough says how long to wait or when to come again, a day from now at the latest', () => {
  const againOf = (headers: Record<string, string>): number | null => {
    try {
      requireDone({ ...answer(429), headers: new Headers(headers) })
    } catch (error) {
      const { again } = error as RefusedByNetwork
      return again && Math.round((again.getTime() - Date.now()) / 1000)
    }
    return null
  }
  const inSeconds = (seconds: number) => String(Math.floor(Date.now() / 1000) + seconds)
  expect(againOf({ 'retry-after': '90' })).toBe(90)
  expect(Math.abs(againOf({ 'x-rate-limit-reset': inSeconds(600) })! - 600)).toBeLessThanOrEqual(1)
  expect(againOf({ 'x-rate-limit-reset': inSeconds(10_000_000) })).toBe(86_400)
  for (const said of ['0', '-5', 'soon', inSeconds(-60)])
    expect(againOf({ 'x-rate-limit-reset': said }), said).toBeNull()
})

it('a network that is busy is asked again when it says, or in five minutes', () => {
  const refusedBy = (headers: Record<string, string>): RefusedByNetwork => {
    try {
      requireDone({ ...answer(400, '{"error":{"code":4}}'), headers: new Headers(headers) }, ofMeta)
    } catch (error) {
      return error as RefusedByNetwork
    }
    throw new Error('It was taken.')
  }
  const minutes = ({ kind, again }: RefusedByNetwork) => [kind, Math.round((again!.getTime() - Date.now()) / 60_000)]
  expect([minutes(refusedBy({})), minutes(refusedBy({ 'retry-after': '1200' }))]).toEqual([
    ['retry', 5],
    ['retry', 20],
  ])
})

it('words of a refusal are the first text that it says, whatever else stands there', () => {
  const saidBy = (said: unknown) => {
    try {
      requireDone(answer(400, JSON.stringify(said)))
    } catch (error) {
      return (error as Error).message
    }
  }
  const odd = { toString: 1 }
  expect(saidBy({ error: { message: odd }, message: odd, detail: 'Too long' })).toContain('Too long (400)')
  for (const said of [{ message: odd }, { error: odd }, [odd], null, 7]) expect(saidBy(said)).toContain('(400)')
})

it('an address that people gave is asked by https alone, and never one of this machine or a network of its own', async () => {
  let asked = 0
  const ask = openAsk({ fetch: () => Promise.resolve(new Response(String(++asked))) })
  for (const address of ['http://example.com/x', 'https://127.0.0.1/x', 'https://192.168.0.1/x', 'https://localhost/x'])
    await expect(ask(address, { isGiven: true }), address).rejects.toThrow(SilentNetwork)
  expect(asked).toBe(0)
  expect((await ask('http://127.0.0.1/x')).status).toBe(200)
  // What is left of a time is seldom a whole number.
  expect((await ask('http://127.0.0.1/x', { withinSeconds: 9.998765 })).status).toBe(200)
})

it('answers of anybody’s server are an answer or a refusal, and the service goes on', async () => {
  const answers = [
    'HTTP/1.1 205 Reset Content\r\ncontent-length: 2\r\n\r\n{}',
    'HTTP/1.1 999 Odd\r\ncontent-length: 2\r\n\r\n{}',
    'HTTP/1.1 000 None\r\ncontent-length: 0\r\n\r\n',
    'HTTP/1.1 304 Same\r\n\r\n',
    'HTTP/1.1 200 OK\r\nretry-after: \xff\xfe soon\r\ncontent-length: 0\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
    `HTTP/1.1 200 OK\r\ncontent-length: 2000000\r\n\r\n${'x'.repeat(1_500_000)}`,
    'HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\nhalf',
    'nothing of the kind',
    '',
  ]
  let next = 0
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(answers[next++]!, 'latin1'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const told: (number | string)[] = []
  for (const _ of answers) {
    const asked = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false })
    const answer = answerOf(asked)
    asked.end()
    told.push(await answer.then(({ status }) => status).catch(() => 'refused'))
  }
  server.close()
  expect(told.slice(0, 2)).toEqual([205, 999])
  expect(told.slice(3)).toEqual([304, 200, 'refused', 'refused', 'refused', 'refused', 'refused'])
})
