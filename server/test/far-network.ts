import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { openFaultLine, type FaultLine } from './fault-line.ts'

/** How a line is: so many ms each way and up to `jitterMs` more, and this share of the packets is lost. */
export type Way = { delayMs: number; jitterMs: number; loss: number }

/** A network that one host is in, behind a line that is long, loses packets, or is cut. */
export type FarNetwork = {
  /** What a command begins with, to be run there. */
  inside: readonly string[]
  /** Its host's own address. */
  address: string
  /** The same address as it is reached from there, and the last bit of the way to it. */
  to: (url: string) => Promise<{ url: string; line: FaultLine }>
  /** From everything, or from what one line leads to. */
  part: (from?: FaultLine) => void
  join: () => void
  close: () => Promise<void>
}

let networks = 0

/** Undefined where this machine lets us make none, which is said aloud. */
export const openFarNetwork = async ({ delayMs, jitterMs, loss }: Way): Promise<FarNetwork | undefined> => {
  const n = ++networks
  const namespace = `clear-${process.pid}-${n}`
  const [here, there] = [`10.97.${process.pid % 250}.${4 * n + 1}`, `10.97.${process.pid % 250}.${4 * n + 2}`]
  try {
    execFileSync('ip', ['netns', 'add', namespace], { stdio: 'pipe' })
  } catch (error) {
    console.warn(`There are no networks of our own here, so none is parted: ${(error as Error).message}`)
    return undefined
  }
  const way = spawn('python3', [join(import.meta.dirname, 'far-network.py'), namespace, here, there], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(way, 'exit')
  const close = async () => {
    for (const one of open) one.close()
    way.stdin.end()
    await ended
    execFileSync('ip', ['netns', 'delete', namespace])
  }
  const open: { close: () => void }[] = []
  const isUp = await Promise.race([once(way.stdout, 'data').then(() => true), ended.then(() => false)])
  if (!isUp) {
    await close()
    return undefined
  }
  const rejoin = () => void way.stdin.write(`${delayMs} ${jitterMs} ${loss}\n`)
  rejoin()
  return {
    inside: ['ip', 'netns', 'exec', namespace],
    address: there,
    to: async (url) => {
      const at = new URL(url)
      const line = await openFaultLine({ host: at.hostname, port: Number(at.port) }, here)
      open.push(line)
      at.host = `${here}:${line.port}`
      return { url: at.href, line }
    },
    part: (from) => void way.stdin.write(`parted ${from?.port ?? ''}\n`),
    join: rejoin,
    close,
  }
}
