import { randomUUID } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { everyCall } from '@clear-to-post/contract/api'
import type { Permission } from '@clear-to-post/domain/access'
import { jobCodeOf } from '@clear-to-post/domain/job-code'
import { exportUrl, kitUrl, sourcesUrl } from '../src/assets/addresses.ts'
import { sql } from '../src/kernel/database.ts'
import { storage } from '../src/outside/storage.ts'
import { samplesOf } from './samples.ts'
import { type Stage } from './stage.ts'
import type { Person, Service } from './service.ts'

/**
 * Every route of the running server that is no call of the contract (those stand in `samples.ts`). A route is declared by
 * `METHOD /path` as the router knows it; the HEAD twin of a GET is declared with it.
 */
export type DeclaredRoute = {
  /**
   * Who is let in: a permission of the domain, `signed-in`, or `anyone`: then a token, good or bad, makes no difference.
   * Where an address is itself the permission, `holder` says what makes it unguessable.
   */
  who: Permission | 'signed-in' | 'anyone'
  holder?: string
  /** How it is asked, by this person for things of the stage. A new thing each time, where asking uses one up. */
  ask: (service: Service, stage: Stage, person: Person | null) => Promise<Asked> | Asked
  /** Where an id of somebody else's may stand, and what of a stage is put there. */
  places?: readonly RoutePlace[]
  /** Only where the web app is built. */
  isOfTheSite?: true
}

export type Asked = {
  /** Fills the path's parameters. */
  params?: Record<string, string>
  query?: string
  headers?: Record<string, string>
  payload?: string | object
}

export type RoutePlace = {
  in: 'path' | 'header' | 'query' | 'body'
  name: string
  /** The id of somebody else's that an attacker would want there. */
  of: (service: Service, stage: Stage) => Promise<string> | string
  /** How an id is written there; an id as it is, if not said. */
  write?: (id: string) => string
}

