// npm run bench:web: what a phone meets on the public pages (Lighthouse, mobile, best of three) and what Mozilla's scanner
// says of the headers: the product behind a proxy as an operator would put it, https and HTTP/2. Both tools are as heavy as the product, so they are fetched into node_modules/.bench-web when needed.
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { freePort } from '../server/test/free-port.ts'
import { buildPanel } from './panel.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '..')
const tools = join(root, 'node_modules/.bench-web')
const wanted = { lighthouse: '13.5.0', '@mdn/mdn-http-observatory': '1.4.8' }
const runs = 3
const { values: flags } = parseArgs({ options: { only: { type: 'string', default: '' } } })
const goal = { performance: 98, accessibility: 100, 'best-practices': 100, seo: 100, lcp: 1300, cls: 0.01 }

const folder = await mkdtemp(join(tmpdir(), 'clear-to-post-web-'))
const [port, plain, secure] = await Promise.all([freePort(), freePort(), freePort()])
await bringTools()
await buildPanel()
const product = await startProduct()
// Ended from outside, we leave nothing behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
process.on('exit', () => product.kill('SIGTERM'))
const problems: string[] = []
try {
  const front = await openFront()
  if (flags.only !== 'headers') await lightness()
  if (flags.only !== 'pages') await headers(front.cert)
  front.close()
} finally {
  product.kill('SIGTERM')
  if (product.exitCode === null) await once(product, 'exit')
  await rm(folder, { recursive: true, force: true })
}
for (const problem of problems) console.error(`✗ ${problem}`)
process.exitCode = problems.length > 0 ? 1 : 0

/** The scores of each page, which have to reach the goal. */
async function lightness() {
  for (const path of ['/', '/login']) {
    const seen: Seen[] = []
    for (let i = 0; i < runs; i++) seen.push(await look(`https://localhost:${secure}${path}`, i))
    const best = seen.toSorted((a, b) => b.performance - a.performance || a.lcp - b.lcp)[0]!
    console.log(
      `${path.padEnd(7)} performance ${best.performance}, accessibility ${best.accessibility}, best practices ${best['best-practices']}, ` +
        `search ${best.seo}; LCP ${Math.round(best.lcp)} ms, CLS ${best.cls.toFixed(3)}, blocked ${Math.round(best.tbt)} ms, ${Math.round(best.bytes / 1000)} kB`,
    )
    if (best.failed.length > 0) console.log(`        not perfect: ${best.failed.join(', ')}`)
    for (const [name, least] of Object.entries(goal)) {
      const is = best[name as keyof typeof goal]
      if (name === 'lcp' || name === 'cls' ? is > least : is < least)
        problems.push(`${path}: ${name} is ${is}, goal ${least}`)
    }
  }
}

type Seen = typeof goal & { tbt: number; bytes: number; failed: string[] }

async function look(url: string, n: number): Promise<Seen> {
  const out = join(folder, `lighthouse-${n}.json`)
  const chromium = process.env.CHROMIUM_PATH ?? execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim()
  await run(
    process.execPath,
    [
      join(tools, 'node_modules/lighthouse/cli/index.js'),
      url,
      '--quiet',
      '--output=json',
      `--output-path=${out}`,
      '--only-categories=performance,accessibility,best-practices,seo',
      '--chrome-flags=--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --ignore-certificate-errors',
    ],
    { env: { ...process.env, CHROME_PATH: chromium }, maxBuffer: 1e8 },
  )
  const { categories, audits } = JSON.parse(await readFile(out, 'utf8')) as {
    categories: Record<string, { score: number; auditRefs: { id: string; weight: number }[] }>
    audits: Record<string, { score: number | null; numericValue?: number; title: string }>
  }
  const score = (name: string) => Math.round((categories[name]?.score ?? 0) * 100)
  const number = (name: string) => audits[name]?.numericValue ?? Number.NaN
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    'best-practices': score('best-practices'),
    seo: score('seo'),
    lcp: number('largest-contentful-paint'),
    cls: number('cumulative-layout-shift'),
    tbt: number('total-blocking-time'),
    bytes: number('total-byte-weight'),
    failed: Object.values(categories)
      .flatMap(({ auditRefs }) => auditRefs)
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9)
      .map(({ id }) => id),
  }
}

