import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { BlockList } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { fastify } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { inspectConfig } from '../src/kernel/config.ts'
import { hostRoles, secretNames, settings } from '../src/kernel/settings.ts'
import { mountHealth } from '../src/http/health.ts'
import { renderTemplate } from './helm-template.ts'

const root = resolve(import.meta.dirname, '../..')
const deploy = join(root, 'deploy')
const text = (name: string): string => readFileSync(join(deploy, name), 'utf8')

/** One process as a file of deploy/ starts it. */
type Host = {
  from: string
  env: Record<string, string>
  /** The files with secrets that are there for it, by their paths. */
  secrets: string[]
  /** Seconds from SIGTERM to SIGKILL. */
  grace: number
  /** Paths that are asked of it. */
  probes: string[]
  /** Whether what bubblewrap calls is allowed. */
  mayDecode: boolean
}

type Instruction = { word: string; rest: string }
/** The instructions of the Dockerfile, stage by stage. */
const stages = (): { from: string; name: string; instructions: Instruction[] }[] => {
  const joined = text('Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
  const found: ReturnType<typeof stages> = []
  for (const line of joined.split('\n').filter(Boolean)) {
    const [, word = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line)!
    if (word === 'FROM') {
      const [from = '', , name = ''] = rest.split(' ')
      found.push({ from, name, instructions: [] })
    } else found.at(-1)?.instructions.push({ word, rest })
  }
  return found
}
const image = () => stages().at(-1)!
const of = (word: string): string[] => image().instructions.flatMap((one) => (one.word === word ? [one.rest] : []))
const imageEnv = (): Record<string, string> =>
  Object.fromEntries(of('ENV').flatMap((line) => line.split(' ').map((pair) => pair.split('=', 2) as [string, string])))
const imageProbe = (): string[] => of('HEALTHCHECK').flatMap((line) => /\/health\/\w+/.exec(line) ?? [])

const envFile = (file: string): Record<string, string> =>
  Object.fromEntries([...file.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]))

type Service = {
  image: string
  environment?: Record<string, string>
  env_file?: string
  secrets?: string[]
  stop_grace_period?: string
  healthcheck?: { disable?: boolean }
  security_opt?: string[]
  depends_on?: object
}
type Compose = { services: Record<string, Service>; secrets: Record<string, { file: string }> }
const compose = parse(text('compose.yaml'), { merge: true }) as Compose
const composeHosts = (): Host[] =>
  Object.entries(compose.services)
    .filter(([, service]) => service.image === 'clear-to-post')
    .map(([name, service]) => ({
      from: `compose.yaml, ${name}`,
      env: { ...imageEnv(), ...envFile(text('settings.example.env')), ...service.environment },
      secrets: (service.secrets ?? []).map((secret) => `/run/secrets/${secret}`),
      grace: Number.parseInt(service.stop_grace_period!, 10),
      probes: service.healthcheck?.disable ? [] : imageProbe(),
      mayDecode: ['seccomp=./seccomp.json', 'apparmor=unconfined'].every((one) => service.security_opt?.includes(one)),
    }))

const units = readdirSync(join(deploy, 'systemd'))
const unitHosts = (): Host[] =>
  units.map((name) => {
    const unit = text(join('systemd', name))
    const values = (key: string) => [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value!)
    const env = Object.fromEntries(
      values('Environment').flatMap((line) => line.split(' ').map((pair) => pair.split('=', 2) as [string, string])),
    )
    return {
      from: name,
      env: { ...env, ...envFile(text('settings.example.env')) },
      secrets: Object.entries(env).flatMap(([key, value]) => (key.endsWith('_FILE') ? [value] : [])),
      grace: Number(values('TimeoutStopSec')[0]),
      probes: [],
      mayDecode: !/^RestrictNamespaces/m.test(unit) && values('KillMode')[0] === 'mixed',
    }
  })

