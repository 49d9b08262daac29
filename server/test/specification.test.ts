import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { feedbackCriteria } from '@clear-to-post/domain/feedback'
import { sql } from '../src/kernel/database.ts'
import { letDayPass, makeStaff } from './factories.ts'
import {
  headersOf,
  makePerson,
  makeTenant,
  makeVideo,
  openService,
  type Person,
  type Service,
  signedIn,
  subscribe,
} from './service.ts'
import { addPlans, anyChange, anyOrder, anyResume, anySingle, buyer } from './buying.ts'
import { entities, specification, type SpecifiedCall } from './specification.ts'

/**
 * Makes every call of the specification's table against the running service, in an order in which each one succeeds: with
 * exactly the documented fields, once as spelled and once with or without its trailing slash.
 */
let service: Service
let officer: Person
let editor: Person
let qa: Person
let admin: Person
let payer: Person
let tenantId: string
let code: string
const known: Record<string, string> = {}
let project: string

beforeAll(async () => {
  service = await openService()
  tenantId = await makeTenant(service)
  await subscribe(service, { tenantId })
  officer = await makePerson(service, 'User', { tenantId })
  ;({ editor, qa, admin } = await makeStaff(service))
  admin = await signedIn(service, admin)
  await makePerson(service, 'ADMIN')
  const [plan, otherPlan] = await addPlans(service)
  Object.assign(known, { plan, otherPlan })
  trigger.criteria.params.productIds.push(plan!.replace(/_small$/, ''))
  payer = await buyer(service, plan!)
  code = (await service.database.asSystem((tx) =>
    tx.first(sql<{ code: string }>`select invite_code as code from tenant where id = ${tenantId}`),
  ))!.code
})
afterAll(() => service.close())

type Step = {
  as: Person | null
  path?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  after?: (answer: any) => void
  refused?: number
}

const submit = async (): Promise<string> => {
  await letDayPass(service)
  const made = await ask('POST /projects/create', {
    as: officer,
    body: { title: 'A video', instructions: '', captionStyle: 1, assets: [await makeVideo(service, officer)] },
  })
  return made.id
}
const started = async () => {
  const id = await submit()
  await ask('PUT /projects/edition/start/', { as: editor, body: { projectId: id } })
  return id
}
const sent = async () => {
  const id = await started()
  await ask('PUT /projects/{projectId}/sendToApproval/', {
    as: editor,
    path: { projectId: id },
    body: { finalVideoId: await makeVideo(service, editor, { id, tenantId }) },
  })
  return id
}
const approved = async () => {
  const id = await sent()
  await ask('POST /projects/{projectId}/approve/', { as: qa, path: { projectId: id }, body: {} })
  return id
}
const later = new Date(Date.now() + 50 * 86_400_000).toISOString().slice(0, 7)
const trigger = {
  title: 'Nudge',
  description: '',
  transportType: ['push'],
  notification: { title: 'Hi', body: 'Film one' },
  recurrence: { frequency: 'weekly', interval: 1, weekDays: [1], ocurrences: 3 },
  timezone: 'America/Denver',
  tenantIds: undefined,
  executionDate: `${later}-15`,
  timeOfDay: '09:00',
  criteria: { type: 'usersFromTier', params: { productIds: [] as string[] } },
}

