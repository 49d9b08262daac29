import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type BrowserContext } from '@playwright/test'

export type OwnBrowser = {
  context: BrowserContext
  /** Ends all of its processes at once (SIGKILL): nothing is written any more. Resolves when they are gone. */
  kill: () => Promise<void>
}

/**
 * A browser with a folder of its own, which outlives it, as a person's does: what the next one there begins with is what
 * was on the disk when the last one ended. `executable` and `args` as the journeys' other browsers have them.
 */
export const openOwnBrowser = async (
  folder: string,
  { executable, args }: { executable: string; args: readonly string[] },
): Promise<OwnBrowser> => {
  await mkdir(folder, { recursive: true })
  const port = join(folder, 'DevToolsActivePort')
  await rm(port, { force: true })
  const own = ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${folder}`, '--window-size=1440,900']
  // A process group of its own: whoever kills it leaves none of its children behind.
  const process_ = spawn(executable, [...args, ...own, 'about:blank'], { detached: true, stdio: 'ignore' })
  const isOver = () => process_.exitCode !== null || process_.signalCode !== null
  const kill = async () => {
    if (isOver()) return
    process.kill(-process_.pid!, 'SIGKILL')
    await once(process_, 'exit')
  }
  // Ended in a hurry, we leave nothing running.
  const end = () => void (isOver() || process.kill(-process_.pid!, 'SIGKILL'))
  process.once('exit', end)
  process_.once('exit', () => process.off('exit', end))
  const address = async (): Promise<string> => {
    for (;;) {
      if (isOver()) throw new Error('The browser ended before it could be spoken to.')
      const [first, path] = (await readFile(port, 'utf8').catch(() => '')).split('\n')
      if (first && path) return `ws://127.0.0.1:${first}${path}`
      await sleep(50)
    }
  }
  const browser = await chromium.connectOverCDP(await address())
  return { context: browser.contexts()[0]!, kill }
}