type Pod = {
  terminationGracePeriodSeconds: number
  securityContext: { seccompProfile: { type: string }; appArmorProfile?: { type: string } }
  containers: {
    image: string
    env: { name: string; value: unknown }[]
    volumeMounts: { name: string; mountPath: string }[]
    [probe: `${string}Probe`]: { httpGet: { path: string } } | undefined
  }[]
  volumes: { name: string; secret?: { secretName: string } }[]
}
type Document = {
  kind: string
  metadata: { name: string }
  spec: { template: { spec: Pod }; selector: { matchLabels?: object }; endpoints: { path: string }[] }
}
const values = parse(text('helm/values.yaml')) as { secrets: Record<string, string>; monitoring: boolean }
const chart = parse(text('helm/Chart.yaml')) as { appVersion: string; version: string }
const templates = readdirSync(join(deploy, 'helm/templates')).filter((name) => !name.startsWith('_'))
const documents = (): Document[] =>
  templates.flatMap((name) => {
    const scope = { Values: { ...values, monitoring: true }, Release: { Name: 'clear' } }
    const shared = text('helm/templates/_pod.tpl')
    const made = renderTemplate(text(join('helm/templates', name)), { shared, scope })
    return parseAllDocuments(made).map((document) => {
      expect(document.errors).toEqual([])
      return document.toJS() as Document
    })
  })
/** The keys that values.yaml says each secret has. */
const keysOf = (secret: string): string[] =>
  new RegExp(`^#   ${secret}: ([a-z -]+)`, 'm').exec(text('helm/values.yaml'))![1]!.trim().split(/ +/)
const helmHosts = (): Host[] =>
  documents()
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .map(({ metadata, spec: { template } }) => {
      const pod = template.spec
      const container = pod.containers[0]!
      return {
        from: `helm, ${metadata.name}`,
        env: { ...imageEnv(), ...Object.fromEntries(container.env.map(({ name, value }) => [name, value as string])) },
        secrets: pod.volumes.flatMap(({ name, secret }) => {
          if (!secret) return []
          const at = container.volumeMounts.find((mount) => mount.name === name)!.mountPath
          const kind = Object.entries(values.secrets).find(([, one]) => one === secret.secretName)![0]
          return keysOf(kind).map((key) => join(at, key))
        }),
        grace: pod.terminationGracePeriodSeconds,
        probes: (['startupProbe', 'readinessProbe', 'livenessProbe'] as const).flatMap(
          (probe) => container[probe]?.httpGet.path ?? [],
        ),
        mayDecode:
          pod.securityContext.seccompProfile.type === 'Localhost' &&
          pod.securityContext.appArmorProfile?.type === 'Unconfined',
      }
    })

const hosts: Host[] = [...composeHosts(), ...unitHosts(), ...helmHosts()]
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clear-to-post-deploy-'))
})
afterAll(() => rm(folder, { recursive: true }))

it('every role has its place in compose.yaml and in the chart, and the units are read', () => {
  const roles = (from: RegExp) => new Set(hosts.filter((one) => from.test(one.from)).map(({ env }) => env.ROLE))
  expect(roles(/^compose/)).toEqual(new Set(hostRoles))
  expect(roles(/^helm/)).toEqual(new Set(hostRoles))
  expect(composeHosts().filter(({ env }) => env.ROLE === 'api')).toHaveLength(2)
  expect(units).toHaveLength(2)
})

describe.each(hosts)('$from', ({ from, env, secrets, grace, probes, mayDecode }) => {
  const role = env.ROLE ?? 'all'

  it('is given what start-up asks for, each secret in a file that is there', async () => {
    const given = { ...env }
    for (const [name, path] of Object.entries(env)) {
      if (!name.endsWith('_FILE')) continue
      expect(secrets).toContain(path)
      const setting = name.replace(/_FILE$/, '')
      given[name] = join(folder, setting)
      const database = 'postgres://role:a-long-password-0@db.example.test/clear'
      const value = { SMTP_URL: 'smtps://mailer:a-long-password@mail.example.test' }[setting]
      await writeFile(
        given[name],
        value ?? (setting.startsWith('DATABASE') ? database : 'a-secret-0123456789-0123456789-abc'),
      )
    }
    for (const value of Object.values(given)) expect(value).toBeTypeOf('string')
    const { config, problems } = inspectConfig(given)
    expect(problems).toEqual([])
    expect(config).toMatchObject({ deployment: role === 'all' ? 'one' : 'many', role, isProduction: true })
  })

  it('names settings only that there are, and holds no secret but in a file', () => {
    const known = new Map(settings.map((setting) => [setting.name, setting]))
    for (const name of Object.keys(env)) {
      const isFile = name.endsWith('_FILE')
      const setting = known.get(isFile ? name.replace(/_FILE$/, '') : name)
      expect(setting, name).toBeDefined()
      expect(setting!.isSecret ?? false, name).toBe(isFile)
    }
  })

  it('knows the owner’s password if it migrates, and otherwise not', () => {
    const ofOwner = secrets
      .filter((path) => /database-(owner|password|app-direct)$/.test(path))
      .map((path) => basename(path))
    expect(ofOwner.sort()).toEqual(role === 'migrate' ? ['database-app-direct', 'database-owner'] : [])
    expect('DATABASE_URL_FILE' in env).toBe(role === 'migrate')
  })

  it('has longer to end than it takes for draining', () => {
    const { drainMs } = inspectConfig(env).config
    // Half a minute more, as docs/operations.md says; one machine ends its database as well.
    expect(grace).toBeGreaterThanOrEqual(drainMs / 1000 + (role === 'all' ? 60 : 30))
  })

  it('is asked for paths that are mounted, unless it migrates or runs under systemd', async () => {
    const app = fastify()
    mountHealth(app, { parts: async () => [], gauges: {} }, { isHosted: true, metricsToken: undefined })
    for (const url of probes) expect(app.hasRoute({ method: 'GET', url }), url).toBe(true)
    await app.close()
    expect(probes.length > 0).toBe(role !== 'migrate' && !units.includes(from))
    // The image's health check and the chart's port are those of the api.
    if (probes.length > 0 && role !== 'api') expect(env.PROBE_PORT).toBe(env.PORT)
  })

  it('may make namespaces where it decodes, and otherwise not', () => {
    expect(mayDecode).toBe(role === 'worker' || role === 'all')
  })
})

