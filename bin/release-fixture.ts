// npm run release-fixture -- NAME: keeps what this release leaves behind: a small data folder, made by the product and backed
// up by its own command, the list of migrations that may never change again, and the contract's shape, from which its
// changelog counts on. Run it once, when a release is made.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  fixtureList,
  fixtures,
  migrationList,
  migrationsNow,
  pack,
  packed,
  writeLines,
} from '../server/test/releases.ts'
import { openapi } from '../server/src/http/openapi.ts'
import { changelogFile, releasedFile, released, shapeOf, writeShape } from '../server/test/contract-shape.ts'

const root = resolve(import.meta.dirname, '..')
const name = process.argv[2] ?? ''
if (!/^\d{4}-\d\d-\d\d[a-z0-9-]*$/.test(name))
  refuse('Name it by the day of the release: npm run release-fixture -- 2026-11-22')
const file = join(fixtures, `${name}.tar.zst`)
if (existsSync(file)) refuse(`${file} is there already, and what a release left behind never changes.`)

const folder = await mkdtemp(join(tmpdir(), 'release-fixture-'))
try {
  const data = join(folder, 'data')
  await run('server/test/release-data.ts', [data])
  await run('server/src/main/backup.ts', ['backup', join(folder, 'backups')], { DATA_DIR: data, SEED: 'none' })
  const backup = (await readdir(join(folder, 'backups'))).find((one) => /^\d{4}-/.test(one))!
  await mkdir(fixtures, { recursive: true })
  await pack(join(folder, 'backups', backup), file)
  await writeFile(fixtureList, writeLines(await packed()))
  await writeFile(migrationList, writeLines(await migrationsNow()))
  const contract = JSON.parse(JSON.stringify(openapi(''))) as Record<string, unknown>
  await writeFile(releasedFile, writeShape(shapeOf(contract)))
  await writeFile(changelogFile, released(await readFile(changelogFile, 'utf8'), name))
  console.log(
    `${file} (${((await stat(file)).size / 1e6).toFixed(1)} MB), the list of released migrations, and the contract with its changelog`,
  )
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function run(script: string, args: string[], env: Record<string, string> = {}) {
  const options = {
    stdio: 'inherit',
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
  } as const
  const [code] = (await once(spawn(process.execPath, [join(root, script), ...args], options), 'exit')) as [
    number | null,
  ]
  if (code !== 0) throw new Error(`${script} failed (${code})`)
}

/** Ends with one sentence, where the person who asked can mend it. */
function refuse(words: string): never {
  console.error(`✗ ${words}`)
  process.exit(1)
}
