import { randomUUID } from 'node:crypto'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import formbody from '@fastify/formbody'
import rateLimit from '@fastify/rate-limit'
import fastify, { LogController, type FastifyInstance, type FastifyRequest, type RouteOptions } from 'fastify'
import { Refusal, refusal } from '@clear-to-post/contract/errors'
import { openProviderAccount } from '../accounts/actions.ts'
import { accountsCalls } from '../accounts/calls.ts'
import { openApiKeys } from '../api-keys/actions.ts'
import { apiKeysCalls } from '../api-keys/calls.ts'
import { assetsCalls } from '../assets/calls.ts'
import { auditCalls } from '../audit/calls.ts'
import { jobsCalls } from '../jobs/calls.ts'
import { calendarCalls } from '../calendar/calls.ts'
import { knowAskers } from '../kernel/asker.ts'
import { systemCaller, type Database } from '../kernel/database.ts'
import { editsCalls } from '../edits/calls.ts'
import { clipsCalls } from '../clips/calls.ts'
import { looksCalls } from '../looks/calls.ts'
import { feedbackCalls } from '../feedback/calls.ts'
import { goalsCalls } from '../goals/calls.ts'
import { reportsCalls } from '../reports/calls.ts'
import { identityCalls, waysIn, type Identity } from '../identity/calls.ts'
import type { Config } from '../kernel/config.ts'
import { notesCalls } from '../notes/calls.ts'
import { notificationsCalls } from '../notifications/calls.ts'
import { personalDataCalls } from '../personal-data/calls.ts'
import { openNetworks } from '../outside/networks/networks.ts'
import { publishingCalls } from '../publishing/calls.ts'
import { projectsCalls } from '../projects/calls.ts'
import { scriptsCalls } from '../scripts/calls.ts'
import { pushCalls } from '../push/calls.ts'
import { viewsCalls } from '../views/calls.ts'
import { supportCalls } from '../support/calls.ts'
import { catalogueCalls } from '../subscriptions/catalogue-calls.ts'
import { listedProducts, subscriptionsCalls } from '../subscriptions/calls.ts'
import { invitationsCalls } from '../invitations/calls.ts'
import { tenantsCalls } from '../tenants/calls.ts'
import { productVersion, trackingCalls } from '../tracking/calls.ts'
import { openWebhooks } from '../outside/webhooks.ts'
import { webhooksCalls } from '../webhooks/calls.ts'
import { mountCalendar } from '../http/calendar.ts'
import { defaultConnectionLimits, limitConnections, type ConnectionLimits } from '../http/connections.ts'
import { gatherBodies } from '../http/body-pieces.ts'
import { readForm, readJson } from '../http/json-body.ts'
import { loggedAddress } from '../http/logged-address.ts'
import { failureOf } from '../kernel/errors.ts'
import { mountHeaders } from '../kernel/headers.ts'
import { mountHealth, type Health } from '../http/health.ts'
import { mountLive, type Live } from '../http/live.ts'
import { mountMedia } from '../http/media.ts'
import { mount, strangersBytes } from '../kernel/call.ts'
import { boundAnswers } from '../kernel/answered.ts'
import { boundWrites } from '../kernel/written.ts'
import { storage } from '../outside/storage.ts'
import { closeStandIns, warnOfProxies, trustedProxies } from '../kernel/network.ts'
import { limitStore, ownLimits, type Limits } from '../kernel/limits-over-hosts.ts'
import { mountOutbox } from '../stand-ins/outbox.ts'
import { mountSandbox } from '../stand-ins/payments/pages.ts'
import { openPayments } from './payments.ts'
import { logTo } from './terminal.ts'
import { isPerson, mountPages } from '../http/pages.ts'
import { piecesOf } from '../http/pieces.ts'
import {
  answerNonsense,
  answerPersonLater,
  answerUnroutable,
  closeGently,
  ignoreExpectations,
  keepAddress,
  requireOneHost,
  requireUnpacked,
} from '../http/protocol.ts'
import { observeRequests } from '../http/observed.ts'
import { leastPacked, packTexts } from '../http/packed.ts'
import { mountReference } from '../http/reference.ts'
import { mountSignIn, mountSignInSandbox } from '../http/sign-in.ts'
import type { Site } from '../http/site.ts'
import { defaultTimeouts, limitTimes, type Timeouts } from '../http/timeouts.ts'
import { mountUnsubscribe } from '../http/unsubscribe.ts'
import { mountUploads } from '../http/uploads.ts'
import { mountWebhooks } from '../http/webhooks.ts'

