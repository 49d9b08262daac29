import { spawn } from 'node:child_process'
import { constants, existsSync, writeFileSync } from 'node:fs'
import { access, realpath } from 'node:fs/promises'
import { availableParallelism, constants as osConstants, tmpdir } from 'node:os'
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path'

/** What holds a child: a container of its own, at least no network, or only limits on what it may use up. */
export type SandboxKind = 'bubblewrap' | 'unshare' | 'limits'

/**
 * The means that keep a hostile child from everything but its own file: other files, our processes and their environment,
 * the network. `unshare` hides the network alone and `limits` nothing: with these a child reads what we can read.
 */
export const closedSandboxes: readonly SandboxKind[] = ['bubblewrap']

/** No means of `closedSandboxes` works on this machine, and nothing less may hold a decoder (see `requireClosedSandbox`). */
export class SandboxMissing extends Error {
  constructor() {
    super('No decoder runs: bubblewrap does not work on this machine, and nothing less may hold one in production.')
    this.name = 'SandboxMissing'
  }
}

/** `fileBytes` bounds each file written, `wallMs` is the clock on the wall, `cpuSeconds` counts all threads together. */
export type Limits = { memoryBytes: number; cpuSeconds: number; wallMs: number; fileBytes: number }

export type Job = {
  /** An absolute path, or a name that is looked up on PATH. */
  program: string
  args: readonly string[]
  /** Files and folders the child may read, beside the system's programs and libraries. */
  reads?: readonly string[]
  /** The one folder the child may write; it is also where the child stands. */
  writes?: string
  limits?: Partial<Limits>
  signal?: AbortSignal | undefined
  /**
   * Gets the output as it comes, the next of it once what it returned has resolved; the child waits meanwhile, and is ended where
   * it rejects. Without it the output is gathered, up to 16 MiB.
   */
  onOutput?: (chunk: Buffer) => void | Promise<unknown>
  /** For tests: hold the child by this means and no other. */
  kind?: SandboxKind
}

export type Outcome = { stdout: Buffer; stderr: string; ms: number } & (
  | { ok: true }
  | { ok: false; why: Why; code: number | null; signal: string | null }
)

/** `time` is the clock on the wall, `work` the processor's; `size` a file or an output that grew too big. */
export type Why = 'exit' | 'crash' | 'memory' | 'time' | 'work' | 'size'

const usual = { memoryBytes: 3 * 2 ** 30, cpuSeconds: 600, wallMs: 600_000, fileBytes: 8 * 2 ** 30 } satisfies Limits
const gatheredBytes = 16 * 2 ** 20
const keptErrorBytes = 16 * 1024

/**
 * Runs one program as a locked-down child and waits until it is gone. How the child ended is an answer, not an error;
 * thrown are only the signal's reason after an abort, `SandboxMissing`, and an Error when the program or its sandbox cannot be
 * started.
 * The child never sees our environment, never goes through a shell and dies with this process.
 */
export async function runBoxed(job: Job): Promise<Outcome> {
  job.signal?.throwIfAborted()
  const limits = { ...usual, ...job.limits }
  const kind = job.kind ?? (await sandboxKind())
  if (isClosedRequired && !job.kind && !closedSandboxes.includes(kind)) throw new SandboxMissing()
  const [program, ...args] = await sandboxCommand(kind, job, limits)
  job.signal?.throwIfAborted()
  const ended = observe?.(basename(job.program))
  try {
    const outcome = await watch(program, args, job, limits)
    ended?.(outcome.ok ? 'done' : outcome.why)
    return outcome
  } catch (error) {
    ended?.(job.signal?.aborted ? 'stopped' : 'fault')
    throw error
  }
}

/** How a child ended: `done`, why it did not, `stopped` from here, or `fault` where it could not be started. */
export type Ending = 'done' | Why | 'stopped' | 'fault'
let observe: ((program: string) => (ending: Ending) => void) | undefined

/** Hears of each child as it begins, by its program's name; what is answered then hears how it ended. */
export function observeChildren(one: typeof observe): void {
  observe = one
}

let isClosedRequired = false

/** For production: from now on this process runs no child in anything less than one of `closedSandboxes`. */
export function requireClosedSandbox(): void {
  isClosedRequired = true
}

let known: { kind: Promise<SandboxKind>; at: number } | undefined

/**
 * The strictest means that works on this machine, found out by running `true` in each. A lesser one than bubblewrap is
 * looked at again after five seconds: somebody may have installed it meanwhile.
 */
export async function sandboxKind(): Promise<SandboxKind> {
  known ??= { kind: strictest(), at: performance.now() }
  const kind = await known.kind
  if (closedSandboxes.includes(kind) || performance.now() - known.at < 5000) return kind
  known = undefined
  return sandboxKind()
}

/** The absolute path of a program, or undefined when PATH has none. */
export async function locate(name: string): Promise<string | undefined> {
  const places = isAbsolute(name) ? [name] : (process.env['PATH'] ?? '/usr/bin:/bin').split(delimiter)
  for (const place of places) {
    const path = isAbsolute(name) ? name : resolve(place, name)
    const runs = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (runs) return path
  }
  return undefined
}

