import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isPublicAddress, publicLookupAt } from './public-address.ts'

const [asksFor4, asksFor6] = [1, 28]
const address = (ip: string) => [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...ip.split('.').map(Number)]
const address6 = (hex: string) => [0xc0, 12, 0, 28, 0, 1, 0, 0, 0, 60, 0, 16, ...Buffer.from(hex, 'hex')]
const alias = [0xc0, 12, 0, 5, 0, 1, 0, 0, 0, 60, 0, 6, 4, ...Buffer.from('none'), 0]
const noName = 3

/** What the name server says of each name: answers, or a code of refusal. A name that is missing is answered with nothing. */
const zone: Record<string, { [kind: number]: number[][] | number }> = {
  good: { [asksFor4]: [address('93.184.216.34')] },
  mixed: { [asksFor4]: [address('93.184.216.34'), address('10.0.0.1')] },
  private6: { [asksFor4]: [address('93.184.216.34')], [asksFor6]: [address6('fd000000000000000000000000000001')] },
  mapped: { [asksFor6]: [address6('00000000000000000000ffff0a000001')] },
  alias: { [asksFor4]: [alias], [asksFor6]: [alias] },
  half: { [asksFor4]: [alias], [asksFor6]: noName },
  gone: { [asksFor4]: noName, [asksFor6]: noName },
}
const server = createSocket('udp4').on('message', (asked, from) => {
  const name = asked
    .subarray(13, 13 + asked[12]!)
    .toString()
    .toLowerCase()
  const end = asked.indexOf(0, 12) + 5
  const said = zone[name]?.[asked[end - 3]!] ?? []
  const [code, answers] = typeof said === 'number' ? [said, []] : [0, said]
  const head = [asked[0]!, asked[1]!, 0x81, 0x80 | code, 0, 1, 0, answers.length, 0, 0, 0, 0]
  server.send(Buffer.concat([Buffer.from([...head, ...asked.subarray(12, end), ...answers.flat()])]), from.port)
})
beforeAll(async () => {
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())
const lookup = () => publicLookupAt([`127.0.0.1:${(server.address() as AddressInfo).port}`])

it('an address of this machine, a private network or a cloud’s inside is not called, however it is spelled', () => {
  for (const host of [
    'localhost',
    'localhost.',
    'intranet',
    'intranet.',
    'printer.local.',
    'db.internal.',
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '１２７.0.0.1',
    '[::ffff:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '169.254.169.254',
    '168.63.129.16',
    'user:word@example.com',
  ])
    expect(isPublicAddress(`https://${host}/`), host).toBe(false)
  for (const host of ['example.com', 'example.com.', '93.184.216.34', '[2606:2800:220:1::]:8443'])
    expect(isPublicAddress(`https://${host}/`), host).toBe(true)
  expect(isPublicAddress('http://example.com/')).toBe(false)
})

it('a name leads to its public addresses, and nowhere where one of them is private', async () => {
  const outcomeOf = (name: string) =>
    new Promise((resolve) =>
      lookup()(`${name}.example`, { all: true }, (error, addresses) =>
        resolve(error ? `${error.name} ${error.code ?? error.message}` : addresses),
      ),
    )
  expect(await outcomeOf('good')).toEqual([{ address: '93.184.216.34', family: 4 }])
  for (const name of ['mixed', 'private6', 'mapped']) expect(await outcomeOf(name)).toMatch(/not public/)
  for (const name of ['alias', 'half', 'nothing', 'gone']) expect(await outcomeOf(name)).toMatch(/ENOTFOUND|ENODATA/)
})

it('a request to a name that leads to no address ends with an error, which nothing else hears of', async () => {
  for (const name of ['alias', 'half', 'nothing', 'gone', 'mixed']) {
    const asked = request(`https://${name}.example/`, { lookup: lookup() })
    asked.end()
    const [error] = (await once(asked, 'error')) as [Error]
    expect(error).toBeInstanceOf(Error)
  }
})
