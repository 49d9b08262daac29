import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/**
 * Every package that runs with the service and has code that could ask somebody over the network: whom it asks, or why it
 * never does. A package that follows an address which people send is a door to what lies inside (SSRF).
 */
const asks: Record<string, string> = {
  '@atproto/api': 'Bluesky and a person’s own server: through our guarded fetch',
  '@atproto/xrpc': 'the same',
  '@fastify/rate-limit': 'nobody: it reads addresses',
  '@mediapipe/face_detection': 'nobody: its weights are read, none of its programs is run',
  '@napi-rs/canvas': 'nobody: pictures are handed to it, or lie beside the code',
  '@opentelemetry/otlp-exporter-base':
    'the collector of OTEL_EXPORTER_OTLP_ENDPOINT; it is loaded only where that is set',
  '@redis/client': 'nobody: a store of tus that is not used',
  '@simplewebauthn/server': 'nobody: what a passkey’s maker says is taken away before it reads it',
  '@tus/server': 'nobody: it answers',
  'agent-base': 'nobody: for a proxy of web-push that is not set',
  aws4fetch: 'the bucket',
  fastify: 'nobody: it answers',
  'find-my-way': 'nobody: the names of methods',
  glob: 'nobody: a method of its cache is called fetch',
  'https-proxy-agent': 'nobody: for a proxy of web-push that is not set',
  ioredis: 'nobody: a store of tus that is not used',
  kysely: 'nobody: a word of SQL',
  'light-my-request': 'nobody: requests without a line',
  'lru-cache': 'nobody: a method is called fetch',
  nodemailer: 'the mail server of SMTP_URL; messages hold no addresses of files',
  pg: 'the database',
  'pg-boss': 'nobody: a method is called fetch',
  'prom-client': 'nobody: a gateway that is not used',
  srvx: 'nobody: it answers',
  stripe: 'Stripe',
  'web-push': 'nobody: messages are encrypted by it, and sent by us',
}

it('every package of the service that could ask somebody over the network is named with whom it asks', () => {
  const found = new Set(
    installed()
      .filter(({ files }) => files.some((file) => network.test(readFileSync(file, 'utf8'))))
      .map(({ name }) => name),
  )
  expect([...found].sort()).toEqual(Object.keys(asks).sort())
})

const network = new RegExp(
  [
    String.raw`(?<![.\w$'"\x60/-])fetch\s*\(`,
    String.raw`globalThis\.fetch`,
    String.raw`\b(?:https?|http2)\.(?:request|get|connect)\s*\(`,
    String.raw`\b(?:net|tls)\.(?:connect|createConnection)\s*\(`,
    String.raw`new WebSocket\(`,
    String.raw`(?:require\(|from )['"](?:node:)?(?:https?|net|tls|http2|dgram|dns)['"]`,
  ].join('|'),
)

type Locked = { link?: boolean; resolved?: string; dependencies?: object; optionalDependencies?: object }

/** What npm installs for the server without what develops it, and the programs in it. */
function installed(): { name: string; files: string[] }[] {
  const root = join(import.meta.dirname, '../..')
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  const reached = new Set<string>()
  const walk = (path: string): void => {
    if (reached.has(path)) return
    reached.add(path)
    const { link, resolved, dependencies, optionalDependencies } = packages[path]!
    if (link) return walk(resolved!)
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = foundFrom(path, name)
      if (found !== undefined) walk(found)
    }
  }
  // As Node looks: beside whoever asks, then further up.
  const foundFrom = (path: string, name: string): string | undefined => {
    for (let at = path; ; at = at.includes('/node_modules/') ? at.slice(0, at.lastIndexOf('/node_modules/')) : '') {
      const candidate = join(at, 'node_modules', name)
      if (packages[candidate]) return candidate
      if (at === '') return undefined
    }
  }
  walk('server')
  return [...reached]
    .filter((path) => path.includes('node_modules'))
    .map((path) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      files: programs(join(root, path)),
    }))
}

function programs(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(
        (path) => /\.[cm]?js$/.test(path) && !/(^|\/)(node_modules|tests?|__tests__|examples|benchmarks?)\//.test(path),
      )
      .map((path) => join(folder, path))
  } catch {
    // A package for another kind of machine is not installed.
    return []
  }
}
