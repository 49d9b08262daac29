// npm run prove -- dates: the rules, the contract and the rooms of the server that reckon with days, as if today were another
// day: ends of months and years, a leap day, and the days on which clocks are changed. Every process, and the database, gets
// that day from libfaketime. Files after it choose some; `DATES=2028-02-29T00:10Z,2027-12-31T23:50Z` chooses days.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { days, rooms } from '../other-dates.ts'

const root = resolve(import.meta.dirname, '../..')
const [library] = globSync(['/usr/lib/*/faketime/libfaketimeMT.so.1', '/usr/lib/faketime/libfaketimeMT.so.1'])
if (!library)
  throw new Error('libfaketime is not there. Install it (Debian: apt-get install faketime), and start again.')

const chosen = process.env.DATES?.split(',') ?? days
const wrong = chosen.filter((day) => Number.isNaN(Date.parse(day)))
if (wrong.length > 0) throw new Error(`No date: ${wrong.join(', ')}. Write each like 2028-02-29T00:10Z.`)
const files = process.argv.length > 2 ? process.argv.slice(2) : rooms
const failed: string[] = []
for (const day of chosen) {
  console.log(`\n→ ${day}`)
  const ahead = Math.round((Date.parse(day) - Date.now()) / 1000)
  // Each test in its short form, as npm test has it.
  const { PROVE: _, ...environment } = process.env
  const { status } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/.bin/vitest'), 'run', '--project', 'pure', '--project', 'server', ...files],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...environment,
        TESTS: 'test',
        LD_PRELOAD: library,
        FAKETIME: `${ahead < 0 ? '' : '+'}${ahead}`,
        // How long something takes is measured as ever.
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        NODE_OPTIONS: `--import ${join(root, 'server/test/same-date.ts')}`,
      },
    },
  )
  if (status !== 0) failed.push(day)
}
console.log(
  `\n${chosen.length - failed.length} passed, ${failed.length} failed${failed.map((day) => `\n  ${day}`).join('')}`,
)
process.exitCode = failed.length > 0 ? 1 : 0