async function strictest(): Promise<SandboxKind> {
  for (const kind of ['bubblewrap', 'unshare'] satisfies SandboxKind[]) {
    const tried = await runBoxed({ program: 'true', args: [], kind, limits: { wallMs: 5000 } }).catch(() => undefined)
    if (tried?.ok) return kind
  }
  return 'limits'
}

/** The command line that runs the job inside its sandbox. Everything outside the program itself only narrows. */
async function sandboxCommand(kind: SandboxKind, job: Job, limits: Limits): Promise<[string, ...string[]]> {
  const program = await locate(job.program)
  if (!program) throw new Error(`${job.program} was not found. Install it, or name its place.`)
  const bounds = await bounding(limits)
  const command = [program, ...job.args]
  // Bubblewrap dies with its parent by itself. A new user namespace forgets the wish to die: there it is made inside.
  if (kind === 'bubblewrap') command.unshift(...bounds, await must('bwrap'), ...(await bubblewrap(program, job)))
  if (kind === 'unshare') command.unshift(await must('unshare'), ...offline(), ...(await killWithParent()), ...bounds)
  if (kind === 'limits') command.unshift(...(await killWithParent()), ...bounds)
  const [first, ...rest] = command
  return [first ?? program, ...rest]
}

async function bounding(limits: Limits): Promise<string[]> {
  const [prlimit, nice] = await Promise.all(['prlimit', 'nice'].map(locate))
  const cpu = Math.ceil(limits.cpuSeconds)
  return [
    // Soft and hard limit are equal: ffmpeg answers the soft one by ending "normally" with half a file.
    ...(prlimit
      ? [prlimit, `--as=${limits.memoryBytes}`, `--cpu=${cpu}:${cpu}`, `--fsize=${limits.fileBytes}`, '--core=0']
      : []),
    // People's requests come before pictures.
    ...(nice ? [nice, '-n', '10'] : []),
  ]
}

async function killWithParent(): Promise<string[]> {
  const setpriv = await locate('setpriv')
  return setpriv ? [setpriv, '--pdeathsig', 'KILL', '--no-new-privs'] : []
}

async function bubblewrap(program: string, job: Job): Promise<string[]> {
  const system = ['/usr', '/lib', '/lib32', '/lib64', '/bin', '/sbin', '/etc/ld.so.cache', '/etc/alternatives']
  const real = await realpath(program)
  const beside = join(dirname(dirname(real)), 'lib')
  const programs = real.startsWith('/usr/') ? [] : [real, ...(existsSync(beside) && beside !== '/lib' ? [beside] : [])]
  const reads = await Promise.all((job.reads ?? []).map(async (path) => [await realpath(path), resolve(path)] as const))
  const writes = job.writes === undefined ? undefined : await realpath(job.writes)
  return [
    ...'--unshare-all --die-with-parent --new-session --cap-drop ALL --dev /dev'.split(' '),
    ...system.flatMap((path) => ['--ro-bind-try', path, path]),
    ...programs.flatMap((path) => ['--ro-bind', path, path]),
    ...(real === program || program.startsWith('/usr/') ? [] : ['--ro-bind', real, program]),
    ...(writes ? ['--bind', writes, writes] : []),
    ...reads.flatMap(([from, to]) => ['--ro-bind', from, to]),
    // The new root is memory that could be filled: closed once everything is in its place.
    ...'--remount-ro / --chdir'.split(' '),
    writes ?? '/',
    '--',
  ]
}

function offline(): string[] {
  return [...(process.getuid?.() === 0 ? [] : ['--map-root-user']), '--net', '--ipc', '--']
}

async function must(name: string): Promise<string> {
  const path = await locate(name)
  if (!path) throw new Error(`${name} was not found on PATH`)
  return path
}