/** How each call is made so that it succeeds. `refused` where success needs something that only a person reads (a mailed code). */
const steps: Record<string, () => Promise<Step>> = {
  'POST /notifications/trigger/': async () => ({ as: admin, body: trigger, after: ({ id }) => (known.trigger = id) }),
  'GET /notifications/trigger/list/': async () => ({
    as: admin,
    query: { perPage: '5', orderBy: 'createdAt:desc', wheres: 'status:eq:scheduled' },
  }),
  'PUT /notifications/trigger/{id}/': async () => ({
    as: admin,
    path: { id: known.trigger! },
    body: { title: 'Other' },
  }),
  'DELETE /notifications/trigger/{id}/': async () => ({
    as: admin,
    path: { id: (await ask('POST /notifications/trigger/', { as: admin, body: trigger })).id },
  }),
  'POST /notifications/push/': async () => ({
    as: admin,
    body: {
      userIds: [officer.id],
      title: 'New',
      body: 'Look',
      cta: { label: 'Open', url: '/panel' },
      metadata: { a: 1 },
    },
  }),
  'GET /notifications/list/': async () => ({
    as: officer,
    query: { perPage: '5' },
    after: ({ items }) => (known.notification = items[0].id),
  }),
  'PUT /notifications/{id}/read/': async () => ({ as: officer, path: { id: known.notification! } }),
  'DELETE /notifications/clear/': async () => ({ as: officer }),
  'GET /prompts/getPrompt': async () => ({ as: officer }),
  'POST /prompts/script/new/': async () => ({
    as: officer,
    body: { title: 'Mine', content: 'Words', tags: ['a'] },
    after: ({ id }) => (known.script = id),
  }),
  'GET /prompts/script/list/': async () => ({ as: officer, query: { wheres: 'title:contains:mi' } }),
  'PUT /prompts/script/{id}/update/': async () => ({
    as: officer,
    path: { id: known.script! },
    body: { title: 'Yours', content: 'More', tags: [] },
  }),
  'DELETE /prompts/script/{id}/delete/': async () => ({
    as: officer,
    path: { id: (await ask('POST /prompts/script/new/', { as: officer, body: { title: 'Mine', content: 'W' } })).id },
  }),
  'GET /subscriptions/products/public/list/': async () => ({ as: null, after: ([{ id }]) => (known.product = id) }),
  'GET /subscriptions/products/public/retrieve/{id}': async () => ({
    as: null,
    path: { id: (await ask('GET /subscriptions/products/public/list/', { as: null }))[0].id },
  }),
  'GET /subscriptions/active/': async () => ({ as: officer }),
  'GET /subscriptions/{userId}/find/': async () => ({ as: admin, path: { userId: officer.id } }),
  'GET /subscriptions/payment/charge/list/': async () => ({ as: officer }),
  'GET /subscriptions/products/list/': async () => ({ as: officer }),
  'GET /subscriptions/portal/': async () => ({ as: await signedIn(service, payer) }),
  'POST /subscriptions/payment/checkout/': async () => ({
    as: await makePerson(service, 'User'),
    ...anyOrder(known.plan!),
  }),
  'POST /subscriptions/payment/charge/': async () => ({ as: payer, ...anySingle }),
  'PUT /subscriptions/pause/': async () => ({ as: await buyer(service, known.plan!) }),
  'PUT /subscriptions/resume/': async () => {
    const as = await buyer(service, known.plan!)
    await ask('PUT /subscriptions/pause/', { as })
    return { as, ...anyResume }
  },
  'PUT /subscriptions/plan/update/': async () => ({
    as: await buyer(service, known.plan!),
    ...anyChange(known.otherPlan!),
  }),
  'GET /tenants/public/invitation/{code}': async () => ({ as: null, path: { code } }),
  'PUT /tenants/create': async () => ({ as: admin, body: { name: 'New tenant' } }),
  'GET /tenants/me': async () => ({ as: officer }),
  'GET /tenants/{tenantId}/find': async () => ({ as: admin, path: { tenantId } }),
  'POST /tenants/update': async () => ({
    as: admin,
    body: { tenantId, data: { defaultCoupomCode: 'WELCOME', totalUsersAllowed: 900 } },
  }),
  'GET /tenants/list': async () => ({ as: admin, query: { orderBy: 'name:asc' } }),
  'GET /accounts/users/search/': async () => ({
    as: admin,
    query: { perPage: '2', orderBy: 'name:asc', wheres: 'role:eq:User' },
  }),
  'DELETE /accounts/user/delete/': async () => ({
    as: await signedIn(service, admin),
    query: { userId: (await makePerson(service, 'User')).id },
  }),
  'POST /accounts/user/createToken/': async () => ({ as: officer }),
  'GET /accounts/user/getToken/': async () => ({ as: officer }),
  'POST /accounts/public/email/send': async () => ({ as: null, query: { email: 'who@knows.test' } }),
  'POST /accounts/public/changePassword/': async () => ({
    as: null,
    body: { email: 'who@knows.test', pass: 'Long-enough-1x', passConfirm: 'Long-enough-1x', code: '000000' },
    refused: 400,
  }),
  'PUT /accounts/user/changeEmail': async () => ({
    as: await signedIn(service, officer),
    body: { email: 'new@knows.test', code: '000000' },
    refused: 400,
  }),
  'POST /accounts/public/email/validate': async () => ({
    as: null,
    query: { email: 'who@knows.test', code: '000000', keepCode: 'true' },
  }),
  'GET /accounts/public/email/avaliable': async () => ({ as: null, query: { email: 'free@knows.test' } }),
  'PUT /accounts/user/update': async () => ({
    as: admin,
    body: {
      userId: admin.id,
      name: 'Olivia',
      profession: 'Loan officer',
      photoUrl: '',
      preferences: { primaryColor: '#112233', isFeedbackEnabled: false },
      timezone: 'America/Denver',
      fcmToken: 'x',
    },
  }),
  'GET /accounts/binded/list': async () => ({ as: admin, query: { editorId: editor.id } }),
  'POST /accounts/user/setup/': async () => ({ as: officer, body: { name: 'Olivia', profession: 'Loan officer' } }),
  'POST /accounts/public/login': async () => ({
    as: null,
    body: { system: 'APP', email: known.email!, password: 'Long-enough-1x' },
  }),
  'POST /accounts/public/create': async () => {
    known.email = `${randomUUID()}@new.test`
    return {
      as: null,
      body: {
        email: known.email,
        name: 'New',
        password: 'Long-enough-1x',
        passwordConfirmation: 'Long-enough-1x',
        profession: 'Loan officer',
        invitationCode: code,
      },
    }
  },
  'GET /accounts/user/info': async () => ({ as: officer }),
  'POST /projects/reorder/': async () => ({ as: admin, body: { projectId: await submit(), position: -5 } }),
  'GET /projects/list': async () => ({
    as: officer,
    query: { perPage: '3', orderBy: 'submitTimestamp:desc', wheres: 'status:eq:0' },
  }),
  'GET /projects/{userId}/next': async () => ({ as: editor, path: { userId: editor.id } }),
  'POST /projects/create': async () => ({
    as: officer,
    body: {
      title: 'T',
      instructions: 'I',
      submitMonth: later,
      captionStyle: 4,
      captionSuggestion: 'NMLS',
      assets: [await makeVideo(service, officer)],
    },
  }),
  'GET /projects/{projectId}/': async () => ({ as: officer, path: { projectId: project } }),
  'GET /projects/goals/list/': async () => ({ as: editor }),
  'POST /projects/{projectId}/review/': async () => ({
    as: officer,
    path: { projectId: await approved() },
    body: { revision: 'Shorter' },
  }),
  'DELETE /projects/{projectId}/cancel/': async () => ({ as: officer, path: { projectId: await submit() } }),
  'PUT /projects/edition/start/': async () => ({ as: editor, body: { projectId: await submit() } }),
  'PUT /projects/{projectId}/sendToApproval/': async () => {
    const id = await started()
    return {
      as: editor,
      path: { projectId: id },
      body: { finalVideoId: await makeVideo(service, editor, { id, tenantId }) },
    }
  },
  'GET /projects/free/allowed/': async () => ({ as: officer }),
  'POST /projects/{projectId}/approve/': async () => ({
    as: qa,
    path: { projectId: await sent() },
    body: { publishAt: `${later}-15T12:00:00Z` },
  }),
  'POST /projects/{projectId}/unschedule/': async () => {
    const { id } = await ask('POST /projects/create', {
      as: officer,
      body: { title: 'T', submitMonth: later, assets: [await makeVideo(service, officer)] },
    })
    return { as: officer, path: { projectId: id } }
  },
  'POST /projects/{projectId}/rollback/': async () => ({ as: admin, path: { projectId: await sent() } }),
  'POST /projects/{projectId}/deny/': async () => ({
    as: qa,
    path: { projectId: await sent() },
    body: {
      denyFeedback: { criteria: feedbackCriteria.map((one) => ({ ...one, score: 10 })) },
      categories: ['technical'],
    },
  }),
  'GET /projects/user/{userId}/history/': async () => ({ as: qa, path: { userId: officer.id } }),
  'GET /projects/pool/size/': async () => ({ as: editor }),
  'PUT /user-context/notes/': async () => ({
    as: editor,
    body: { userId: officer.id, title: 'Taste', content: 'Slow', assets: [] },
    after: ({ id }) => (known.note = id),
  }),
  'GET /user-context/notes/user/{userId}/': async () => ({ as: editor, path: { userId: officer.id } }),
  'POST /user-context/notes/{id}/': async () => ({
    as: qa,
    path: {
      id: (await ask('PUT /user-context/notes/', { as: editor, body: { userId: officer.id, title: 'T', content: '' } }))
        .id,
    },
    body: { title: 'T2', content: 'x' },
  }),
  'DELETE /user-context/notes/{id}/': async () => ({
    as: editor,
    path: {
      id: (await ask('PUT /user-context/notes/', { as: editor, body: { userId: officer.id, title: 'T', content: '' } }))
        .id,
    },
  }),
  'POST /emails/public/send': async () => ({
    as: null,
    body: { to: 'me@some.test', subject: 'Hello', body: 'A question' },
  }),
  'GET /app-config/public/version/latest': async () => ({ as: null }),
  'POST /track/public/send/': async () => ({
    as: null,
    body: { category: 'page', label: 'home', action: 'seen', params: [{ name: 'a', value: 1 }] },
  }),
}

