// npm run bench:preview: late frames, scrubbing, long tasks and memory of the workbench's preview, beside a plain video element
// that plays the finished file. -- --minutes 10 --takes 2,15.
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildPanel } from './panel.ts'

const { values: flags } = parseArgs({
  options: {
    /** How long each take is played, preview and plain video each. */
    minutes: { type: 'string', default: '10' },
    /** How long the takes are, in minutes. */
    takes: { type: 'string', default: '2,15' },
    /** How often the ruler is pressed for the time of scrubbing. */
    presses: { type: 'string', default: '60' },
    /** A folder: what the browser did is written there, for its own tools. Measuring that costs time itself. */
    trace: { type: 'string' },
  },
})

const root = resolve(import.meta.dirname, '..')
await buildPanel()
const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules/.bin/playwright'),
    'test',
    '-c',
    'e2e/playwright.config.ts',
    'e2e/preview-speed\\.e2e\\.ts',
    '--project',
    'desktop',
    '--workers',
    '1',
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      BENCH: 'preview',
      BENCH_MINUTES: flags.minutes,
      BENCH_TAKES: flags.takes,
      BENCH_PRESSES: flags.presses,
      ...(flags.trace && { BENCH_TRACE: resolve(flags.trace) }),
    },
  },
)
process.exitCode = status ?? 1
