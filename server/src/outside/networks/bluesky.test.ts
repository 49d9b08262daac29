import { randomBytes, randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openAsk, RefusedByNetwork, SilentNetwork, type Account, type Ask, type Handles, type Work } from './adapter.ts'
import { bluesky } from './bluesky.ts'

/**
 * Against a real server of the network: PDS_ORIGIN=http://localhost:2583 npx vitest run server/src/outside/networks/bluesky.test.ts,
 * with a @atproto/pds there in its development mode, which lets everybody make an account (docs/networks.md).
 */
const origin = process.env['PDS_ORIGIN']

const atServer = async (name: string, body: object | undefined, token?: string) => {
  const answer = await fetch(`${origin}/xrpc/${name}`, {
    headers: {
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  })
  return (await answer.json()) as any
}

/** The video service, which brings the file on to the account's server by the token that it was given. */
const blobs = new Map<string, unknown>()
const video: Server = createServer((request, response) => {
  const say = (answer: object) => response.end(JSON.stringify(answer))
  const url = new URL(request.url!, 'http://video')
  const jobId = url.searchParams.get('jobId')
  if (url.pathname.endsWith('getUploadLimits')) return say({ canUpload: true })
  if (jobId !== null) return say({ jobStatus: { jobId, state: 'JOB_STATE_COMPLETED', blob: blobs.get(jobId) } })
  void buffer(request).then(async (bytes) => {
    const headers = { authorization: request.headers.authorization!, 'content-type': 'video/mp4' }
    const answer = await fetch(`${origin}/xrpc/com.atproto.repo.uploadBlob`, {
      method: 'POST',
      headers,
      body: new Uint8Array(bytes),
    })
    const id = randomUUID()
    blobs.set(id, ((await answer.json()) as { blob: unknown }).blob)
    say({ jobStatus: { jobId: id, state: 'JOB_STATE_CREATED' } })
  })
})

let account: Account
let keys: Work['keys']
const handle = `s${randomBytes(4).toString('hex')}.test`
const ask = openAsk()
const file = randomBytes(200_000)
const signIn = (password: string) => bluesky.signIn!(keys, ask, { server: undefined, name: handle, password })

beforeAll(async () => {
  if (!origin) return
  await new Promise<void>((resolve) => video.listen(0, '127.0.0.1', resolve))
  const videoOrigin = `http://127.0.0.1:${(video.address() as AddressInfo).port}`
  keys = { clientId: '', clientSecret: '', isStandIn: false, hosts: { server: origin, video: videoOrigin, site: '' } }
  const made = { handle, email: `${handle}@example.test`, password: 'the-account-itself' }
  const { accessJwt } = await atServer('com.atproto.server.createAccount', made)
  const app = await atServer('com.atproto.server.createAppPassword', { name: 'clear' }, accessJwt)
  ;[account] = (await signIn(app.password)) as [Account]
})
afterAll(() => new Promise<void>((resolve) => (video.listening ? video.close(() => resolve()) : resolve())))

const workOf = (words: string, by: Pick<Work, 'keys' | 'token' | 'server' | 'accountId'> = own()): Work => {
  let handles: Handles = {}
  return {
    ...by,
    partBytes: Infinity,
    get handles() {
      return handles
    },
    keep: (more) => {
      handles = { ...handles, ...more }
      return Promise.resolve()
    },
    file: {
      bytes: file.length,
      sha256: '',
      seconds: null,
      width: 1080,
      height: 1920,
      part: (start, end) => Promise.resolve(new Blob([file.subarray(start, end + 1)])),
      address: () => Promise.resolve(''),
    },
    post: { id: randomUUID(), madeAt: new Date(), armedAt: null, words },
    ask,
    now: () => new Date(),
  }
}

const own = () => ({ keys, token: account.tokens.access, server: account.tokens.server, accountId: account.id })

it('a session at anybody’s server is taken only in its form, and only with a key for apps', async () => {
  const token = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`
  const app = { scope: 'com.atproto.appPass', exp: 2_000_000_000 }
  const fine = {
    did: `did:plc:${'a'.repeat(24)}`,
    handle: 'sam.test',
    accessJwt: token(app),
    refreshJwt: token({ exp: 2_000_000_000 }),
  }
  const hosts = { server: 'https://bsky.social', video: '', site: '' }
  const asked: string[] = []
  const answeredBy = (session: unknown) => {
    const text = JSON.stringify(session)
    const answer = { status: 200, headers: new Headers(), text, json: () => JSON.parse(text) }
    const asking: Ask = (address) => {
      asked.push(address)
      return Promise.resolve(answer)
    }
    const own = { clientId: '', clientSecret: '', isStandIn: false, hosts }
    const given = { server: 'https://own.example', name: 'sam.test', password: 'p' }
    return bluesky.signIn!(own, asking, given).then(
      ([one]) => {
        expect(one!.tokens.server).toBe('https://own.example')
        return [one!.name, one!.tokens.endsAt]
      },
      (error: RefusedByNetwork) => error.kind,
    )
  }
  expect(await answeredBy(fine)).toEqual(['sam.test', 2_000_000_000_000])
  expect(await answeredBy({ ...fine, accessJwt: token({ scope: 'com.atproto.appPassPrivileged' }) })).toContain(
    'sam.test',
  )
  // A document that names no server as it should counts as none.
  const odd = { toString: 1 }
  const pds = { id: '#atproto_pds', type: 'AtprotoPersonalDataServer', serviceEndpoint: 'https://own.example' }
  for (const service of [odd, [odd], [{ ...pds, id: odd }], [{ ...pds, serviceEndpoint: odd }], [null, pds]])
    expect(await answeredBy({ ...fine, didDoc: { service } })).toContain('sam.test')
  const long = `https://${'a'.repeat(800_000)}.example`
  expect(await answeredBy({ ...fine, didDoc: { service: [{ ...pds, serviceEndpoint: long }] } })).toContain('sam.test')
  const refused = [
    null,
    [],
    'text',
    ...['', ' ', 'x\u202Ey', 'x\ny', 'x\0y', 'x'.repeat(300), 7].map((handle) => ({ ...fine, handle })),
    ...['did:plc:short', null].map((did) => ({ ...fine, did })),
    ...['', 'a'.repeat(8193), 'a\nb', null].map((accessJwt) => ({ ...fine, accessJwt })),
    ...[1e300, 1e14, -1, 'soon', null].map((exp) => ({ ...fine, accessJwt: token({ ...app, exp }) })),
    ...[1e300, 'soon'].map((exp) => ({ ...fine, refreshJwt: token({ exp }) })),
  ]
  for (const session of refused) expect(await answeredBy(session), JSON.stringify(session)).toBe('permanent')
  // What may open the whole account is ended again at once.
  for (const accessJwt of [
    'opaque',
    token({ scope: 'com.atproto.access' }),
    token({ scope: ['com.atproto.appPass'] }),
  ]) {
    expect(await answeredBy({ ...fine, accessJwt })).toBe('reauth')
    expect(asked.at(-1)).toBe('https://own.example/xrpc/com.atproto.server.deleteSession')
  }
})

it('names in a post are asked for once each, all together and not for long, before its moment', async () => {
  const known = `did:plc:${'b'.repeat(24)}`
  const more = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}.test`)
  const asking: string[] = []
  let [open, mostOpen, mostSeconds] = [0, 0, 0]
  let records: any[] = []
  const answer = (json: unknown) => ({ status: 200, headers: new Headers(), text: '', json: () => json })
  // The second name is never answered, until its time is over.
  const ask: Ask = async (address, { withinSeconds, body } = {}) => {
    const url = new URL(address)
    if (url.pathname.endsWith('createRecord')) {
      records = [...records, JSON.parse(String(body)).record]
      return answer({})
    }
    const name = url.searchParams.get('handle')!
    asking.push(name)
    open += 1
    mostOpen = Math.max(mostOpen, open)
    mostSeconds = Math.max(mostSeconds, withinSeconds ?? Infinity)
    await setImmediate()
    open -= 1
    if (name === 'slow.test') throw new SilentNetwork('late')
    return answer({ did: name === 'known.test' ? known : 'nobody' })
  }
  const hosts = { server: 'https://bsky.social', video: '', site: 'https://bsky.app' }
  const work = workOf(
    `@known.test @slow.test @known.test @made-up.test ${more.map((name) => `@${name}`).join(' ')} #rates`,
    {
      keys: { clientId: '', clientSecret: '', isStandIn: false, hosts },
      token: '',
      server: 'https://own.example',
      accountId: `did:plc:${'c'.repeat(24)}`,
    },
  )
  let handles: Handles = { job: 'one', blob: '{}' }
  const asWork = (): Work => ({
    ...work,
    ask,
    handles,
    keep: async (more) => void (handles = { ...handles, ...more }),
  })
  expect(await bluesky.prepare(asWork())).toBe('ready')
  expect(await bluesky.prepare(asWork())).toBe('ready')
  expect(asking.toSorted()).toEqual(['known.test', 'made-up.test', ...more, 'slow.test'].toSorted())
  expect(mostOpen).toBeLessThanOrEqual(4)
  expect(mostSeconds).toBeLessThanOrEqual(10)
  expect(await bluesky.publish(asWork())).toMatchObject({ is: 'live' })
  // Nothing but the one request.
  expect(asking).toHaveLength(8)
  expect(records[0].facets.map(({ features: [feature] }: any) => feature.did ?? feature.tag)).toEqual([
    known,
    known,
    'rates',
  ])
})

