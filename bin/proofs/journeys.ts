// npm run prove -- journeys: every journey at both screens, of which npm test walks some at one (e2e/screens.ts). The panel
// must have been built; JOURNEY_DEMO=… brings the demo that they begin with.
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const playwright = join(root, 'node_modules/.bin/playwright')
// What has a long form of its own is proved by its own name.
const { PROVE: _prove, ...env } = process.env
const journeys = [playwright, 'test', '-c', 'e2e/playwright.config.ts', ...process.argv.slice(2)]
const { status } = spawnSync(process.execPath, journeys, {
  cwd: root,
  env: { ...env, JOURNEYS: 'all' },
  stdio: 'inherit',
})
process.exitCode = status ?? 1