/** An upload that was begun and has no byte yet. */
const beginUpload = async (service: Service, author: Person): Promise<string> => {
  const id = randomUUID()
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into asset (id, tenant_id, author_id, purpose, file_name, extension, declared_type, file_size, state)
      values (${id}, ${author.tenantId}, ${author.id}, 'source', 'video.mp4', 'mp4', 'video/mp4', 5, 'uploading')`),
  )
  await storage().create(id)
  return id
}

/** The upload of an officer's that waits for its bytes; the same each time. */
export const openUploadOf = async (service: Service, { officer }: Pick<Stage, 'officer'>): Promise<string> => {
  const known = waiting.get(officer) ?? beginUpload(service, officer)
  waiting.set(officer, known)
  return known
}
const waiting = new WeakMap<Person, Promise<string>>()

const tus = { 'tus-resumable': '1.0.0' }
const bytes = {
  headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
  payload: 'video',
}
const upload = (more: Pick<Asked, 'headers' | 'payload'> = { headers: tus }): Omit<DeclaredRoute, 'holder'> => ({
  who: 'asset.upload',
  ask: async (service, stage, person) => ({
    params: { assetId: await beginUpload(service, person ?? stage.officer) },
    ...more,
  }),
  places: [{ in: 'path', name: 'assetId', of: openUploadOf }],
})
const metadata = (name: string, text: string) => `${name} ${Buffer.from(text).toString('base64')}`
const page = (more: Partial<DeclaredRoute> = {}): DeclaredRoute => ({ who: 'anyone', ask: () => ({}), ...more })
const sitePage = (): DeclaredRoute => page({ isOfTheSite: true })
const ofPayments = (): DeclaredRoute =>
  page({ holder: 'a random id that the sandbox made', ask: () => ({ params: { id: 'nothing' }, payload: {} }) })
const oauthFlow = (more: Partial<Asked> = {}): DeclaredRoute =>
  page({
    holder: 'the cookie of the OAuth flow and its state',
    ask: () => ({ query: 'state=nothing&code=nothing', ...more }),
  })

const signedZip = (address: (id: string, asking: Person, now: Date) => string): DeclaredRoute =>
  page({
    holder: 'the signature over path, hour and reader, a person or key who still reaches the project',
    ask: (_service, { project, officer }) => ({
      params: { projectId: project.id },
      query: address(project.id, officer, new Date()).split('?')[1]!,
    }),
    places: [{ in: 'path', name: 'projectId', of: (_service, { project }) => project.id }],
  })

const declared: Record<string, DeclaredRoute> = {
  'GET /api/events': { who: 'signed-in', ask: () => ({}) },
  'GET /api/docs': page(),
  'GET /api/openapi.json': page(),
  'OPTIONS /uploads': page(),
  'POST /uploads': {
    who: 'asset.upload',
    ask: (_service, _stage, person) => ({
      // A new one is made each time, and nobody may hold more than ten: one of no length is done at once.
      headers: { ...tus, 'upload-length': '0', 'upload-metadata': metadata('filename', `${person?.id ?? 'a'}.mp4`) },
    }),
    places: [
      {
        in: 'header',
        name: 'upload-metadata',
        of: (_service, { project }) => project.id,
        write: (id) => `${metadata('filename', 'cut.mp4')},${metadata('projectId', id)}`,
      },
      {
        in: 'header',
        name: 'upload-metadata',
        of: (_service, { begun }) => begun.id,
        write: (id) => metadata('filename', `${jobCodeOf(id)} cut.mp4`),
      },
    ],
  },
  'HEAD /uploads/:assetId': upload(),
  'PATCH /uploads/:assetId': upload(bytes),
  'DELETE /uploads/:assetId': upload(),
  'GET /media/zip/:projectId': signedZip(sourcesUrl),
  'GET /media/kit/:projectId': signedZip(kitUrl),
  'GET /media/export/:exportId': page({
    holder: 'the signature over path and moment',
    ask: (_service, { officer }) => ({
      params: { exportId: officer.id },
      query: exportUrl(officer.id, new Date()).split('?')[1]!,
    }),
    places: [{ in: 'path', name: 'exportId', of: (_service, { officer }) => officer.id }],
  }),
  'GET /media/:assetId/*': page({
    holder: 'the signature over path, hour and name',
    ask: (_service, { asset }) => ({ params: { assetId: asset, '*': 'play.mp4' }, query: 'until=1&sign=nothing' }),
    places: [{ in: 'path', name: 'assetId', of: (_service, { asset }) => asset }],
  }),
  'GET /calendar/:secret': page({
    holder: '256 random bits',
    ask: () => ({ params: { secret: `${'a'.repeat(43)}.ics` } }),
  }),
  'GET /unsubscribe': page({ holder: 'the signature over person and kinds', ask: () => ({ query: 'token=nothing' }) }),
  'POST /unsubscribe': page({ holder: 'the signature over person and kinds', ask: () => ({ query: 'token=nothing' }) }),
  'POST /webhooks/payments': page({
    holder: 'the provider’s signature over the bytes',
    ask: () => ({ headers: { 'stripe-signature': 't=1,v1=nothing' }, payload: { id: 'evt_1' } }),
  }),
  'GET /sandbox/checkout/:id': ofPayments(),
  'POST /sandbox/checkout/:id': ofPayments(),
  'GET /sandbox/portal/:id': ofPayments(),
  'POST /sandbox/portal/:id': ofPayments(),
  'GET /sandbox/receipts/:id': ofPayments(),
  'GET /sandbox/invoices/:id': ofPayments(),
  'POST /sandbox/invoices/:id': ofPayments(),
  'POST /sandbox/clock': page({ ask: () => ({ payload: { days: 0 } }) }),
  'GET /health/live': page(),
  'GET /health/ready': page(),
  'GET /metrics': page(),
  'GET /dev/outbox': page(),
  'GET /dev/outbox/:id': page({ ask: () => ({ params: { id: randomUUID() } }) }),
  'GET /dev/csp-reports': page(),
  'POST /csp-reports': page({ ask: () => ({ headers: { 'content-type': 'application/csp-report' }, payload: '{}' }) }),
  'GET /identity/google/start': oauthFlow({ query: 'state=nothing' }),
  'GET /identity/google/callback': oauthFlow(),
  'POST /identity/google/callback': oauthFlow({ payload: {} }),
  'GET /identity/apple/start': oauthFlow({ query: 'state=nothing' }),
  'GET /identity/apple/callback': oauthFlow(),
  'POST /identity/apple/callback': oauthFlow({ payload: {} }),
  'POST /identity/apple/notices': page({ holder: 'Apple’s signature', ask: () => ({ payload: { payload: 'x' } }) }),
  'GET /dev/sign-in/google/*': page({ ask: () => ({ params: { '*': 'nothing' } }) }),
  'POST /dev/sign-in/google/*': page({ ask: () => ({ params: { '*': 'nothing' }, payload: {} }) }),
  'GET /dev/sign-in/apple/*': page({ ask: () => ({ params: { '*': 'nothing' } }) }),
  'POST /dev/sign-in/apple/*': page({ ask: () => ({ params: { '*': 'nothing' }, payload: {} }) }),
  'GET /dev/sign-in/submit.js': page(),
  'GET /dev/sign-in/sandbox.css': page(),
  'GET /': sitePage(),
  'GET /terms': sitePage(),
  'GET /privacy': sitePage(),
  'GET /whats-new': sitePage(),
  'GET /contact': sitePage(),
  'GET /status': sitePage(),
  'GET /favicon.ico': sitePage(),
  'GET /robots.txt': sitePage(),
  'GET /sitemap.xml': sitePage(),
  'POST /contact': page({ isOfTheSite: true, ask: () => ({ payload: {} }) }),
}

/** How a route is declared: here, as a call of the contract, or as a file of the built web app; undefined when it is not. */
export const routeOf = (route: string): DeclaredRoute | undefined => {
  const [method, path] = route.split(' ') as [string, string]
  const found = declared[route] ?? calls[route] ?? (method === 'GET' && isFileOfTheSite(path) ? sitePage() : undefined)
  return found ?? (method === 'HEAD' ? routeOf(`GET ${path}`) : undefined)
}

/** What is declared for these routes to be there, and is not. */
export const declaredButAbsent = (routes: readonly string[]): string[] =>
  [...Object.keys(declared), ...Object.keys(calls)].filter(
    (route) => !routes.includes(route) && !(declared[route]?.isOfTheSite && !isBuilt),
  )

const calls: Record<string, DeclaredRoute> = Object.fromEntries(
  everyCall.map(({ name, shape }) => [
    `${shape.method} ${(shape.base ?? '/api') + shape.path}`,
    {
      who: shape.access,
      ask: (_service: Service, stage: Stage): Asked => {
        const { params, query, body } = samplesOf(stage)[name]!()
        return {
          ...(params ? { params } : {}),
          ...(query ? { query: String(new URLSearchParams(query as Record<string, string>)) } : {}),
          ...(body === undefined ? {} : { payload: body as object }),
        }
      },
    } satisfies DeclaredRoute,
  ]),
)

const dist = resolve(import.meta.dirname, '../../web/dist')
const isBuilt = existsSync(join(dist, '.server'))
const isFileOfTheSite = (path: string): boolean =>
  !path.includes('..') && (statSync(join(dist, path), { throwIfNoEntry: false })?.isFile() ?? false)
