import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify from 'fastify'
import { expect, it, onTestFinished, test } from 'vitest'
import { callAs, makePerson, openService } from '../../test/service.ts'
import { scripts } from '@clear-to-post/contract/scripts'
import { encodingFor, packTexts } from './packed.ts'

it('an answer is packed whole before any of it is sent, by what its reader takes', async () => {
  const app = fastify()
  packTexts(app)
  const text = JSON.stringify(Array.from({ length: 5000 }, (_, n) => n * 7919))
  app.get('/long', async (_request, reply) => reply.type('application/json').send(text))
  app.get('/short', async (_request, reply) => reply.type('application/json').send('[1]'))
  onTestFinished(() => app.close())
  const ask = async (url: string, encoding?: string) => {
    const { rawPayload, headers } = await app.inject({
      url,
      headers: encoding === undefined ? {} : { 'accept-encoding': encoding },
    })
    expect(headers['content-length']).toBe(String(rawPayload.length))
    return { body: rawPayload, encoding: headers['content-encoding'], vary: headers.vary }
  }
  const br = await ask('/long', 'gzip, deflate, br, zstd')
  expect([br.encoding, br.vary, brotliDecompressSync(br.body).toString() === text]).toEqual([
    'br',
    'accept-encoding',
    true,
  ])
  const gzip = await ask('/long', 'br;q=0, gzip;q=0.5')
  expect([gzip.encoding, gunzipSync(gzip.body).toString() === text]).toEqual(['gzip', true])
  for (const refused of [undefined, 'identity', 'banana', 'br;q=0.0'])
    expect((await ask('/long', refused)).body.toString()).toBe(text)
  expect(await ask('/short', 'br')).toEqual({ body: Buffer.from('[1]'), encoding: undefined, vary: undefined })
})

test('calls are answered packed and with their length, so that nothing of them waits but what is packed', async () => {
  const service = await openService()
  onTestFinished(service.close)
  const officer = await makePerson(service, 'User')
  await callAs(service, officer)(scripts.create, {
    body: { title: 'One', content: 'a word and '.repeat(1000), tags: [] },
  })
  for (const [takes, encoding] of [
    ['br', 'br'],
    ['*', 'gzip'],
    ['br;q =1', 'br'],
    ['x-gzip', 'gzip'],
  ]) {
    const { headers, rawPayload, statusCode } = await service.app.inject({
      url: '/api/prompts/script/list/?perPage=100',
      headers: { authorization: `Bearer ${officer.token}`, 'accept-encoding': takes },
    })
    expect([statusCode, headers['content-encoding'], headers['content-length']], takes).toEqual([
      200,
      encoding,
      String(rawPayload.length),
    ])
    const text = encoding === 'br' ? brotliDecompressSync(rawPayload) : gunzipSync(rawPayload)
    expect(text.toString()).toContain('a word and a word')
  }
})

test.each([
  ['br', 'br'],
  ['BR ; q=1, gzip', 'br'],
  ['gzip, br; q=0', 'gzip'],
  ['gzip;q=0.001', 'gzip'],
  ['gzip, br;q=0.5', 'gzip'],
  ['*', 'gzip'],
  ['brotli', 'identity'],
  ['', 'identity'],
])('a reader who takes “%s” is sent %s', (sent, encoding) => {
  expect(encodingFor({ headers: { 'accept-encoding': sent } })).toBe(encoding)
})
