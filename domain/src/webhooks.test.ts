import { expect, it } from 'vitest'
import { verbs } from './workflow.ts'
import {
  secondsBeforeWebhook,
  webhookActsOf,
  webhookOfPost,
  webhookOfVerb,
  webhookStates,
  webhookTest,
  webhookTypes,
} from './webhooks.ts'

it('each act on an endpoint starts from exactly these states, written out a second time', () => {
  expect(Object.fromEntries(webhookStates.map((state) => [state, webhookActsOf(state).join(' ')]))).toEqual({
    active: 'test pause',
    paused: 'resume',
    failing: 'resume',
    gone: 'resume',
    full: 'resume',
  })
})

it('every type that programs can hear of is told by a step or a post, and every step but the order of work is told', () => {
  const told = [...Object.values(webhookOfVerb), ...Object.values(webhookOfPost)].filter((type) => type !== null)
  expect([...new Set(told)].toSorted()).toEqual([...webhookTypes].toSorted())
  expect(verbs.filter((verb) => webhookOfVerb[verb] === null)).toEqual(['reorder'])
})

it('nine tries follow the first, each later than the one before, within some three days', () => {
  const pauses = Array.from({ length: 9 }, (_, i) => secondsBeforeWebhook(i + 1)!)
  expect(pauses).toEqual(pauses.toSorted((one, other) => one - other))
  expect([pauses[0], pauses.at(-1), secondsBeforeWebhook(10)]).toEqual([5, 86_400, null])
  const days = pauses.reduce((sum, seconds) => sum + seconds) / 86_400
  expect(days).toBeGreaterThan(3)
  expect(days).toBeLessThan(4)
})

it('the event that tries an endpoint is a type of its own, which nobody chooses', () => {
  expect(webhookTest).toBe('webhook.test')
  expect(webhookTypes).not.toContain(webhookTest)
})