export type AppOptions = {
  config: Config
  database: Database
  identity: Identity
  live: Live
  health: Health
  /** Whether limits by the minute count; off only for load tests of our own. */
  limits?: boolean
  /** Whether requests are logged, and where to, if not to the standard output. */
  log?: boolean | { write: (line: string) => void }
  /** Other limits than the product's own (see timeouts.ts, connections.ts), for tests. */
  timeouts?: Partial<Timeouts> | undefined
  connections?: Partial<ConnectionLimits> | undefined
  /** Another built web app than web/dist, for tests. */
  webRoot?: string | undefined
  /** How limits by the minute are counted: by this host alone, unless said. */
  bounds?: Limits | undefined
  /** Hears of every route, for tests that walk all of them. */
  onRoute?: ((route: RouteOptions) => void) | undefined
}

/** Answers that nobody keeps: by the route that was matched, however its address was spelt; and where none was. */
const isNeverKept = ({ url, routeOptions }: FastifyRequest): boolean =>
  [routeOptions.url ?? '', url].some((address) => /^\/(api|identity)/.test(address))

/** The whole HTTP service: every room's calls, and the few routes that are no calls. */
export const buildApp = async (options: AppOptions): Promise<FastifyInstance> => {
  const { config, database, identity, live, health, limits = true, log = true, bounds = ownLimits() } = options
  const { authenticate, readToken, requireFresh } = identity
  const timeouts = { ...defaultTimeouts, ...options.timeouts }
  const app = fastify({
    // Of each part of beginning and of ending. An end reads what open lines have sent (protocol.ts): seconds, where much lies
    // there and the machine has much else to do.
    pluginTimeout: 60_000,
    logger: log && {
      level: config.logLevel,
      redact: ['req.headers.authorization', 'req.headers.cookie'],
      stream: log === true ? logTo() : logTo(log),
    },
    logController: new LogController({ disableRequestLogging: true }),
    // Of whoever is not known yet; calls for who is signed in take more (kernel/call.ts).
    bodyLimit: strangersBytes,
    trustProxy: trustedProxies(config),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    return503OnClosing: false,
    clientErrorHandler: answerNonsense,
    frameworkErrors: answerUnroutable,
    // Node would answer a missing Host in its own words: see `requireOneHost`.
    http: {
      requireHostHeader: false,
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: timeouts.checkMs,
    },
    genReqId: ({ headers: { 'x-request-id': sent } }) =>
      typeof sent === 'string' && usableRequestId.test(sent) ? sent : randomUUID(),
  })
  app.decorateRequest('caller', null)
  app.decorateRequest('sentRequestId', false)
  if (options.onRoute) app.addHook('onRoute', options.onRoute)
  knowAskers(app)
  limitTimes(app, timeouts)
  observeRequests(app)
  app.addHook('onRequest', async (request, reply) => {
    // Whoever reset the line hears no answer.
    if (!keepAddress(request)) return reply.hijack()
    request.sentRequestId = request.headers['x-request-id'] === request.id
    reply.header('x-request-id', request.id)
    if (isNeverKept(request)) reply.header('cache-control', 'no-store')
  })
  // Before anything may refuse: what is refused goes on holding its line until its body has come.
  const connections = { ...defaultConnectionLimits(), ...options.connections }
  limitConnections(app, connections, { isProxied: config.trustProxy !== false })
  app.addHook('onRequest', async (request) => {
    // Left out in silence it would promise that a repeat is safe.
    if (request.headers['x-request-id'] !== undefined && !request.sentRequestId)
      throw refusal(
        'request.invalid',
        'X-Request-Id may have 1 to 200 visible ASCII characters. Send a shorter, plain one.',
      )
    requireOneHost(request)
    requireUnpacked(request)
    // What is nowhere is answered before anything is read of it.
    if (request.is404 && !['GET', 'HEAD', 'OPTIONS'].includes(request.method)) throw refusal('request.no-such-call')
  })
  app.addHook('onResponse', async (request, reply) => {
    if (!request.url.startsWith('/assets'))
      request.log.info(
        {
          method: request.method,
          url: loggedAddress(request),
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime),
        },
        'answered',
      )
  })
  if (!config.isHosted) warnOfProxies(app, config)
  closeStandIns(app, config)
  let site: Site | undefined
  app.setErrorHandler((error, request, reply) => {
    const { status, body, unexpected } = failureOf(error, request.id)
    // A file that was not yet on its way when its reader left is put down, and says so as an error of its own.
    const isPutDown = reply.raw.closed && (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE'
    if (unexpected && !isPutDown) request.log.error({ err: error }, 'unexpected')
    if (status === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', '2')
    if (error instanceof Refusal && error.retryAfter !== undefined)
      reply.header('retry-after', String(error.retryAfter))
    if (status === 503 && isPerson(request)) return answerPersonLater(reply, body.message)
    if (unexpected && site && isPerson(request)) return site.failed(request, reply)
    return reply.code(status).send(body)
  })
  gatherBodies(app)
  readJson(app)
  closeGently(app)
  ignoreExpectations(app)

  await app.register(cookie)
  await app.register(formbody, { parser: readForm })
  const answers = boundAnswers({ limits })
  app.addHook('onSend', async ({ caller }, _reply, payload) => {
    if (caller && typeof payload === 'string') answers.count(caller, Buffer.byteLength(payload))
  })
  packTexts(app)
  await app.register(compress, {
    global: true,
    threshold: leastPacked,
    encodings: ['br', 'gzip'],
    globalDecompression: false,
  })
  await app.register(rateLimit, {
    global: false,
    store: limitStore(bounds),
    keyGenerator: (request) => request.ip,
    errorResponseBuilder: () => refusal('request.too-many'),
  })
  await mountHeaders(app, { ...config, limits })

  await openNetworks(config)
  await openWebhooks(config)
  const requireWritable = boundWrites({
    hasRoom: () => storage().hasRoom('write'),
    limits,
    counter: bounds.counter,
  })
  const readKey = openApiKeys({ database, secondFactor: config.secondFactor, limits, counter: bounds.counter })
  mount(
    app,
    [
      ...identityCalls(identity, openProviderAccount),
      ...accountsCalls({ identity, publicUrl: config.publicUrl, codeLimits: config.codeLimits }),
      ...apiKeysCalls(identity),
      ...personalDataCalls,
      ...invitationsCalls(identity),
      ...tenantsCalls,
      ...projectsCalls,
      ...assetsCalls,
      ...publishingCalls(config),
      ...scriptsCalls,
      ...subscriptionsCalls(config),
      ...catalogueCalls,
      ...viewsCalls,
      ...supportCalls,
      ...notificationsCalls,
      ...pushCalls(identity),
      ...clipsCalls,
      ...looksCalls,
      ...editsCalls,
      ...feedbackCalls,
      ...goalsCalls,
      ...auditCalls,
      ...jobsCalls,
      ...reportsCalls,
      ...notesCalls,
      ...calendarCalls(config),
      ...trackingCalls,
      ...webhooksCalls,
    ],
    {
      database,
      authenticate,
      readToken,
      readKey,
      requireFresh,
      requireWritable,
      requireReadable: answers.require,
      limits,
      publicUrl: config.publicUrl,
    },
  )
  mountSignIn(app, { identity, database, limits })
  mountSignInSandbox(app, config)
  mountLive(app, { live, authenticate, connections, limits })
  await mountUploads(app, { config, database, authenticate, readKey, requireWritable })
  mountMedia(app, { database, limits, secondFactor: config.secondFactor })
  mountCalendar(app, { database, publicUrl: config.publicUrl, limits })
  const parts = mountHealth(app, health, config)
  mountReference(app, productVersion, { limits })
  await mountOutbox(app, config)
  await mountUnsubscribe(app, { database, limits })
  const payments = openPayments(config, database)
  await mountWebhooks(app, { payments, database })
  await mountSandbox(app, { config, database, payments })
  site = await mountPages(app, {
    config,
    products: () => database.readOnly(systemCaller, listedProducts),
    ways: waysIn(identity),
    parts,
    piece: piecesOf(database),
    root: options.webRoot,
  })
  return app
}

const usableRequestId = /^[\x21-\x7e]{1,200}$/
