import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Tests that `npm test` leaves out: `npm run prove -- long-tests` runs them, and `.ci/run` does so after it. Each asks more of
 * what a shorter neighbor asks, which `npm test` runs. They have the tag `long`: a test `{ tags: 'long' }`, a walk of which
 * `npm test` asks a part (`partOfWalk` of random.ts), and a file whose tests all have it `// @module-tag long`.
 */
const root = join(import.meta.dirname, '../..')
const files = globSync('{bench,contract,domain,edit,media,server,speech,web}/**/*.test.ts', {
  cwd: root,
  exclude: ['**/node_modules', '**/dist'],
}).toSorted()
const withTag = (tag: RegExp) => files.filter((file) => tag.test(readFileSync(join(root, file), 'utf8')))

/** Files of which `npm test` runs nothing. */
export const longTests = withTag(/^\/\/ @module-tag long$/m)

/** Files of which both run a part. */
export const longInPart = withTag(/\btags: 'long'|\bpartOfWalk\(\d/).filter((file) => !longTests.includes(file))
