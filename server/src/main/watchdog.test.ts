import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/** A watchdog that is broken leaves a loop without an end: it does not outlive its test. */
const bounded = { timeout: 30_000, killSignal: 'SIGKILL' } as const

/** How a process of its own ends that is watched and then does this. */
const ended = (code: string): Promise<{ signal: string | null; code: number | null; said: string }> =>
  new Promise((resolve) => {
    const watchdog = join(import.meta.dirname, 'watchdog.ts')
    const script = `const { watchThread } = require(${JSON.stringify(watchdog)})
      watchThread({ everyMs: 100, looks: 10 }); ${code}`
    const child = execFile(process.execPath, ['-e', script], bounded, (_error, _out, said) =>
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

it('npm start starts a service again that was killed or broke, unless it did so at once or ended as it wanted', async () => {
  const { keepRunning, openly } = await import(join(import.meta.dirname, '../../../bin/run.mjs'))
  const runs = (leastMs: number, ...ends: string[]) => {
    let begun = 0
    const one = () => openly(process.execPath, ['-e', ends[begun++] ?? 'process.exit(7)'], {})
    return keepRunning(one, { leastMs }).then((code: number) => ({ code, begun }))
  }
  const killed = `process.kill(process.pid, 'SIGKILL')`
  expect(await runs(0, killed, killed)).toEqual({ code: 7, begun: 3 })
  expect(await runs(0, 'process.exit(70)', killed)).toEqual({ code: 7, begun: 3 })
  expect(await runs(60_000, 'process.exit(70)')).toEqual({ code: 70, begun: 1 })
  expect(await runs(60_000, killed)).toEqual({ code: 137, begun: 1 })
  expect(await runs(0, 'process.exit(1)')).toEqual({ code: 1, begun: 1 })
  expect(await runs(0, `process.kill(process.pid, 'SIGTERM')`)).toEqual({ code: 143, begun: 1 })
})
