import { expect, it } from 'vitest'
import { answerOf, emptyState, grantTo, publishTo, type StandInState } from '../../stand-ins/networks/stand-in.ts'
import { facebookStandIn } from '../../stand-ins/networks/facebook.ts'
import { instagramStandIn } from '../../stand-ins/networks/instagram.ts'
import { threadsStandIn } from '../../stand-ins/networks/threads.ts'
import { xStandIn } from '../../stand-ins/networks/x.ts'
import { RefusedByNetwork, type Ask, type Handles, type Work } from './adapter.ts'
import { facebook } from './facebook.ts'
import { threads } from './threads.ts'

const now = Date.parse('2026-11-24T12:00:00.400Z')
const minute = 60_000
const words = 'Rates fell. #mortgage'
const keys = { clientId: '', clientSecret: '', isStandIn: true, hosts: { api: 'http://api', site: 'http://site' } }

/** One post of an account on Threads, asked straight at its stand-in. */
const threadsPost = (state: StandInState): Work => {
  const { access_token: token } = grantTo(threadsStandIn, state, 'sam', now)
  let handles: Handles = {}
  const ask: Ask = (address, { method = 'GET', headers = {}, body = '' } = {}) => {
    const { pathname: path, searchParams: query } = new URL(address)
    const reply = answerOf(
      threadsStandIn,
      { method, path, query, headers, body: Buffer.from(String(body)) },
      { state, now, base: 'http://site', slowUntil: 0 },
    )
    reply.fetched?.put(Buffer.from('film'))
    const text = JSON.stringify(reply.json)
    return Promise.resolve({ status: reply.status ?? 200, headers: new Headers(), text, json: () => JSON.parse(text) })
  }
  return {
    keys,
    token,
    server: undefined,
    partBytes: Infinity,
    accountId: 'sam',
    get handles() {
      return handles
    },
    keep: (more) => {
      handles = { ...handles, ...more }
      return Promise.resolve()
    },
    file: {
      bytes: 4,
      sha256: '',
      seconds: null,
      width: null,
      height: null,
      part: () => Promise.resolve(new Blob()),
      address: () => Promise.resolve('http://localhost/x'),
    },
    post: { id: 'p', madeAt: new Date(now), armedAt: new Date(now), words },
    ask,
    now: () => new Date(now),
  }
}

it('a Threads post has an id only where none but it can be meant, and never that of its container or an older post', async () => {
  const older = { id: 'older', account: 'sam', words, bytes: 1, sha256: '' }
  const state = emptyState()
  publishTo(state, now - 10 * minute, older)
  const post = threadsPost(state)
  expect(await threads.prepare(post)).toBe('ready')
  const published = await threads.publish(post)
  // Its answer may have been lost.
  expect(published).toMatchObject({ is: 'live', id: state.timeline[0]!.id })
  expect(await threads.find(post)).toEqual(published)
  // The network does not show it in its list yet: the older one with these words is not it.
  const [own] = state.timeline.splice(0, 1)
  expect(await threads.find(post)).toEqual({ is: 'live', id: null, address: 'http://site/' })
  // Two with these words since then.
  state.timeline.unshift(own!)
  publishTo(state, now + minute, { ...older, id: 'another' })
  expect(await threads.find(post)).toMatchObject({ is: 'live', id: null })
})

it('a video of which Facebook wants the same part once more is tried again later, and one that goes on is brought', async () => {
  for (const steps of [[0], [2, 1], [2, 2], [2, 3, 4]]) {
    const [sent, answers] = [[] as string[], steps.values()]
    const ask: Ask = (_address, request) => {
      const form = request?.body instanceof FormData ? request.body : new FormData()
      const phase = form.get('upload_phase') ?? new URLSearchParams(String(request?.body ?? '')).get('upload_phase')
      let said: object = { status: { processing_phase: { status: 'not_started' } }, published: false }
      if (phase === 'start') said = { video_id: '1', upload_session_id: '2', start_offset: '0', end_offset: '4' }
      if (phase === 'transfer') {
        sent.push(String(form.get('start_offset')))
        if (sent.length > 10) throw new Error('without end')
        said = { start_offset: String(answers.next().value ?? steps.at(-1)), end_offset: '4' }
      }
      if (phase === 'finish') said = { success: true }
      const text = JSON.stringify(said)
      return Promise.resolve({ status: 200, headers: new Headers(), text, json: () => JSON.parse(text) })
    }
    let handles: Handles = {}
    const post = threadsPost(emptyState())
    const work: Work = {
      ...post,
      get handles() {
        return handles
      },
      keep: (more) => {
        handles = { ...handles, ...more }
        return Promise.resolve()
      },
      // No reel: it is wide.
      file: { ...post.file, seconds: 60, width: 1920, height: 1080 },
      ask,
    }
    const made = await facebook.prepare(work).catch((error: unknown) => error)
    if (steps.at(-1) === 4) expect([made, sent]).toEqual(['waiting', ['0', '2', '3']])
    else {
      expect(made).toBeInstanceOf(RefusedByNetwork)
      expect(made).toMatchObject({ kind: 'retry' })
      expect(sent).toEqual(['0', '2'].slice(0, steps.length))
    }
  }
})

it.each([
  [facebookStandIn, 'POST', 'v23.0', 'video_reels', 'upload_phase=start'],
  [instagramStandIn, 'GET', 'v23.0', 'media', ''],
  [threadsStandIn, 'GET', 'v1.0', 'threads', ''],
  [xStandIn, 'GET', '2/users', 'tweets', ''],
])(
  'at a stand-in, an account whose name has several words is found as any other: %#',
  (standIn, method, before, after, body) => {
    const outcomes = ['sam', 'Harbor Point Lending'].map((account) => {
      const state = emptyState()
      const { access_token: token } = grantTo(standIn, state, account, now)
      const { pathname: path, searchParams: query } = new URL(`http://api/${before}/${account}/${after}`)
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' }
      const request = { method, path, query, headers, body: Buffer.from(body) }
      return answerOf(standIn, request, { state, now, base: 'http://site', slowUntil: 0 }).status ?? 200
    })
    expect(outcomes).toEqual([200, 200])
  },
)