function watch(program: string, args: string[], job: Job, limits: Limits): Promise<Outcome> {
  const { promise, resolve: settle, reject } = Promise.withResolvers<Outcome>()
  const began = performance.now()
  const child = spawn(program, args, {
    cwd: job.writes ?? tmpdir(),
    env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', HOME: '/nonexistent', ...keptMemory },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that one signal reaches the sandbox and all that is in it.
    detached: true,
  })
  firstToGo(child.pid)
  let ended: 'aborted' | 'time' | 'size' | 'refused' | undefined
  let refusal: unknown
  const end = (why: NonNullable<typeof ended>) => {
    ended ??= why
    try {
      if (child.pid) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // Already gone.
    }
  }
  const onAbort = () => end('aborted')
  const clock = setTimeout(() => end('time'), limits.wallMs)
  job.signal?.addEventListener('abort', onAbort, { once: true })

  const out: Buffer[] = []
  let outBytes = 0
  const gather = (chunk: Buffer) => {
    outBytes += chunk.length
    if (outBytes > gatheredBytes) end('size')
    else out.push(chunk)
  }
  const handOn = async () => {
    for await (const chunk of child.stdout) await (job.onOutput ?? gather)(chunk as Buffer)
  }
  const handedOn = handOn().catch((error: unknown) => {
    refusal = error
    end('refused')
  })
  const complaints = complaintsKeeper()
  child.stderr.on('data', complaints.take)

  const tidy = () => {
    clearTimeout(clock)
    job.signal?.removeEventListener('abort', onAbort)
  }
  child.on('error', (error) => {
    tidy()
    reject(error)
  })
  child.on('close', async (status, deadBy) => {
    tidy()
    await handedOn
    if (ended === 'aborted') return reject(job.signal?.reason)
    if (ended === 'refused') return reject(refusal)
    const stderr = complaints.done()
    if (!ended && sandboxFailed.test(stderr)) return reject(new Error(`The sandbox could not start: ${stderr.trim()}`))
    const outcome = { stdout: Buffer.concat(out), stderr, ms: Math.round(performance.now() - began) }
    // A sandbox with its own process numbers reports its child's signal as 128 + n.
    const signal = deadBy ?? (status !== null && status > 128 && status < 160 ? signalName(status - 128) : null)
    const code = signal ? null : status
    if (!ended && code === 0 && !lacksMemory(stderr)) return settle({ ok: true, ...outcome })
    settle({ ok: false, why: ended ?? reason(signal, stderr, outcome.ms, limits), code, signal, ...outcome })
  })
  return promise
}

/**
 * Of what a program complains of, head and tail say most, and a poisoned file can make a decoder complain for gigabytes. What
 * decides (`deciding`) is looked for in all of it, as it comes, and stands at the end where it lay between.
 */
function complaintsKeeper() {
  let errors = Buffer.alloc(0)
  let before = ''
  const sought = new Set(deciding)
  const said: string[] = []
  return {
    take(chunk: Buffer) {
      const text = before + chunk.toString('latin1')
      before = text.slice(-500)
      for (const words of sought) {
        const [found] = words.exec(text) ?? []
        if (found !== undefined && sought.delete(words)) said.push(found)
      }
      errors = Buffer.concat([errors, chunk])
      if (errors.length > 2 * keptErrorBytes)
        errors = Buffer.concat([errors.subarray(0, keptErrorBytes), errors.subarray(-keptErrorBytes)])
    },
    done(): string {
      const kept = errors.toString('utf8')
      return [kept, ...said.filter((words) => !kept.includes(words))].join('\n')
    },
  }
}

/** Where the machine's memory runs out, the kernel ends this child before the service and the database. */
function firstToGo(pid: number | undefined) {
  try {
    if (pid) writeFileSync(`/proc/${pid}/oom_score_adj`, '900')
  } catch {
    // It has ended already, or this is no Linux.
  }
}

/** A picture's memory is used again for the next one, not given back and asked for: a third of the kernel's work. */
const keptMemory = { MALLOC_MMAP_THRESHOLD_: `${32 * 2 ** 20}`, MALLOC_TRIM_THRESHOLD_: `${256 * 2 ** 20}` }

const sandboxFailed = /^(bwrap|unshare|setpriv|prlimit|nice): /

function reason(signal: string | null, stderr: string, ms: number, limits: Limits): Why {
  if (signal === 'SIGXFSZ') return 'size'
  if (signal === 'SIGXCPU') return 'work'
  // The kernel's own kill: the machine's memory was used up, or the processor's time, which takes so long at the least.
  if (signal === 'SIGKILL') return ms >= (limits.cpuSeconds * 1000) / busyCores ? 'work' : 'memory'
  if (lacksMemory(stderr)) return 'memory'
  return signal ? 'crash' : 'exit'
}

/**
 * Does a program complain that it was refused memory or a thread? ffmpeg has many words for it, most of which blame the
 * file or an option, and may still end well, with pictures missing.
 */
export function lacksMemory(stderr: string): boolean {
  return memoryWords.test(stderr) || (noBuffer.test(stderr) && !wasTooLarge(stderr))
}

const memoryWords = new RegExp(
  [
    'cannot allocate memory|could not allocate|out of memory|memory exhausted|malloc .{0,200}failed',
    'failed to map segment|resource temporarily unavailable',
    'encoder_init failed|while opening encoder',
  ].join('|'),
  'i',
)

/** Said where memory is refused, and also where a picture is larger than we let a decoder take. */
const noBuffer = /get_buffer\(\) failed/i

/** Did a decoder meet a picture that is larger than it may take? It leaves that out, and may still end well. */
export function wasTooLarge(stderr: string): boolean {
  return tooLarge.test(stderr)
}

const tooLarge = /(Picture size \d+x\d+ )?exceeds specified max pixel count/

/** What tells how a run went, wherever it is said. */
const deciding = [memoryWords, noBuffer, tooLarge] as const

/** How many cores one program keeps busy at the most (see `threads`). */
const busyCores = Math.min(5, availableParallelism())

function signalName(number: number): string {
  const found = Object.entries(osConstants.signals).find(([, n]) => n === number)
  return found?.[0] ?? `signal ${number}`
}
