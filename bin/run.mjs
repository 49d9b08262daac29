// Running other programs, and saying what is going on. Plain JavaScript for Node 20: nothing is installed yet.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { inspect } from 'node:util'

/** An error whose message is all that its reader needs: what happened and what to do next. */
export class Told extends Error {}

/** Says what begins, does it, says how long it took. */
export async function step(title, work) {
  const began = Date.now()
  console.log(`→ ${title}`)
  const result = await work()
  console.log(`  done in ${seconds(Date.now() - began)}`)
  return result
}

export function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(1)} s`
}

/** Runs a program quietly; when it fails, throws a Told of `next` under the program's last words. */
export async function quietly(file, args, { env, cwd, next }) {
  const { code, output } = await capture(file, args, { env, cwd })
  if (code === 0) return output
  throw new Told(`${[file, ...args].join(' ')} failed (${code}):\n    ${endsOf(output).join('\n    ')}\n${next}`)
}

/** npm names the cause first and then advises at length, compilers name it last. */
function endsOf(output) {
  const lines = output.trim().split('\n')
  return lines.length > 24 ? [...lines.slice(0, 10), '…', ...lines.slice(-12)] : lines
}

/** Exit code (or the signal's name, or ENOENT and the like) and everything the program wrote. Never throws. */
export function capture(file, args, { env, cwd } = {}) {
  return new Promise((resolve) => {
    const child = track(spawn(file, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] }))
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('error', (error) => resolve({ code: error.code, output: error.message }))
    child.on('close', (code, signal) => resolve({ code: code ?? signal, output }))
  })
}

/** Runs a program on this terminal; resolves to its exit code (127 when it cannot be started). */
export function openly(file, args, { env, cwd, withChannel = false }) {
  return new Promise((resolve) => {
    // The channel carries no messages: its end tells the child that its parent is gone, however it went.
    const stdio = ['inherit', 'inherit', 'inherit', ...(withChannel ? ['ipc'] : [])]
    const child = track(spawn(file, args, { env, cwd, stdio }))
    child.on('error', (error) => {
      console.error(forTerminal(error.message))
      resolve(127)
    })
    child.on('exit', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)))
  })
}

/**
 * Runs a program beside another whose words must not be mixed with its own: what it writes is kept until `show` is called,
 * and passed on from then. `code` resolves to its exit code (127 when it cannot be started).
 */
export function aside(file, args, { env, cwd } = {}) {
  const child = track(spawn(file, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] }))
  let kept = []
  const pass = (chunk) => (kept ? kept.push(chunk) : process.stdout.write(chunk))
  child.stdout.on('data', pass)
  child.stderr.on('data', pass)
  const show = () => {
    for (const chunk of kept ?? []) process.stdout.write(chunk)
    kept = undefined
  }
  const code = new Promise((resolve) => {
    child.on('error', (error) => {
      pass(`${error.message}\n`)
      resolve(127)
    })
    child.on('close', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)))
  })
  return { code, show }
}

/**
 * Runs a service until it ends by itself. One that was killed (exit code 137) after it had run for `leastMs` is started
 * again: the system had no memory left, or its thread stood still and its watchdog ended it. So is one that met an error
 * nobody expected (70). One that ends so sooner, which it says, or after this process was told to stop, stays down. Resolves
 * to the last exit code.
 */
export async function keepRunning(run, { leastMs = 60_000 } = {}) {
  for (;;) {
    const began = Date.now()
    const code = await run()
    if (![killed, broke].includes(code) || signalled()) return code
    if (Date.now() - began < leastMs) {
      console.log(
        '\nThe service was killed, or met an error that it does not know, soon after its start. It is not started again: ' +
          'see above, and whether this machine has memory left. Then start it again.',
      )
      return code
    }
    console.log('\nThe service was killed, or met an error that it does not know. Starting it again.')
  }
}
const killed = 128 + constants.signals.SIGKILL
const broke = 70

/**
 * Hands Ctrl-C and its like on to the running children and ends when they have ended.
 * A child on the same terminal hears Ctrl-C twice: it must take the second as the first.
 */
export function forwardSignals() {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, () => stopBy(signal))
  if (process.env.npm_lifecycle_event) stopWithoutParent()
}

function stopBy(signal) {
  stoppedBy ??= signal
  if (running.size === 0) process.exit(128 + constants.signals[signal])
  for (const child of running) child.kill(signal)
}

/** An npm that is killed, or whose shell passes no signal on, must not leave the product running. */
function stopWithoutParent() {
  const parent = process.ppid
  const watch = setInterval(() => process.ppid !== parent && stopBy('SIGTERM'), 500)
  watch.unref()
}

/** The signal that asked this process to end; undefined while none did. */
export function signalled() {
  return stoppedBy
}

/** Prints what went wrong and ends with 1; what went wrong inside this code comes with its stack. */
export function giveUp(error) {
  if (stoppedBy) process.exit(128 + constants.signals[stoppedBy])
  console.error(forTerminal(error instanceof Told ? `\n✗ ${error.message}` : inspect(error)))
  process.exit(1)
}

/**
 * What would drive a terminal is written out, as the product writes it (contract/src/visible.ts): a registry's words come by npm, and
 * those of a package by its install.
 */
export function forTerminal(text) {
  const driving = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu
  return text.replaceAll(driving, (sign) => `\\u${sign.codePointAt(0).toString(16).padStart(4, '0')}`)
}

const running = new Set()
let stoppedBy

function track(child) {
  running.add(child)
  child.on('close', () => running.delete(child))
  child.on('error', () => running.delete(child))
  return child
}
