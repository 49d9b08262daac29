import { createHash } from 'node:crypto'
import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Config } from './config.ts'
import { isFromHere } from './network.ts'

/** Every answer's security headers (design: no inline script or style, an A+ by Mozilla's scanner), and the reports' sink. */
export const mountHeaders = async (
  app: FastifyInstance,
  {
    publicUrl,
    isHosted,
    bucket,
    limits,
  }: Pick<Config, 'publicUrl' | 'isHosted'> & Partial<Pick<Config, 'bucket'>> & { limits: boolean },
): Promise<void> => {
  await app.register(helmet, {
    contentSecurityPolicy: false,
    strictTransportSecurity: publicUrl.startsWith('https:') ? { maxAge: 63_072_000, includeSubDomains: true } : false,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  })
  // Pages put parts of uploads into the bucket themselves.
  const policy = contentPolicy({ connects: bucket?.publicUrl ? [new URL(bucket.publicUrl).origin] : [] })
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'content-security-policy': policy, 'permissions-policy': permissions })
  })
  mountReports(app, { isHosted, limits })
}

/**
 * The content policy of a page. `styles` and `scripts` are texts of inline elements that this page alone may have, allowed
 * by their hash; `hosts` are origins whose scripts the operator loads, `connects` some that pages may ask.
 */
export const contentPolicy = ({
  styles = [],
  scripts = [],
  hosts = [],
  connects = [],
}: {
  styles?: readonly string[]
  scripts?: readonly string[]
  hosts?: readonly string[]
  connects?: readonly string[]
}): string =>
  Object.entries({
    'default-src': ["'none'"],
    'script-src': ["'self'", ...scripts.map(hashOf), ...hosts],
    'style-src': ["'self'", ...styles.map(hashOf)],
    'img-src': ["'self'", 'data:', 'blob:', ...hosts],
    'media-src': ["'self'", 'blob:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...hosts, ...connects],
    'manifest-src': ["'self'"],
    'worker-src': ["'self'", 'blob:'],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    'report-uri': [reportsPath],
  })
    .map(([directive, sources]) => `${directive} ${sources.join(' ')}`)
    .join(';')

/** For a page of ours that carries its own style element. */
export const allowStyle = (reply: FastifyReply, style: string): FastifyReply =>
  reply.header('content-security-policy', contentPolicy({ styles: [style] }))

const reportsPath = '/csp-reports'
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

// Camera and microphone record the officer's video; nothing else is ours to ask for.
const permissions = [
  'camera=(self)',
  'microphone=(self)',
  ...['geolocation', 'payment', 'usb', 'serial', 'hid', 'midi', 'browsing-topics'].map((name) => `${name}=()`),
].join(', ')

const kept = 100

/**
 * `POST /csp-reports`: what browsers say they refused; small, limited by network, logged, never stored. While developing,
 * `GET /dev/csp-reports` on this machine shows the last ones.
 */
const mountReports = (app: FastifyInstance, { isHosted, limits }: { isHosted: boolean; limits: boolean }): void => {
  const reports: string[] = []
  const types = ['application/csp-report', 'application/reports+json']
  for (const type of types)
    app.addContentTypeParser(type, { parseAs: 'string', bodyLimit: 16 * 1024 }, (_request, body, done) =>
      done(null, body),
    )
  app.post<{ Body: string }>(
    reportsPath,
    {
      bodyLimit: 16 * 1024,
      ...(limits ? { config: { rateLimit: { max: 30, timeWindow: '1 minute' } } } : {}),
    },
    async (request, reply) => {
      // What a stranger sends is text for the log and nothing more.
      if (typeof request.body === 'string') {
        const report = request.body.slice(0, 2000)
        request.log.warn({ report }, 'a browser refused something by our content policy')
        reports.push(report)
        if (reports.length > kept) reports.shift()
      }
      return reply.code(204).send()
    },
  )
  if (isHosted) return
  app.get('/dev/csp-reports', async (request, reply) => {
    if (!isFromHere(request)) return reply.callNotFound()
    return { items: reports }
  })
}