/** The proxy: https with a certificate that holds, HTTP/2 for whoever speaks it; http only leads there. */
async function openFront() {
  const cert = join(folder, 'cert.pem')
  const key = join(folder, 'key.pem')
  await run('openssl', [
    ...'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost'.split(' '),
    ...`-addext subjectAltName=DNS:localhost -keyout ${key} -out ${cert}`.split(' '),
  ])
  const behind = (from: Http2ServerRequest, to: Http2ServerResponse) => {
    const onward = request({ port, method: from.method, path: from.url, headers: plainOf(from.headers) }, (answer) => {
      to.writeHead(answer.statusCode!, plainOf(answer.headers))
      answer.pipe(to)
    })
    from.pipe(onward)
  }
  const sessions = new Set<{ destroy: () => void }>()
  const front = createSecureServer(
    { cert: await readFile(cert), key: await readFile(key), allowHTTP1: true },
    behind,
  ).listen(secure)
  front.on('session', (session) => sessions.add(session))
  const door = createServer((from, to) =>
    to.writeHead(301, { location: `https://localhost:${secure}${from.url}` }).end(),
  ).listen(plain)
  return {
    cert,
    close: () => {
      for (const session of sessions) session.destroy()
      front.close()
      door.close()
    },
  }
}

/** Without what belongs to one connection, which HTTP/2 forbids to hand on. */
function plainOf<Headers extends Record<string, unknown>>(headers: Headers): Headers {
  const kept = Object.entries(headers).filter(
    ([name]) => !name.startsWith(':') && !['connection', 'keep-alive', 'transfer-encoding'].includes(name),
  )
  return Object.fromEntries(kept) as Headers
}

async function headers(cert: string) {
  const { stdout } = await run(process.execPath, [await scanner()], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: cert },
  })
  const { grade, score, failed } = JSON.parse(stdout) as { grade: string; score: number; failed: string[] }
  console.log(
    `headers grade ${grade}, score ${score}${failed.length > 0 ? `; failed: ${failed.join(', ')}` : ''} (Mozilla's HTTP Observatory)`,
  )
  if (grade !== 'A+') problems.push(`headers: ${grade}, goal A+`)
}

/** The scanner's own parts in its own order (its scan.js), with ports of ours: it knows 80 and 443 only. */
async function scanner(): Promise<string> {
  const file = join(folder, 'scan.mjs')
  const from = (part: string) => JSON.stringify(join(tools, 'node_modules/@mdn/mdn-http-observatory/src', part))
  await writeFile(
    file,
    `import { ALL_TESTS } from ${from('constants.js')}
import { MINIMUM_SCORE_FOR_EXTRA_CREDIT } from ${from('grader/charts.js')}
import { getGradeForScore, getScoreModifier } from ${from('grader/grader.js')}
import { retrieve } from ${from('retriever/retriever.js')}
const found = await retrieve('localhost', { httpPort: '${plain}', httpsPort: '${secure}' })
const results = ALL_TESTS.map((test) => test(found))
const changes = results.map(({ result }) => getScoreModifier(result))
const bare = changes.filter((change) => change < 0).reduce((sum, change) => sum + change, 100)
const score = bare >= MINIMUM_SCORE_FOR_EXTRA_CREDIT ? changes.reduce((sum, change) => sum + change, 100) : bare
const failed = results.filter(({ pass }) => !pass).map(({ result }) => result)
console.log(JSON.stringify({ ...getGradeForScore(score), failed }))
process.exit(0)
`,
  )
  return file
}

async function bringTools() {
  const isThere = Object.keys(wanted).every((name) => existsSync(join(tools, 'node_modules', name)))
  if (isThere) return
  await mkdir(tools, { recursive: true })
  await writeFile(join(tools, 'package.json'), JSON.stringify({ private: true, dependencies: wanted }))
  await run('npm', ['install', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund'], { cwd: tools })
  // The list of sites that browsers know as https-only, which the scanner would download: nobody stands in ours.
  const conf = join(tools, 'node_modules/@mdn/mdn-http-observatory/conf')
  await mkdir(conf, { recursive: true })
  await writeFile(join(conf, 'hsts-preload.json'), '{}')
}

async function startProduct() {
  const child = spawn(process.execPath, [join(root, 'server/src/main/start.ts')], {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: folder,
      PUBLIC_URL: `https://localhost:${secure}`,
      SEED: 'demo',
      LOG_LEVEL: 'error',
      NODE_ENV: 'development',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (words: Buffer) => (said += words.toString()))
  // While the demo's videos are made the machine is not quiet.
  while (!said.includes(flags.only === 'headers' ? 'Clear to Post runs at' : 'The demo is complete')) {
    if (child.exitCode !== null) throw new Error('The product did not start')
    await sleep(300)
  }
  return child
}
