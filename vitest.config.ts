import { defineConfig } from 'vitest/config'

const rooms = (...names: string[]) => names.map((name) => `${name}/**/*.test.ts`)

export default defineConfig({
  test: {
    // Two cores are what CI has; a third worker would only make the timing tests lie.
    maxWorkers: 2,
    pool: 'forks',
    testTimeout: 40_000,
    // What is waited for comes at once on a quiet machine, and later on one that is not.
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'pure', include: rooms('domain', 'contract', 'edit', 'media', 'speech', 'web') } },
      {
        extends: true,
        test: { name: 'server', include: rooms('server', 'bench'), globalSetup: 'server/test/database.ts' },
      },
    ],
  },
})
