import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Control } from '../src/stand-ins/networks/program.ts'
import type { TimelineEntry } from '../src/stand-ins/networks/stand-in.ts'

/** The stand-ins of networks as the program of their own that they are. */
export const startNetworks = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clear-to-post-networks-'))
  const program = join(import.meta.dirname, '../src/stand-ins/networks/program.ts')
  const child = spawn(process.execPath, [program, folder], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const origin = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const [, address] = /^listening on (.*)$/.exec(line) ?? []
      if (address) resolve(address)
    })
    child.once('exit', () => reject(new Error('the stand-ins of networks did not start')))
  })
  // Each on a line of its own: one that is kept open may be closed by the other side just as it is used again.
  const control = async (asked: Control): Promise<any> => {
    const answer = await fetch(`${origin}/control`, {
      method: 'POST',
      headers: { connection: 'close' },
      body: JSON.stringify(asked),
    })
    return answer.json()
  }
  return {
    origin,
    control,
    /** What everybody sees at a network, and how many posts were ever made there. */
    timeline: async (network: string): Promise<{ timeline: TimelineEntry[]; made: number }> =>
      control({ timeline: network }),
    close: async () => {
      child.stdin.end()
      // One that hangs does not hear it.
      const hangs = setTimeout(() => child.kill('SIGKILL'), 5000)
      await ended
      clearTimeout(hangs)
      await rm(folder, { recursive: true, force: true })
    },
  }
}
export type StandInNetworks = Awaited<ReturnType<typeof startNetworks>>
