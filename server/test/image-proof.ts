// npm run prove -- image (bin/proofs/image.ts starts it): builds the images of deploy/Dockerfile as they stand there, and runs
// every host of deploy/compose.yaml from them, as it says: read-only, without capabilities, secrets as files, the workers under
// deploy/seccomp.json; beside a PostgreSQL and an object store. It asks the health check, sends half of a video to one api and
// the rest to the other, waits until its words are found, and tells all to end.
//
// Podman, crun and mmdebstrap come from Debian's packages, unpacked into a folder and seen by this program alone; the base
// images are made of Debian's packages and this machine's Node, because registries of images may be out of reach.
// Linux, root and apt-get are needed. `KEEP=yes` uses base images of before again.
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { chmod, chown, cp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { assets } from '@clear-to-post/contract/assets'
import { client } from '@clear-to-post/contract/client'
import { edits } from '@clear-to-post/contract/edits'
import { identity } from '@clear-to-post/contract/identity'
import { projects } from '@clear-to-post/contract/projects'
import { parse } from 'yaml'
import { createPerson } from '../src/accounts/actions.ts'
import { openDatabase } from '../src/kernel/database.ts'
import { openQueue } from '../src/kernel/queue.ts'
import { startPostgres } from '../src/postgres/postgres.ts'
import { freePort } from './free-port.ts'
import { openObjectStore } from './object-store.ts'
import { kennedy } from '../../speech/test/samples.ts'

const root = resolve(import.meta.dirname, '../..')
const place = join(tmpdir(), 'clear-to-post-image')
const tools = join(place, 'tools')
const run = promisify(execFile)
const began = Date.now()
const building = ['build', '--format', 'docker', '--isolation', 'chroot', '--pull=never', '--network', 'host']
let lastAnswer = ''
const say = (line: string) => console.log(`${((Date.now() - began) / 1000).toFixed(0).padStart(4)} s  ${line}`)

const missing = whatIsMissing()
if (missing) {
  console.log(`The image is not built here: ${missing}`)
  process.exitCode = 1
} else if (process.env.IN_OWN_MOUNTS) await prove()
else {
  bringTools()
  process.exitCode = await inOwnMounts()
}

function whatIsMissing(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'it takes Linux on x64.'
  if (process.getuid!() !== 0) return 'only root may mount what a build needs. Run it as root.'
  for (const program of ['apt-get', 'dpkg-deb', 'perl', 'unshare', 'npm'])
    if (spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0) return `${program} is missing.`
  return undefined
}

/** Debian's packages of what builds and runs images, without installing them. */
function bringTools(): void {
  if (existsSync(join(tools, 'usr/bin/podman'))) return
  say('bringing podman, crun and mmdebstrap (Debian’s packages)')
  const debs = join(place, 'debs')
  mkdirSync(debs, { recursive: true })
  mkdirSync(tools, { recursive: true })
  const wanted = ['podman', 'crun', 'mmdebstrap']
  const plan = execFileSync('apt-get', ['-s', 'install', '--no-install-recommends', ...wanted], { encoding: 'utf8' })
  const names = [...plan.matchAll(/^Inst (\S+)/gm)].map(([, name]) => name!)
  execFileSync('apt-get', ['download', '-q', ...names], { cwd: debs, stdio: 'ignore' })
  for (const deb of execFileSync('ls', [debs], { encoding: 'utf8' }).trim().split('\n'))
    execFileSync('dpkg-deb', ['-x', join(debs, deb), tools])
}

/** This program again, where the tools lie over /usr and /etc as if they were installed; nobody else sees that. */
async function inOwnMounts(): Promise<number> {
  const home = join(place, 'home')
  const conf = join(place, 'conf')
  for (const folder of [join(home, '.config/containers'), conf, join(place, 'store')])
    mkdirSync(folder, { recursive: true })
  const policy = join(tools, 'etc/containers/policy.json')
  if (existsSync(policy)) copyFileSync(policy, join(home, '.config/containers/policy.json'))
  writeFileSync(
    join(conf, 'containers.conf'),
    '[containers]\ncgroups = "disabled"\ndefault_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]\n' +
      '[engine]\ncgroup_manager = "cgroupfs"\nevents_logger = "none"\nruntime = "crun"\n',
  )
  writeFileSync(
    join(conf, 'storage.conf'),
    `[storage]\ndriver = "overlay"\ngraphroot = "${place}/store/graph"\nrunroot = "${place}/store/run"\n`,
  )
  const script =
    'mount -t overlay overlay -o "lowerdir=$0/usr:/usr" /usr && mount -t overlay overlay -o "lowerdir=$0/etc:/etc" /etc && ' +
    // A mixture of both kinds of control groups is not understood; these containers have none.
    'mount -t tmpfs none /sys/fs/cgroup && exec "$@"'
  const child = spawn('unshare', ['-m', 'sh', '-c', script, tools, process.execPath, import.meta.filename], {
    stdio: 'inherit',
    env: {
      ...process.env,
      IN_OWN_MOUNTS: 'yes',
      CONTAINERS_HOME: home,
      CONTAINERS_CONF: join(conf, 'containers.conf'),
      CONTAINERS_STORAGE_CONF: join(conf, 'storage.conf'),
    },
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

/** Podman's answer. Throws what it wrote where it fails. */
async function podman(args: readonly string[], { quiet = true } = {}): Promise<string> {
  const env = { ...process.env, HOME: process.env.CONTAINERS_HOME }
  const done = await run('nice', ['podman', ...args], { cwd: root, env, maxBuffer: 2 ** 26 }).catch(
    (error: Error & { stdout: string; stderr: string }) => {
      throw new Error(`podman ${args.slice(0, 3).join(' ')} … failed:\n${(error.stdout + error.stderr).slice(-3000)}`)
    },
  )
  if (!quiet) console.log(done.stdout)
  return (args[0] === 'logs' ? done.stdout + done.stderr : done.stdout).trim()
}

async function has(image: string): Promise<boolean> {
  return podman(['image', 'exists', image]).then(
    () => true,
    () => false,
  )
}

/** Debian's slim image and Node's of package.json, as near as this machine can make them. */
async function makeBases(): Promise<void> {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: { node: string }
  }
  const debian = 'docker.io/library/debian:bookworm-slim'
  const node = `docker.io/library/node:${dependencies.node}-bookworm-slim`
  if (process.env.KEEP === 'yes' && (await has(debian)) && (await has(node))) return
  say('making debian:bookworm-slim of Debian’s packages (mmdebstrap)')
  const tar = join(place, 'debian.tar')
  const left = ['man', 'doc', 'locale'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`)
  await run('nice', ['mmdebstrap', '--mode=root', '--variant=minbase', ...left, 'bookworm', tar], {
    maxBuffer: 2 ** 26,
  })
  await podman(['import', '-q', tar, debian])
  say(`making node:${dependencies.node}-bookworm-slim of it and this machine’s Node and npm`)
  const at = join(place, 'node')
  rmSync(at, { recursive: true, force: true })
  const npm = dirname(dirname(realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim())))
  for (const folder of ['usr/local/bin', 'usr/local/lib/node_modules', 'usr/local/etc', 'etc/ssl/certs'])
    mkdirSync(join(at, folder), { recursive: true })
  copyFileSync(process.execPath, join(at, 'usr/local/bin/node'))
  await cp(npm, join(at, 'usr/local/lib/node_modules/npm'), { recursive: true, verbatimSymlinks: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(at, 'usr/local/bin/npm'))
  // Where this machine's npm finds the registry, and whom it trusts; none of it comes into the image that is built.
  const config = execFileSync('npm', ['config', 'get', 'globalconfig', '--loglevel=silent'], {
    encoding: 'utf8',
  }).trim()
  if (existsSync(config)) copyFileSync(config, join(at, 'usr/local/etc/npmrc'))
  const trusted = '/etc/ssl/certs/ca-certificates.crt'
  if (existsSync(trusted)) copyFileSync(trusted, join(at, trusted))
  writeFileSync(join(at, 'Dockerfile'), `FROM ${debian}\nCOPY usr /usr\nCOPY etc /etc\n`)
  await podman([...building, '-q', '-t', node, '-f', join(at, 'Dockerfile'), at])
}

type Service = {
  image: string
  environment: Record<string, string>
  secrets?: string[]
  read_only?: boolean
  tmpfs?: string[]
  cap_drop?: string[]
  security_opt?: string[]
  stop_grace_period: string
}

async function prove(): Promise<void> {
  const ends: (() => Promise<unknown>)[] = []
  try {
    await makeBases()
    say('building deploy/Dockerfile')
    const from = ['-f', 'deploy/Dockerfile']
    await podman([...building, '-t', 'clear-to-post', ...from, '.'])
    await podman([...building, '-t', 'clear-to-post-pooler', '--target', 'pooler', ...from, '.'])
    const size = Number(await podman(['image', 'inspect', '--format', '{{.Size}}', 'clear-to-post']))
    say(`built: ${(size / 1e6).toFixed(0)} MB unpacked`)
    await runAll(ends)
    say('every host did what compose.yaml asks of it, and ended in order')
  } catch (error) {
    console.error(error)
    process.exitCode = 1
  } finally {
    for (const end of ends.reverse()) await end().catch((error: unknown) => console.error(error))
  }
}

async function runAll(ends: (() => Promise<unknown>)[]): Promise<void> {
  const work = join(place, `run-${process.pid}`)
  mkdirSync(work, { recursive: true })
  ends.push(async () => rmSync(work, { recursive: true, force: true }))
  say('starting PostgreSQL and an object store beside')
  const postgres = await startPostgres({ dataDir: join(work, 'database'), throwaway: true })
  ends.push(() => postgres.stop())
  const store = await openObjectStore()
  if (!store) throw new Error('There is no object store to be had, and several hosts need one.')
  ends.push(store.close)
  const bucket = await store.makeBucket()

  const owner = new URL(postgres.url)
  const [poolerPort, ...apiPorts] = [await freePort(), await freePort(), await freePort()]
  const secrets = await makeSecrets(work, { owner, poolerPort: poolerPort!, bucketSecret: bucket.secret })
  const compose = parse(readFileSync(join(root, 'deploy/compose.yaml'), 'utf8'), { merge: true }) as {
    services: Record<string, Service>
  }
  const settings: Record<string, string> = {
    PUBLIC_URL: 'https://video.example.test',
    TRUST_PROXY: 'loopback',
    BUCKET_URL: bucket.url,
    BUCKET_REGION: bucket.region,
    BUCKET_KEY_ID: bucket.keyId,
  }
  const started: { name: string; grace: number }[] = []
  const start = async (
    service: string,
    more: { name?: string; env?: Record<string, string>; args?: string[] } = {},
  ) => {
    const { name = service, env = {}, args = [] } = more
    const is = compose.services[service]!
    await podman(['rm', '-f', '-t', '0', name]).catch(() => {})
    const environment = { ...settings, ...is.environment, ...env }
    const given = [
      ...Object.entries(environment).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
      ...(is.secrets ?? []).flatMap((secret) => ['--volume', `${join(secrets, secret)}:/run/secrets/${secret}:ro`]),
      ...(is.read_only ? ['--read-only', '--read-only-tmpfs=false'] : []),
      ...(is.tmpfs ?? []).flatMap((path) => ['--tmpfs', path]),
      ...(is.cap_drop ?? []).flatMap((one) => ['--cap-drop', one]),
      ...(is.security_opt ?? []).flatMap((one) => [
        '--security-opt',
        one.replace('seccomp=./', `seccomp=${join(root, 'deploy')}/`).replace(':true', ''),
      ]),
      ...(service === 'pooler' ? [] : ['--volume', '/data']),
      ...args,
    ]
    ends.push(() => podman(['rm', '-f', '-t', '0', '--volumes', name]))
    await podman(['run', '--detach', '--network', 'host', '--pull=never', '--name', name, ...given, is.image])
    if (service !== 'migrate') started.push({ name, grace: Number.parseInt(is.stop_grace_period ?? '10', 10) })
  }
  const explained = async (name: string, error: unknown) => {
    const logs = await Promise.all([name, 'pooler'].map((one) => podman(['logs', one]).catch(() => '')))
    return new Error(
      `${name}: ${(error as Error).message}\n${logs.map((log) => log.slice(-3000)).join('\nThe pooler:\n')}`,
    )
  }

  await start('pooler', { args: ['--volume', `${join(secrets, 'pgbouncer.ini')}:/etc/pgbouncer/pgbouncer.ini:ro`] })
  await start('migrate')
  const code = await podman(['wait', 'migrate'])
  if (code !== '0') throw await explained('migrate', new Error(`ended with ${code}`))
  say('migrate made the schema and ended')
  const env = (port: number) => ({ HOST: '127.0.0.1', PORT: String(port) })
  await start('api-1', { env: env(apiPorts[0]!) })
  await start('api-2', { env: env(apiPorts[1]!) })
  await start('worker', { name: 'worker-1' })
  await start('worker', { name: 'worker-2' })
  await start('clock')
  const origins = apiPorts.map((port) => `http://127.0.0.1:${port}`) as [string, string]
  for (const [n, origin] of origins.entries()) {
    const name = `api-${n + 1}`
    await until(120, () => isReady(origin)).catch(async (error: unknown) => {
      throw await explained(name, error)
    })
    await podman(['healthcheck', 'run', name])
  }
  for (const name of ['worker-1', 'worker-2', 'clock'])
    await until(60, async () => / works/.test(await podman(['logs', name]))).catch(async (error: unknown) => {
      throw await explained(name, error)
    })
  say('two api are ready and healthy, two workers and the clock work')
  await lookInside()

  await askAsStrangers(origins[0], readFileSync(join(secrets, 'metrics-token'), 'utf8').trim())
  const [one, other] = await makePeople(join(secrets, 'database-app-outside'), origins)
  const video = makeVideo(work)
  const id = await uploadAcross(origins, one.idToken, video)
  await until(
    120,
    async () => !['received', 'checking'].includes((await one.call(assets.find, { params: { assetId: id } })).state),
  )
  const asset = await one.call(assets.find, { params: { assetId: id } })
  if (asset.state !== 'ready') throw new Error(`the video is ${asset.state}: ${JSON.stringify(asset)}`)
  say('half a video went to one api and half to the other, and it is ready')
  const project = await one.call(projects.create, {
    body: { title: 'Ask not', assets: [id], captionSuggestion: kennedy.script },
  })
  const find = () => other.call(edits.find, { params: { projectId: project.id } })
  await until(180, async () => ['ready', 'failed'].includes((await find()).state))
  const { state, transcript } = await find()
  if (state !== 'ready' || transcript?.means !== 'aligned')
    throw new Error(`the first cut is ${state}, its words ${transcript?.means}: ${transcript?.notes.join(' ')}`)
  say('its first cut is ready, with the words where PocketSphinx heard them')

  await Promise.all(
    started
      .filter(({ name }) => name !== 'pooler')
      .map(async ({ name, grace }) => {
        const at = Date.now()
        await podman(['stop', '-t', String(grace), name])
        const ended = await podman(['inspect', '--format', '{{.State.ExitCode}}', name])
        say(`${name} ended with ${ended} after ${((Date.now() - at) / 1000).toFixed(0)} s`)
        if (ended !== '0') throw await explained(name, new Error(`ended with ${ended}`))
      }),
  )
}

/** make-secrets.sh as an operator runs it, with the addresses of this run. Answers the folder. */
async function makeSecrets(
  work: string,
  { owner, poolerPort, bucketSecret }: { owner: URL; poolerPort: number; bucketSecret: string },
): Promise<string> {
  const folder = join(work, 'secrets')
  execFileSync('sh', [join(root, 'deploy/make-secrets.sh'), folder], { stdio: 'ignore' })
  const change = (name: string, to: (text: string) => string) =>
    writeFileSync(join(folder, name), to(readFileSync(join(folder, name), 'utf8')))
  const atDatabase = (text: string) => text.replace('database:5432/clear', `${owner.host}${owner.pathname}`)
  change('database-owner', () => `${owner.href}\n`)
  change('database-app-direct', atDatabase)
  change('database-app', (text) => text.replace('pooler:6432/clear', `127.0.0.1:${poolerPort}${owner.pathname}`))
  change('smtp-url', () => 'smtps://mailer:a-long-password@mail.example.test\n')
  change('bucket-secret', () => `${bucketSecret}\n`)
  const ini = readFileSync(join(root, 'deploy/pgbouncer.ini'), 'utf8')
    .replace(/^clear = .*$/m, `* = host=${owner.hostname} port=${owner.port}`)
    .replace('listen_addr = 0.0.0.0', 'listen_addr = 127.0.0.1')
    .replace('listen_port = 6432', `listen_port = ${poolerPort}`)
  writeFileSync(join(folder, 'pgbouncer.ini'), ini)
  copyFileSync(join(folder, 'database-app'), join(folder, 'database-app-outside'))
  for (const name of await readdir(folder)) {
    await chown(join(folder, name), 10_001, 10_001)
    await chmod(join(folder, name), 0o600)
  }
  return folder
}

/** Whom the processes run as, and what they may not do. */
async function lookInside(): Promise<void> {
  const inside = async (name: string, script: string) => podman(['exec', name, 'sh', '-c', script])
  const status = await inside('worker-1', 'id -u; grep -E "^(CapEff|CapBnd|NoNewPrivs|Seccomp):" /proc/1/status')
  for (const part of ['10001', /CapEff:\s+0+$/m, /CapBnd:\s+0+$/m, /NoNewPrivs:\s+1/, /Seccomp:\s+2/])
    if (!(typeof part === 'string' ? status.includes(part) : part.test(status)))
      throw new Error(`the worker is not held as compose.yaml says:\n${status}`)
  const wrote = await inside('worker-1', 'touch /app/x').then(
    () => true,
    () => false,
  )
  if (wrote) throw new Error('the worker can write into its own image')
  // The profile of deploy/seccomp.json lets bubblewrap work, and still refuses what it names.
  await inside('worker-1', 'bwrap --unshare-all --ro-bind / / --dev /dev true')
  const refused = await inside('worker-1', 'unshare --user --map-root-user chroot / true').then(
    () => false,
    () => true,
  )
  if (!refused) throw new Error('deploy/seccomp.json refuses nothing')
  say('inside: user 10001, no capability, no new privileges, a system that cannot be written, bubblewrap works')
}

/** The front page with what only the service knows, and figures for who brings the token. */
async function askAsStrangers(origin: string, token: string): Promise<void> {
  const page = await fetch(`${origin}/`)
  const html = await page.text()
  if (!page.ok || !html.includes('https://video.example.test/'))
    throw new Error(`the front page: ${page.status} ${html}`)
  const metrics = (headers: Record<string, string>) => fetch(`${origin}/metrics`, { headers })
  const [known, unknown] = [await metrics({ authorization: `Bearer ${token}` }), await metrics({})]
  if (!(await known.text()).includes('clear_oldest_ready_job_seconds') || unknown.status !== 404)
    throw new Error(`/metrics answers ${known.status} with its token and ${unknown.status} without`)
  say('the front page is whole, and /metrics opens by its token alone')
}

type Someone = { idToken: string; call: ReturnType<typeof client> }

/** An officer who calls the first api, and an admin who calls the second. */
async function makePeople(addressFile: string, origins: [string, string]): Promise<[Someone, Someone]> {
  const url = readFileSync(addressFile, 'utf8').trim()
  const queue = await openQueue(url)
  const database = openDatabase(url, { queue, max: 2 })
  const password = 'a-long-password-of-a-proof-7'
  try {
    const people = [
      { email: 'officer@proof.test', name: 'Olivia Hart', role: 'User', profession: 'Loan officer' },
      { email: 'admin@proof.test', name: 'Ada Moreno', role: 'ADMIN' },
    ] as const
    await database.asSystem(async (tx) => {
      for (const person of people) await createPerson(tx, { ...person, password })
    })
    const signIn = async (email: string, origin: string): Promise<Someone> => {
      const signedIn = await client({ origin })(identity.password, { body: { email, password } })
      if (!('idToken' in signedIn)) throw new Error(`${email} is asked for more than a password`)
      return { idToken: signedIn.idToken, call: client({ origin, token: () => signedIn.idToken }) }
    }
    return [await signIn(people[0].email, origins[0]), await signIn(people[1].email, origins[1])]
  } finally {
    await database.close()
    await queue.close()
  }
}

/** Eleven seconds of a test picture with a human voice. */
function makeVideo(work: string): Buffer {
  const file = join(work, 'take.mp4')
  const picture = ['-f', 'lavfi', '-i', 'testsrc=s=360x640:r=30:d=11']
  execFileSync('ffmpeg', ['-v', 'error', ...picture, '-i', kennedy.file, '-shortest', '-pix_fmt', 'yuv420p', file])
  return readFileSync(file)
}

/** By tus: begun and half sent at the first, finished at the second. */
async function uploadAcross(origins: [string, string], idToken: string, video: Buffer): Promise<string> {
  const headers = { authorization: `Bearer ${idToken}`, 'tus-resumable': '1.0.0' }
  const metadata = `filename ${btoa('take.mp4')},filetype ${btoa('video/mp4')}`
  const begun = await fetch(`${origins[0]}/uploads`, {
    method: 'POST',
    headers: { ...headers, 'upload-length': String(video.length), 'upload-metadata': metadata },
  })
  if (begun.status !== 201) throw new Error(`no upload: ${begun.status} ${await begun.text()}`)
  const id = begun.headers.get('location')!.split('/').at(-1)!
  let offset = 0
  for (const [n, end] of [Math.floor(video.length / 2), video.length].entries()) {
    const answer = await fetch(`${origins[n]}/uploads/${id}`, {
      method: 'PATCH',
      headers: { ...headers, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
      body: new Uint8Array(video.subarray(offset, end)),
    })
    offset = Number(answer.headers.get('upload-offset'))
    if (offset !== end)
      throw new Error(`api ${n + 1} took ${offset} of ${end} bytes: ${answer.status} ${await answer.text()}`)
  }
  return id
}

async function isReady(origin: string): Promise<boolean> {
  const answer = await fetch(`${origin}/health/ready`).catch(() => undefined)
  if (answer?.ok) return true
  lastAnswer = answer ? await answer.text() : 'nobody answers'
  return false
}

async function until(seconds: number, isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + seconds * 1000; !(await isSo()); await sleep(500))
    if (Date.now() > end) throw new Error(`not so after ${seconds} s. ${lastAnswer}`)
}
