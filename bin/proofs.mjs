// What npm run prove -- NAME knows: the long forms of tests, and the programs of bin/proofs.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { journeyProofs } from './journeys.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Each proof with its name: the file of a test that has a long form, with the Vitest projects it is in; a part of all tests;
 * a journey; or the file of a program. A file of the media says so in its name, since the server has files of the same names.
 */
export function proofs() {
  const files = ['domain', 'edit', 'media', 'server'].flatMap((room) =>
    readdirSync(join(root, room), { recursive: true }).map((path) => join(room, path)),
  )
  const long = files.filter(
    (path) =>
      path.endsWith('.test.ts') &&
      !path.includes('node_modules') &&
      /^(import \{[^}]*\bisLong\b|const isLong = process\.env\b)/m.test(readFileSync(join(root, path), 'utf8')),
  )
  const programs = readdirSync(join(root, 'bin', 'proofs')).filter((name) => name.endsWith('.ts'))
  return [
    ...long.map((path) => ({
      name: (path.startsWith('media') ? 'media-' : '') + basename(path, '.test.ts'),
      file: path,
      project: projectOf(path),
    })),
    // Those that npm test leaves out (server/test/long-tests.ts).
    { name: 'long-tests', tests: 'long' },
    ...Object.entries(journeyProofs).map(([name, journey]) => ({ name, journey })),
    ...programs.map((name) => ({ name: basename(name, '.ts'), file: join('bin', 'proofs', name) })),
  ]
}

/** Pure rules need no database; of the editing rules only what has a process of its own is long, beside the media. */
function projectOf(path) {
  return { domain: 'pure', edit: 'media', media: 'media' }[path.split('/')[0]] ?? 'server*'
}