const request = async (call: string, { as, path = {}, query, body }: Step, turned = false) => {
  const [method, template] = call.split(' ') as [string, string]
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => path[name]!)
  const spelled = turned ? (filled.endsWith('/') ? filled.slice(0, -1) : `${filled}/`) : filled
  return service.app.inject({
    method: method as 'GET',
    url: `/api${spelled}${query ? `?${new URLSearchParams(query)}` : ''}`,
    headers: headersOf(as),
    ...(body === undefined ? {} : { payload: body as object }),
  })
}

const ask = async (call: string, step: Step): Promise<any> => {
  const response = await request(call, step)
  expect(response.statusCode, `${call}: ${response.body.slice(0, 300)}`).toBeLessThan(300)
  return response.json()
}

it('every call of the specification has a test step', () => {
  expect(Object.keys(steps).sort()).toEqual(specification.map(({ call }) => call).sort())
  expect(new Set(specification.map(({ call }) => call)).size).toBe(specification.length)
})

// The officer's mailbox and the list it leads to are made by earlier rows: the order is the table's.
describe('the specified call', () => {
  beforeAll(async () => void (project = await submit()))
  // Signing in needs the account that signing up made.
  const ordered = [...specification].sort(
    (a, b) => Number(b.call.endsWith('/public/create')) - Number(a.call.endsWith('/public/create')),
  )
  for (const row of ordered)
    it(row.call, async () => {
      for (const turned of [false, true]) {
        const step = await steps[row.call]!()
        sendsOnlyWhatIsDocumented(row, step)
        const response = await request(row.call, step, turned)
        if (step.refused !== undefined) {
          expect(response.statusCode, response.body).toBe(step.refused)
          expect(response.json(), row.call).toMatchObject({
            message: expect.any(String),
            kind: expect.any(String),
            requestId: expect.any(String),
          })
          continue
        }
        expect(response.statusCode, response.body.slice(0, 400)).toBeLessThan(300)
        const answer = response.json()
        holds(row.answers, answer)
        step.after?.(answer)
      }
    })
})

