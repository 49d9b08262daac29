import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { networkNames } from '@clear-to-post/domain/networks'
import type { Config } from '../../kernel/config.ts'

/**
 * Starts the stand-ins of networks as a program of its own beside this one, on your own machine and while a network has no keys;
 * sets where they answer. What was posted there outlives both programs, and its addresses too: the port is asked for again. Answers
 * how to end it; undefined where none is wanted.
 */
export const startNetworkStandIns = async (
  config: Pick<Config, 'isHosted' | 'dataDir' | 'networkKeys' | 'networksStandIn'>,
): Promise<(() => Promise<void>) | undefined> => {
  const isWanted =
    !config.isHosted &&
    config.networksStandIn === undefined &&
    networkNames.some((network) => !config.networkKeys[network])
  if (!isWanted) return undefined
  const folder = join(config.dataDir, 'network-stand-ins')
  const before = await readFile(join(folder, 'port'), 'utf8').catch(() => '0')
  const started = (await startAt(folder, before)) ?? (before === '0' ? undefined : await startAt(folder, '0'))
  // Posting to networks is then not offered; nothing else needs it.
  if (!started) return undefined
  config.networksStandIn = started.origin
  await writeFile(join(folder, 'port'), new URL(started.origin).port)
  return started.close
}

const startAt = async (
  folder: string,
  port: string,
): Promise<{ origin: string; close: () => Promise<void> } | undefined> => {
  const program = join(import.meta.dirname, 'program.ts')
  const child = spawn(process.execPath, [program, folder, port], { stdio: ['pipe', 'pipe', 'ignore'] })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  const origin = await Promise.race([
    ended,
    new Promise<string>((resolve) => {
      createInterface(child.stdout).on('line', (line) => {
        const [, address] = /^listening on (.*)$/.exec(line) ?? []
        if (address) resolve(address)
      })
    }),
  ])
  if (origin === undefined) return undefined
  return {
    origin,
    close: () => {
      child.stdin.end()
      return ended
    },
  }
}