describe('the image', () => {
  it('has the Node of package.json, an ordinary user and a health check', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: { node: string }
    }
    expect(/^ARG NODE=(.*)$/m.exec(text('Dockerfile'))![1]).toBe(dependencies.node)
    expect(of('USER')).toEqual(['clear'])
    expect(of('RUN').join()).toContain('useradd --uid 10001')
    expect(of('STOPSIGNAL')).toEqual(['SIGTERM'])
    expect(imageProbe()).toEqual(['/health/live'])
    expect(existsSync(join(root, (JSON.parse(of('CMD')[0]!) as string[]).at(-1)!))).toBe(true)
  })

  it('has each room that the service is made of, and no test', () => {
    const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { workspaces: string[] }
    const copied = stages().flatMap(({ instructions }) =>
      instructions.flatMap(({ word, rest }) =>
        word === 'COPY' && !rest.startsWith('--from') ? rest.split(' ').slice(0, -1) : [],
      ),
    )
    for (const path of copied) expect(existsSync(join(root, path)), path).toBe(true)
    for (const room of workspaces) expect(copied, 'npm ci reads each').toContain(`${room}/package.json`)
    const ignore = text('Dockerfile.dockerignore').split('\n')
    for (const path of copied)
      expect(
        ignore.some((line) => line === `!${path}` || path.startsWith(`${line.slice(1)}/`)),
        path,
      ).toBe(true)
    expect(ignore).toEqual(expect.arrayContaining(['*', '**/test', '**/*.test.ts', '**/node_modules']))
    expect(of('COPY').map((line) => line.split(' ')[0])).toEqual(
      expect.arrayContaining(['contract', 'domain', 'edit', 'media', 'server', 'speech']),
    )
    const packages = stages()
      .find(({ name }) => name === 'service')!
      .instructions.at(-1)!.rest
    expect(packages).toContain('--omit=dev')
  })
})

it('compose.yaml names secrets and services only that there are, and make-secrets.sh makes each file', () => {
  for (const [name, service] of Object.entries(compose.services)) {
    for (const secret of service.secrets ?? []) expect(compose.secrets, name).toHaveProperty(secret)
    for (const other of Object.keys(service.depends_on ?? {})) expect(compose.services, name).toHaveProperty(other)
  }
  const made = join(folder, 'secrets')
  const script = text('make-secrets.sh').replaceAll(/^chown.*$/gm, '')
  execFileSync('sh', ['-c', script, 'make-secrets.sh', made])
  const first = readFileSync(join(made, 'database-owner'), 'utf8')
  execFileSync('sh', ['-c', script, 'make-secrets.sh', made])
  expect(readFileSync(join(made, 'database-owner'), 'utf8')).toBe(first)
  for (const { file } of Object.values(compose.secrets)) expect(readdirSync(made)).toContain(basename(file))
  for (const name of ['DATABASE_URL', 'DATABASE_APP_URL'] as const) {
    const file = join(made, name === 'DATABASE_URL' ? 'database-owner' : 'database-app')
    expect(
      inspectConfig({ [`${name}_FILE`]: file }).problems.filter((one) => one.startsWith(`${name} should`)),
    ).toEqual([])
  }
})