it('a name that is asked for with a right that has ended is asked for again with a new one', async () => {
  const refused: Ask = () => Promise.reject(new RefusedByNetwork('reauth', 'ended'))
  const by = { keys: { clientId: '', clientSecret: '', isStandIn: false, hosts: {} }, token: '', accountId: 'x' }
  const work = workOf('@known.test', { ...by, server: 'https://own.example' })
  const prepared: Work = { ...work, ask: refused, handles: { job: 'one', blob: '{}' } }
  await expect(bluesky.prepare(prepared)).rejects.toMatchObject({ kind: 'reauth' })
})

it.skipIf(!origin)(
  'a real server takes a post once, says before and after whether it is there, and takes it down',
  async () => {
    const work = workOf(`Rates fell: https://example.com/rates #rates @${handle} @nobody.test`)
    expect(await bluesky.find(work)).toEqual({ is: 'absent' })
    expect(await bluesky.prepare(work)).toBe('ready')
    expect(await bluesky.publish(work)).toMatchObject({ is: 'live' })
    // The key is taken, and the server says no more than that something went wrong.
    await expect(bluesky.publish(work)).rejects.toThrow(SilentNetwork)
    const found = await bluesky.find(work)
    const { records } = await atServer(
      `com.atproto.repo.listRecords?repo=${account.id}&collection=app.bsky.feed.post`,
      undefined,
    )
    expect(records).toHaveLength(1)
    const { value } = records[0]
    expect(value.facets.map(({ features: [feature] }: any) => feature.$type.split('#')[1])).toEqual([
      'link',
      'tag',
      'mention',
    ])
    const cid = value.embed.video.ref.$link
    const kept = await fetch(`${origin}/xrpc/com.atproto.sync.getBlob?did=${account.id}&cid=${cid}`)
    expect(Buffer.from(await kept.arrayBuffer()).equals(file)).toBe(true)
    const postId = (found as { id: string }).id
    for (const _twice of [1, 2]) await bluesky.takeDown!({ ...work, handles: {}, postId } as never)
    expect(await bluesky.find(work)).toEqual({ is: 'absent' })
  },
)

it.skipIf(!origin)(
  'a real server’s sign-in: the account’s own password is refused, keys are renewed and ended',
  async () => {
    await expect(signIn('the-account-itself')).rejects.toThrow(RefusedByNetwork)
    await expect(signIn('wrong')).rejects.toThrow(RefusedByNetwork)
    const fresh = await bluesky.refresh(keys, ask, account.tokens, new Date())
    // The one before still brings the same: an answer that got lost costs no connection.
    expect((await bluesky.refresh(keys, ask, account.tokens, new Date()))!.refresh).toBe(fresh!.refresh)
    await bluesky.revoke!(keys, ask, fresh!)
    await expect(bluesky.refresh(keys, ask, fresh!, new Date())).rejects.toMatchObject({ kind: 'reauth' })
  },
)
