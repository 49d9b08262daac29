import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'

const rooms = (...names: string[]) => names.map((name) => `${name}/**/*.test.ts`)

/** Counts how often each line of the code is run: what another file has loaded before would not be counted. */
const alone = ['edit/src/largest-recipes.test.ts']

// Compiled once for all workers, and for every server that a test starts.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node')

export default defineConfig({
  test: {
    // Two cores are what CI has; a third worker would only make the timing tests lie.
    maxWorkers: 2,
    pool: 'forks',
    // A test that hangs is found by these; one that only meets a busy machine comes to its end.
    testTimeout: 120_000,
    // What is waited for comes at once on a quiet machine, and later on one that is not.
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: rooms('domain', 'contract', 'edit', 'speech', 'web'),
          exclude: [...configDefaults.exclude, ...alone],
          // Rules keep nothing between two files; a process for each of them would take longer than they do.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'media', include: [...rooms('media'), ...alone] } },
      {
        extends: true,
        test: {
          name: 'server',
          include: rooms('server', 'bench'),
          globalSetup: 'server/test/database.ts',
          // Node reads TypeScript by itself, and keeps what it compiled.
          experimental: { viteModuleRunner: false },
        },
      },
    ],
  },
})