const sendsOnlyWhatIsDocumented = (row: SpecifiedCall, step: Step) => {
  const given = Object.keys((step.body ?? {}) as object).filter(
    (name) => (step.body as Record<string, unknown>)[name] !== undefined,
  )
  expect((row.body ?? []).length > 0 ? given.filter((name) => !row.body!.includes(name)) : given).toEqual([])
  expect(Object.keys(step.query ?? {}).filter((name) => !(row.query ?? []).includes(name))).toEqual([])
}

const holds = (answers: SpecifiedCall['answers'], answer: any) => {
  if (typeof answers !== 'string') return expect(Object.keys(answer)).toEqual(expect.arrayContaining([...answers]))
  if (answers.startsWith('page of ')) {
    expect(answer).toMatchObject({ items: expect.any(Array) })
    expect(answer).toHaveProperty('nextCursor')
    return answer.items.forEach((item: object) => isEntity(answers.slice(8) as keyof typeof entities, item))
  }
  if (answers.endsWith('[]')) {
    expect(answer).toBeInstanceOf(Array)
    return answer.forEach((item: object) => isEntity(answers.slice(0, -2) as keyof typeof entities, item))
  }
  return isEntity(answers as keyof typeof entities, answer)
}

const isEntity = (name: keyof typeof entities, thing: object) => {
  const required = entities[name].split(' ').filter((field) => !field.endsWith('?'))
  expect(Object.keys(thing), name).toEqual(expect.arrayContaining(required))
}
