import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/** How a process of its own ends that is watched and then does this. */
const ended = (code: string): Promise<{ signal: string | null; code: number | null; said: string }> =>
  new Promise((resolve) => {
    const watchdog = join(import.meta.dirname, 'watchdog.ts')
    const script = `const { watchThread } = require(${JSON.stringify(watchdog)})
      watchThread({ everyMs: 100, looks: 10 }); ${code}`
    const child = execFile(process.execPath, ['-e', script], (_error, _out, said) =>
      resolve({ signal: child.signalCode, code: child.exitCode, said }),
    )
  })

it('a service whose thread stands still ends itself, and says so', async () => {
  const { signal, said } = await ended('setTimeout(() => { for (;;); }, 300)')
  expect(signal).toBe('SIGKILL')
  expect(said).toContain('the service stood still and ended itself')
})

it('a service that is busy for a while, or has nothing to do, ends as it wants', async () => {
  const busy =
    'let left = 8; const work = () => { const until = Date.now() + 200; while (Date.now() < until); if (--left) setTimeout(work, 60) }; work()'
  expect(await ended(busy)).toEqual({ signal: null, code: 0, said: '' })
  expect(await ended('')).toEqual({ signal: null, code: 0, said: '' })
})
