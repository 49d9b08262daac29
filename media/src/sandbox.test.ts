import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scratch } from '../test/footage.ts'
import { closedSandboxes, runBoxed, sandboxKind, type Job, type SandboxKind, wasTooLarge } from './sandbox.ts'

const { folder, write, path, bin } = scratch()
const secret = write('secret', 'do not tell')
const given = write('given', 'for you')
let strictest: SandboxKind
let calls = 0
const server = createServer((socket) => {
  calls++
  socket.on('error', () => {})
  socket.end('hello')
}).listen(0, '127.0.0.1')

beforeAll(async () => {
  strictest = await sandboxKind()
  if (strictest !== 'bubblewrap') console.warn(`bubblewrap does not work here; the sandbox is "${strictest}"`)
})
afterAll(() => {
  server.close()
  bin()
})

const node = (script: string, job: Partial<Job> = {}) => {
  // V8 sets aside more addresses than any decoder uses.
  const limits = { memoryBytes: 64 * 2 ** 30, ...job.limits }
  return runBoxed({ program: process.execPath, args: ['-e', script], ...job, limits })
}

const kinds = () =>
  (['bubblewrap', 'unshare', 'limits'] as const).slice(['bubblewrap', 'unshare', 'limits'].indexOf(strictest))

describe('the sandbox', () => {
  it('lets a job read the given files and write to its folder, and nothing else', async () => {
    if (strictest !== 'bubblewrap') return
    const job = { reads: [given], writes: folder } satisfies Partial<Job>
    const read = await runBoxed({ program: 'cat', args: [given], reads: [given] })
    expect(read.stdout.toString()).toBe('for you')
    const peek = await runBoxed({ program: 'cat', args: [secret], reads: [given] })
    expect(peek).toMatchObject({ ok: false, why: 'exit' })
    expect(peek.stdout.length).toBe(0)
    expect(await runBoxed({ program: 'touch', args: ['made'], ...job })).toMatchObject({ ok: true })
    expect(existsSync(path('made'))).toBe(true)
    const changed = await runBoxed({ program: 'cp', args: [secret, given], ...job })
    expect(changed).toMatchObject({ ok: false, why: 'exit' })
    expect(readFileSync(given, 'utf8')).toBe('for you')
    for (const place of ['/written', '/tmp/written', '/usr/written', '/dev/shm/written', '/etc/written'])
      await runBoxed({ program: 'touch', args: [place], ...job })
    expect(['/written', '/tmp/written', '/usr/written', '/dev/shm/written', '/etc/written'].filter(existsSync)).toEqual(
      [],
    )
    const seen = await runBoxed({ program: 'ls', args: ['/root', '/home', '/etc/passwd', '/proc/1', process.cwd()] })
    expect(seen.stdout.toString()).toBe('')
  })

  it('keeps a hostile child from keys, other uploads, the environment, other processes and the network', async ({
    skip,
  }) => {
    if (!closedSandboxes.includes(strictest)) return skip('no sandbox that production accepts works on this machine')
    const { port } = server.address() as { port: number }
    process.env['A_SECRET'] = 'the key to everything'
    // It tries every known way out and reports what it got; it may know its output folder only.
    const hostile = `
      const { readFileSync, readdirSync } = require('node:fs')
      const got = {}
      const attempt = (name, work) => { try { got[name] = String(work()).slice(0, 200) } catch {} }
      attempt('key', () => readFileSync(${JSON.stringify(secret)}))
      attempt('key by link', () => { require('node:fs').symlinkSync(${JSON.stringify(secret)}, 'way'); return readFileSync('way') })
      attempt('key by ..', () => readFileSync('../secret'))
      attempt('other uploads', () => readdirSync(${JSON.stringify(folder)}).filter((name) => name !== 'made-by-child' && name !== 'given'))
      attempt('passwords', () => readFileSync('/etc/passwd'))
      attempt('home', () => {
        // Where this repository lies in somebody's home, the way to its Node is there, and nothing beside it.
        const home = ${JSON.stringify(process.env['HOME'] || '/root')}
        const others = readdirSync(home).filter((name) => !process.execPath.startsWith(require('node:path').join(home, name, '/')))
        if (others.length === 0) throw 0
        return others
      })
      attempt('code', () => readFileSync(${JSON.stringify(join(process.cwd(), 'package.json'))}))
      attempt('processes', () => readdirSync('/proc'))
      attempt('our environment', () => readFileSync('/proc/${process.pid}/environ'))
      attempt('a signal to us', () => process.kill(${process.pid}, 0))
      attempt('own environment', () => process.env.A_SECRET ?? (() => { throw 0 })())
      require('node:net').connect(${port}, '127.0.0.1')
        .on('connect', () => { got.network = 'connected'; end() }).on('error', end)
      function end() { console.log(JSON.stringify(got)); process.exit() }`
    const writes = path('made-by-child')
    mkdirSync(writes, { recursive: true })
    try {
      for (const kind of closedSandboxes) {
        const before = calls
        const ran = await node(hostile, { kind, reads: [given], writes })
        expect(ran, ran.stderr).toMatchObject({ ok: true })
        expect(JSON.parse(ran.stdout.toString()), kind).toEqual({ 'other uploads': '' })
        expect(calls, kind).toBe(before)
        rmSync(join(writes, 'way'), { force: true })
      }
      // The test can speak: a child that only has limits gets what it asks for.
      const loose = await node(hostile, { kind: 'limits', reads: [given], writes })
      expect(JSON.parse(loose.stdout.toString())).toMatchObject({ key: 'do not tell', network: 'connected' })
    } finally {
      delete process.env['A_SECRET']
    }
  })

  it('refuses to run anything when production requires a closed sandbox and none works', async () => {
    const module = new URL('./sandbox.ts', import.meta.url).href
    const script = `
      import { requireClosedSandbox, runBoxed, sandboxKind } from '${module}'
      console.log(await sandboxKind())
      console.log((await runBoxed({ program: '/bin/echo', args: ['ran'] })).stdout.toString().trim())
      requireClosedSandbox()
      await runBoxed({ program: '/bin/echo', args: ['ran'] }).catch((error) => console.log(error.name))`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { env: { PATH: folder } })
    const said = await Array.fromAsync(child.stdout)
    expect(Buffer.concat(said).toString().trim().split('\n')).toEqual(['limits', 'ran', 'SandboxMissing'])
  })

  it('gives a job no network', async () => {
    const { port } = server.address() as { port: number }
    const call = `const s=require('net').connect(${port},'127.0.0.1');s.on('connect',()=>process.exit(0));s.on('error',()=>process.exit(7))`
    for (const kind of kinds()) {
      const before = calls
      const ran = await node(call, { kind })
      if (kind === 'limits') continue
      expect(ran, kind).toMatchObject({ ok: false, code: 7 })
      expect(calls).toBe(before)
    }
  })

  it.runIf(process.platform === 'linux')(
    'runs its job as the process that the kernel ends first when memory runs out',
    async () => {
      const own = () => Number(readFileSync('/proc/self/oom_score_adj', 'utf8'))
      const script = `console.log(require('node:fs').readFileSync('/proc/self/oom_score_adj', 'utf8'))`
      const ran = await node(script, { kind: 'limits' })
      expect(Number(ran.stdout.toString())).toBe(900)
      expect(own()).toBeLessThan(900)
    },
  )

  it('passes none of our environment variables to a job', async () => {
    process.env['A_SECRET'] = 'x'
    for (const kind of kinds()) {
      const ran = await runBoxed({ program: 'env', args: [], kind })
      expect(ran.stdout.toString()).not.toContain('A_SECRET')
    }
    delete process.env['A_SECRET']
  })

  it('never interprets arguments as a shell', async () => {
    const told = await runBoxed({ program: 'echo', args: ['$(id)', '; touch x', '`id`'] })
    expect(told.stdout.toString().trim()).toBe('$(id) ; touch x `id`')
  })

  it('ends a job that exceeds its memory, processor time, wall time, file size or output', async () => {
    for (const kind of kinds()) {
      const greedy = { program: 'tail', args: ['/dev/zero'], kind, limits: { memoryBytes: 2 ** 28 } }
      expect(await runBoxed(greedy), kind).toMatchObject({ why: 'memory' })
      const slow = { program: 'sleep', args: ['20'], kind, limits: { wallMs: 200 } }
      expect(await runBoxed(slow), kind).toMatchObject({ why: 'time' })
      const big = { program: 'dd', args: 'if=/dev/zero of=big bs=1M count=9'.split(' '), kind, writes: folder }
      expect(await runBoxed({ ...big, limits: { fileBytes: 1e6 } }), kind).toMatchObject({ why: 'size' })
      const loud = { program: 'yes', args: [], kind }
      expect(await runBoxed(loud), kind).toMatchObject({ why: 'size' })
    }
    const busy = { program: 'sha256sum', args: ['/dev/zero'], limits: { cpuSeconds: 1 } }
    expect(await runBoxed(busy)).toMatchObject({ why: 'work' })
  })

  it('keeps the beginning and the end of a job’s error output', async () => {
    const ran = await node('for(let i=0;i<5e4;i++)process.stderr.write("line "+i+"\\n")')
    expect(ran.stderr.length).toBeLessThan(64 * 1024)
    expect(ran.stderr).toContain('line 0\n')
    expect(ran.stderr).toContain('line 49999')
  })

  it('keeps what decides about a job wherever its error output says so', async () => {
    const talk = 'for(let i=0;i<3e4;i++)process.stderr.write("line "+i+"\\n");'
    const told = 'process.stderr.write("[h264] Picture size 5000x4000 exceeds spec");'
    const more = 'process.stderr.write("ified max pixel count 230400\\nget_buffer() failed\\n");'
    const large = await node(`${talk}${told}setTimeout(()=>{${more}${talk}},50)`)
    expect(large).toMatchObject({ ok: true })
    expect(wasTooLarge(large.stderr)).toBe(true)
    expect(large.stderr).toContain('Picture size 5000x4000 exceeds specified')
    expect(large.stderr.length).toBeLessThan(64 * 1024)
    const poor = await node(`${talk}process.stderr.write("Cannot allocate memory\\n");${talk}`)
    expect(poor).toMatchObject({ ok: false, why: 'memory' })
  })

  it('kills the job when aborted, and rejects with the reason', async () => {
    for (const kind of kinds()) {
      const name = `${31 + kinds().indexOf(kind)}.${process.pid}`
      const stop = new AbortController()
      const job = runBoxed({ program: 'sleep', args: [name], kind, signal: stop.signal })
      await until(() => alive(name))
      stop.abort(new Error('enough'))
      await expect(job).rejects.toThrow('enough')
      await until(() => !alive(name))
    }
    await expect(runBoxed({ program: 'true', args: [], signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow(
      'no',
    )
  })

  it('kills its job when our process is killed', async () => {
    for (const kind of kinds()) {
      const name = `${41 + kinds().indexOf(kind)}.${process.pid}`
      const module = new URL('./sandbox.ts', import.meta.url).href
      const script = `import('${module}').then(({runBoxed})=>runBoxed({program:'sleep',args:['${name}'],kind:'${kind}'}))`
      const parent = spawn(process.execPath, ['-e', script], { stdio: 'ignore' })
      await until(() => alive(name))
      parent.kill('SIGKILL')
      await once(parent, 'exit')
      await until(() => !alive(name))
    }
  })

  it('hands on the next output when the one before was taken, and ends a job whose output is refused', async () => {
    const script = 'process.stdout.write(Buffer.alloc(2_000_000))'
    let [taking, most, bytes] = [0, 0, 0]
    const take = async (chunk: Buffer) => {
      most = Math.max(most, ++taking)
      await new Promise((resolve) => setTimeout(resolve, 5))
      bytes += chunk.length
      taking--
    }
    expect(await node(script, { onOutput: take })).toMatchObject({ ok: true })
    expect({ most, bytes }).toEqual({ most: 1, bytes: 2_000_000 })
    const refused = node(`${script}; setInterval(() => {}, 1000)`, {
      onOutput: () => Promise.reject(new Error('no more')),
    })
    await expect(refused).rejects.toThrow('no more')
  })

  it('names a program that is not installed', async () => {
    await expect(runBoxed({ program: 'no-such-program', args: [] })).rejects.toThrow('no-such-program was not found')
  })
})

/** Whether a `sleep` with that argument runs, by reading the process table. */
function alive(argument: string): boolean {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .some((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1') === `/usr/bin/sleep\0${argument}\0`
      } catch {
        return false
      }
    })
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 100_000
  while (!holds()) {
    if (Date.now() > deadline) throw new Error('it never came to pass')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
