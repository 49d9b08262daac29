import { afterAll, expect, it } from 'vitest'
import type { Answer } from '../src/outside/networks/adapter.ts'
import { withTroubles, type Trouble } from './network-troubles.ts'
import { startNetworks } from './stand-in-networks.ts'

const standIns = await startNetworks()
afterAll(() => standIns.close())

const plain = async (): Promise<Answer> => ({ status: 200, headers: new Headers(), text: '{}', json: () => ({}) })
const askingWith = (troubles: readonly Trouble[]) =>
  withTroubles(
    standIns,
    'threads',
    plain,
    (_request, nth) => troubles.find((trouble) => trouble.nth === nth),
    async () => true,
  )
const at = (path: string) => `${standIns.origin}/threads/${path}`

it.each([
  { newer: 'asks', asked: ['GET /begin', 'GET /status', 'GET /publish'] },
  { newer: 'asks nothing', asked: ['GET /begin', 'GET /publish'] },
])(
  'a run that is killed once its late answer has come ends no newer run that $newer',
  async ({ newer, asked: all }) => {
    const { ask, asked, run } = askingWith([
      { nth: 0, kind: 'answer-late' },
      { nth: all.length - 1, kind: 'killed-before' },
    ])
    const first = async () => {
      await ask(at('begin'))
      return (await ask(at('publish'))).status
    }
    expect(await run(first)).toBe('killed')
    const second = async () => (newer === 'asks' ? (await ask(at('status'))).status : 200)
    expect(await run(second)).toBe(200)
    expect(asked).toEqual(all)
  },
)

it('a run that waits for a second late answer holds up no newer run', async () => {
  const { ask, asked, run } = askingWith([
    { nth: 0, kind: 'answer-late' },
    { nth: 2, kind: 'answer-late' },
  ])
  let isDone = false
  const first = async () => {
    await ask(at('begin'))
    await ask(at('publish'))
    isDone = true
  }
  expect(await run(first)).toBe('killed')
  expect(await run(async () => (await ask(at('status'))).status)).toBe(200)
  expect(isDone).toBe(true)
  expect(asked).toEqual(['GET /begin', 'GET /status', 'GET /publish'])
})
