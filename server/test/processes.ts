import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

/** What a child of a test gets of our environment. What Node compiled for one it need not compile for the next. */
const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
export const environment = { PATH, HOME, NODE_COMPILE_CACHE }

/** A child process of ours that said it is ready. */
export type Started = {
  /** The line that it said. */
  said: string
  child: ChildProcess
  /** Sends the signal and waits for the end. Answers the exit code, or the signal that ended it. */
  end: (signal?: NodeJS.Signals) => Promise<number | string>
}

/**
 * Starts a TypeScript file of the repo and waits for its first line that `ready` likes. It dies with this process.
 * `openFiles`: how many files and connections it may hold at once (`ulimit -n`). `inside`: what its command begins with, to be
 * run elsewhere (far-network.ts).
 */
export const startProcess = async (
  file: string,
  args: readonly string[],
  {
    ready = /./,
    env = {},
    openFiles,
    inside = [],
  }: { ready?: RegExp; env?: Record<string, string>; openFiles?: number; inside?: readonly string[] } = {},
): Promise<Started> => {
  const command = [...inside, process.execPath, resolve(root, file), ...args]
  const limited =
    openFiles === undefined ? command : ['sh', '-c', `ulimit -n ${openFiles} && exec "$@"`, 'sh', ...command]
  const child = spawn(limited[0]!, limited.slice(1), {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...environment, ...env },
  })
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  const said = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout!).on('line', (line) => ready.test(line) && resolve(line))
    void ended.then(([code, signal]) => reject(new Error(`${file} ended before it was ready (${code ?? signal})`)))
  })
  return {
    said,
    child,
    end: async (signal = 'SIGTERM') => {
      child.kill(signal)
      const [code, by] = await ended
      return code ?? by!
    },
  }
}

const root = join(import.meta.dirname, '../..')
