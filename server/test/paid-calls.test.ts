import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { everyCall } from '@clear-to-post/contract/api'
import { heldOtherwise, membersOf, readPaidCalls } from './paid-calls.ts'

const source = 'server/src'
const reached = readPaidCalls(source)

/** Verbs of the payments port by which somebody pays, or from now on pays something else. */
const costs = ['checkout', 'subscribeByMail', 'buy', 'resume', 'change']
/** The others, and why nobody pays more by them. */
const free: Record<string, string> = {
  kind: 'reads',
  says: 'reads',
  readEvent: 'reads',
  findPurchase: 'reads',
  clockAhead: 'reads',
  previewChange: 'reads',
  isGiven: 'reads',
  runningOf: 'reads',
  read: 'reads',
  everything: 'reads',
  missed: 'reads',
  createCustomer: 'a name',
  updateCustomer: 'a name',
  forgetCustomer: 'a name',
  portal: 'a page of the provider’s, which shows its own sums',
  closePages: 'ends pages',
  pause: 'nothing is charged from then on',
  voidOpen: 'nothing of these invoices is owed any more',
  putBack: 'what was paid runs again; nothing is settled',
  endWithPeriod: 'nothing is charged from then on',
  goOn: 'takes that back: the plan costs what it did',
  end: 'nothing is charged from then on',
  undo: 'what was paid comes back',
  refund: 'what was paid comes back',
  credit: 'what was paid comes back',
  saveProduct: 'plans that run keep their price',
  createCoupon: 'takes something off',
  retireCoupon: 'whoever has it keeps what it takes off',
}

/** Jobs by which somebody pays, and why nobody was shown a sum. */
const jobs: Record<string, string> = {
  seats: 'the seats that the service’s ADMIN agreed on with the company are charged, at the plan’s price',
}
const hears = 'hears from the provider, and so maybe of an open invoice that is paid: seats that waited for it follow'
/** Calls that leave such a job, and why they name no sum of it. */
const leavers: Record<string, string> = {
  'catalogue.createCoupon': hears,
  'catalogue.createProduct': hears,
  'catalogue.retireCoupon': hears,
  'catalogue.updateProduct': hears,
  'subscriptions.charge': hears,
  'subscriptions.checkout': hears,
  'subscriptions.pause': hears,
  'subscriptions.resume': hears,
  'subscriptions.updatePlan': hears,
  'tenants.update': 'the service’s ADMIN writes down how many seats were agreed on; no price is shown there',
}

it('every verb of the payments port is one that costs something, or it is said why it does not', () => {
  const verbs = membersOf(`${source}/outside/payments/payments.ts`, 'Payments')
  expect(verbs.length).toBeGreaterThan(25)
  expect([...costs, ...Object.keys(free)].toSorted()).toEqual(verbs.toSorted())
})

it('every call that leads to a payment names what was shown to be due', () => {
  const paying = callsThat((one) => costs.some((verb) => one.has(`verb ${verb}`)))
  expect(paying.toSorted()).toEqual(everyCall.flatMap(({ name }) => (isPriced(name) ? [name] : [])).toSorted())
  expect(paying.length).toBeGreaterThan(3)
})

it('every job that leads to a payment is known, with the calls that leave it', () => {
  const paying = [...reached].flatMap(([name, one]) =>
    name.startsWith('job ') && costs.some((verb) => one.has(`verb ${verb}`)) ? [name.slice(4)] : [],
  )
  expect(paying).toEqual(Object.keys(jobs))
  const leaving = callsThat((one) => paying.some((job) => one.has(`job ${job}`)))
  expect(leaving.toSorted()).toEqual(Object.keys(leavers))
})

it('every call is looked at, and nobody holds the payments port otherwise than by its verbs', () => {
  const looked = callsThat(() => true)
  expect(everyCall.flatMap(({ name }) => (looked.includes(name) ? [] : [name]))).toEqual(byOneLine)
  expect(heldOtherwise(source)).toEqual([])
})

/** Mounted together, as `projects.[verb]`. */
const byOneLine = ['projects.unschedule', 'projects.rollback']

const callsThat = (is: (reached: Set<string>) => boolean): string[] =>
  [...reached].flatMap(([name, one]) => (name.startsWith('call ') && is(one) ? [name.slice(5)] : []))

/** Whether its body may say `shown`, and in it what was `due`: programs may leave it out, as the specification has no such word. */
const isPriced = (call: string): boolean => {
  const body = whole(everyCall.find(({ name }) => name === call)?.shape.body)
  const shown = whole(body instanceof z.ZodObject ? body.shape['shown'] : undefined)
  return shown instanceof z.ZodObject && 'due' in shown.shape
}
const whole = (one: unknown) => (one instanceof z.ZodOptional ? one.unwrap() : one)

it('the panel says what it showed with every call that leads to a payment', () => {
  const silent = panelFiles().flatMap(({ file, text }) =>
    [...text.matchAll(/useCall\(\s*(subscriptions\.\w+)/g)].flatMap(([, name]) =>
      isPriced(name!) && !/\bshown\b/.test(text) ? [`${file} ${name}`] : [],
    ),
  )
  expect(silent).toEqual([])
  const said = panelFiles().flatMap(({ text }) =>
    [...text.matchAll(/useCall\(\s*(subscriptions\.\w+)/g)].map(([, name]) => name!),
  )
  expect(said.filter(isPriced).length).toBeGreaterThan(3)
})

const panelFiles = () =>
  readdirSync(panel, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => ({ file, text: readFileSync(`${panel}/${file}`, 'utf8') }))
const panel = fileURLToPath(new URL('../../web/app/panel', import.meta.url))