it('compose.yaml’s own network is one that TRUST_PROXY of the example covers, so that nobody counts for all', () => {
  const { networks } = parse(text('compose.yaml')) as {
    networks: { default: { ipam: { config: [{ subnet: string }] } } }
  }
  const trusted = new BlockList()
  const [net = '', bits] = envFile(text('settings.example.env'))['TRUST_PROXY']!.split('/')
  trusted.addSubnet(net, Number(bits), 'ipv4')
  const [address = '', own] = networks.default.ipam.config[0].subnet.split('/')
  expect(trusted.check(address)).toBe(true)
  expect(Number(own)).toBeGreaterThanOrEqual(Number(bits))
})

it('the owner of compose.yaml’s database is made as a plain role, and is not the one that PostgreSQL starts with', () => {
  const { environment, volumes } = (parse(text('compose.yaml')) as { services: Record<string, any> }).services[
    'database'
  ]
  expect(environment).not.toHaveProperty('POSTGRES_USER')
  expect(volumes).toContain('./make-owner.sh:/docker-entrypoint-initdb.d/make-owner.sh:ro')
  const owner = /database-owner "postgres:\/\/(\w+):/.exec(text('make-secrets.sh'))![1]!
  const made = new RegExp(`create role ${owner} ([a-z ]+) password`).exec(text('make-owner.sh'))![1]!
  expect(made.split(' ')).toEqual(['login', 'createrole'])
  expect(text('make-owner.sh')).toContain(`create database clear owner ${owner};`)
})

it('no file of deploy/ holds a password, and git keeps those that are made there out', () => {
  for (const name of readdirSync(deploy, { recursive: true }) as string[]) {
    if (!/\.\w+$|Dockerfile$/.test(name) || name.startsWith('secrets/') || name === 'make-secrets.sh') continue
    if (['settings.env', '.env'].includes(name)) continue
    const found = text(name)
    expect(found, name).not.toMatch(/:\/\/[^\s/:@$]+:[^\s@$]+@/)
    expect(found, name).not.toMatch(/-----BEGIN|\b(sk|rk)_live_|AKIA[0-9A-Z]{16}/)
    for (const secret of secretNames)
      expect(found, name).not.toMatch(new RegExp(`^[\\s-]*${secret}\\s*[:=]\\s*\\S`, 'm'))
  }
  expect(text('.gitignore').split('\n')).toEqual(expect.arrayContaining(['secrets/', 'settings.env', '.env']))
})

it('the chart scales api by its load, keeps one of them, and lets Prometheus bring its token', () => {
  const made = documents()
  const kinds = made.map(({ kind }) => kind)
  expect(kinds).toEqual(
    expect.arrayContaining([
      'HorizontalPodAutoscaler',
      'PodDisruptionBudget',
      'Service',
      'ServiceMonitor',
      'PodMonitor',
    ]),
  )
  expect(made.find(({ kind }) => kind === 'ServiceMonitor')!.spec.endpoints).toEqual([
    expect.objectContaining({
      path: '/metrics',
      authorization: { credentials: { name: 'clear-to-post', key: 'metrics-token' } },
    }),
  ])
  expect(keysOf('service')).toContain('metrics-token')
  const migrate = made.find(({ kind }) => kind === 'Job')!.metadata as { annotations?: Record<string, string> }
  expect(migrate.annotations!['helm.sh/hook']).toBe('pre-install,pre-upgrade')
  expect(chart.version).toBe(chart.appVersion)
})

it('the seccomp profile lets bubblewrap make its namespaces, and refuses the kernel’s own doors', () => {
  const { defaultAction, syscalls } = JSON.parse(text('seccomp.json')) as {
    defaultAction: string
    syscalls: { names: string[]; action: string }[]
  }
  expect(defaultAction).toBe('SCMP_ACT_ALLOW')
  const refused = syscalls.flatMap(({ names, action }) => (action === 'SCMP_ACT_ERRNO' ? names : []))
  for (const needed of ['clone', 'clone3', 'unshare', 'mount', 'umount2', 'pivot_root', 'prctl'])
    expect(refused).not.toContain(needed)
  for (const door of [
    'bpf',
    'kexec_load',
    'init_module',
    'keyctl',
    'ptrace',
    'setns',
    'open_by_handle_at',
    'io_uring_setup',
  ])
    expect(refused).toContain(door)
  expect(new Set(refused).size).toBe(refused.length)
})
