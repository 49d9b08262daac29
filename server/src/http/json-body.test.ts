import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scripts } from '@clear-to-post/contract/scripts'
import { callAs, makePerson, openService, type Person, type Service } from '../../test/service.ts'
import { strangersBytes } from '../kernel/call.ts'
import { readForm, shapeOf } from './json-body.ts'

let service: Service
let officer: Person
beforeAll(async () => {
  service = await openService({ SEED: 'none' })
  officer = await makePerson(service, 'User')
})
afterAll(() => service.close())

test('of a form its first hundred fields are read, as forms write them', () => {
  expect(readForm('subject=A+b%26c&body=&to=x%40y.test')).toEqual({ subject: 'A b&c', body: '', to: 'x@y.test' })
  const names = Array.from({ length: 30_000 }, (_, n) => `n${n}=`)
  expect(Object.keys(readForm(names.join('&')))).toHaveLength(100)
})

test('lists and objects within each other are counted, and what stands in strings is not', () => {
  const cases: [string, number][] = [
    ['1', 0],
    ['"[[["', 0],
    ['[]', 1],
    ['[[],[[]],{"a":{}}]', 3],
    [String.raw`["\"[[", "\\", [1]]`, 2],
    [String.raw`["\\\"[[["]`, 1],
    ['{"a":[{"b":"}]"}]}', 3],
    ['"never closed [[[', 0],
    [`${'['.repeat(500)}`, 500],
  ]
  for (const [text, depth] of cases) expect(shapeOf(text).depth, text).toBe(depth)
})

test('an object of a body has at most a thousand fields in its first three levels, and none more is looked at', async () => {
  expect(shapeOf('{"a":{"b":1,"c:":[{"d":{"e":1,"f":1,"g":1}}]},"h":"{:::"}').fields).toBe(2)
  expect(shapeOf('{"a":1,"b":2,"c":{"d":3}}').fields).toBe(3)
  const fields = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`f${i}`, 1]))
  const ask = (payload: object) =>
    service.app.inject({
      method: 'POST',
      url: '/api/prompts/script/new/',
      headers: { authorization: `Bearer ${officer.token}` },
      payload,
    })
  for (const body of [fields(90_000), { a: fields(1001) }, { a: [fields(1001)] }])
    expect((await ask(body)).json().message).toBe('The body has too many fields. Send those of this call alone.')
  // Of those that are looked at the first twenty are named.
  const { message } = (await ask({ title: 'Rates', content: 'Rates', ...fields(900) })).json()
  expect(message).toMatch(/“f19” and others are no fields of this call/)
  expect(message).not.toContain('f20')
})

test('control characters and halves are refused, odd line breaks become line feeds, and escaped ones are letters', async () => {
  const save = (content: string, raw = JSON.stringify({ title: 'Rates', content })) =>
    service.app.inject({
      method: 'POST',
      url: '/api/prompts/script/new/',
      headers: { authorization: `Bearer ${officer.token}`, 'content-type': 'application/json' },
      payload: raw,
    })
  for (const control of ['\u0000', '\u0001', '\b', '\u001f']) {
    const answer = await save(`a${control}b`)
    expect([answer.statusCode, answer.json().message]).toEqual([
      400,
      'The body holds control characters, which nobody sees. Take them out.',
    ])
  }
  for (const half of [String.raw`\ud83d`, String.raw`\uDE00`, String.raw`\\ud83d\ude00`, String.raw`\ude00\ud83d`]) {
    const answer = await save('', `{"title":"Rates","content":"a${half}b"}`)
    expect([half, answer.statusCode, answer.json().message]).toEqual([
      half,
      400,
      'The body holds half of a character. Write it again, or take it out.',
    ])
  }
  const kept = async () =>
    (await callAs(service, officer)(scripts.list, { query: {} })).items.map(({ content }) => content)
  await save('a\vb\fc\td\ne')
  await save(String.raw`C:\u0001\b`)
  await save(String.raw`D:\ud83d`)
  await save('', String.raw`{"title":"Rates","content":"e \ud83d\ude00"}`)
  expect((await kept()).toSorted()).toEqual([
    String.raw`C:\u0001\b`,
    String.raw`D:\ud83d`,
    'a\nb\nc\td\ne',
    'e \u{1f600}',
  ])
})

test('nobody’s body is read for an address that is nowhere, and a stranger’s is 128 KB at most', async () => {
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = service.app.server.address() as AddressInfo
  // A body is announced and never sent: an answer that comes has not waited for it.
  const announced = async (path: string) => {
    const line = connect({ port, host: '127.0.0.1' })
    line.write(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n`,
    )
    const [first] = (await once(line, 'data')) as [Buffer]
    line.destroy()
    return first.toString().split('\r\n')[0]
  }
  for (const path of ['/api/nothing', '/', '/media/x', '/health/nothing', '/panel'])
    expect([path, await announced(path)]).toEqual([path, 'HTTP/1.1 404 Not Found'])
  const large = JSON.stringify({ subject: 'x'.repeat(strangersBytes) })
  const send = (url: string, token?: string) =>
    service.app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      payload: large,
    })
  expect((await send('/api/emails/public/send')).statusCode).toBe(413)
  expect((await send('/api/prompts/script/new/', officer.token)).statusCode).toBe(400)
})
