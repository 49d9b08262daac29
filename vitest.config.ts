import { join, relative } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { longInPart, longTests } from './server/test/long-tests.ts'

/**
 * Which files are run: `TESTS=test`, `long` or (also without it, by hand) every one. Of a file that both run, `--tags-filter` has
 * to choose the tests.
 */
const { TESTS: part } = process.env
const exclude = part === 'test' ? [...configDefaults.exclude, ...longTests] : configDefaults.exclude
const withLong = [...longTests, ...longInPart]
const run = (files: string[]) => (part === 'long' ? files.filter((file) => withLong.includes(file)) : files)

/** The tests of these rooms. */
const rooms = (...names: string[]) =>
  part === 'long'
    ? withLong.filter((file) => names.some((name) => file.startsWith(`${name}/`)))
    : names.map((name) => `${name}/**/*.test.ts`)

/** Tests of the other rooms that need a process of their own, and why. */
const alone = Object.keys({
  'edit/src/largest-recipes.test.ts':
    'counts how often each line of the code is run: what another file has loaded before would not be counted',
  'web/app/one-person.test.ts': 'has globals of a browser, which the session takes as it is loaded',
  'web/app/panel/invitations/invite-draft.test.ts': 'the same',
  'web/app/panel/project/unsent-remarks.test.ts': 'the same',
  'web/app/panel/projects/draft.test.ts': 'the same',
  'web/app/panel/project/use-draft.test.ts': 'the same',
  'web/app/panel/scripts/blanks.test.ts': 'the same',
  'web/app/two-tabs.test.ts': 'the same',
})

/** Server tests that need a process of their own, and why. The others share one for each worker. */
const aloneOnTheServer = {
  'server/src/assets/ingest.test.ts': 'puts other programs in the place of ffmpeg',
  'server/src/identity/provider-sign-in.test.ts': 'silences the console',
  'server/src/identity/second-factor.test.ts': 'moves the clock',
  'server/test/sign-in-changes.test.ts': 'silences the console',
  'server/src/kernel/pool.test.ts': 'counts what every socket writes',
  'server/test/address-anew.test.ts': 'sends letters, of which a process takes 20 a day from a network',
  'server/test/clock.test.ts': 'moves the clock',
  'server/test/conditions.test.ts': 'counts what every database connection is asked',
  'server/test/event-loop.test.ts': 'runs a worker, and counts how long the thread is kept',
  'server/test/out-of-memory.test.ts': 'puts other programs in the place of ffmpeg',
  'server/test/routes.test.ts': 'moves the clock',
  'server/test/sabotage.test.ts': 'hands its environment on',
  'server/test/session.test.ts': 'has globals of a browser, and moves the clock',
}

/** The longest test files, by seconds of a processor, first the longest; last some that wait. One that begins last is waited for with nothing beside it. */
const longest = [
  'server/src/edits/render.test.ts',
  'server/src/assets/ingest.test.ts',
  'media/src/render.test.ts',
  'server/src/backup/restore.test.ts',
  'server/src/edits/takes.test.ts',
  'server/test/routes.test.ts',
  'server/test/swapped-ids.test.ts',
  'server/src/main/conditions.test.ts',
  'server/src/edits/ahead.test.ts',
  'server/test/out-of-memory.test.ts',
  'server/test/access.test.ts',
  'media/src/short-picture.test.ts',
  'server/test/kill.test.ts',
  'server/src/postgres/postgres.test.ts',
  'server/test/upgrade.test.ts',
  'media/src/person.test.ts',
  'server/test/recording.test.ts',
  'server/src/subscriptions/paying.test.ts',
  'media/src/sound.test.ts',
  'server/test/shared-bounds.test.ts',
  'media/src/ingest.test.ts',
  'server/src/projects/projects.test.ts',
  'speech/src/align.test.ts',
  'media/src/probe.test.ts',
  'server/test/payment-kill.test.ts',
  'edit/src/largest-recipes.test.ts',
  'server/src/http/timeouts.test.ts',
  'server/src/main/decoding.test.ts',
  'server/src/publishing/publishing.test.ts',
]
/** Projects one after the other, since a process serves one: last are the rules, whose files end at once. */
const order = ['server-alone', 'media', 'server', 'pure']

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project, moduleId }: TestSpecification) => {
      const found = longest.indexOf(relative(import.meta.dirname, moduleId))
      return order.indexOf(project.name) * 1000 + (found < 0 ? 999 : found)
    }
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other))
  }
}

// Compiled once for all workers, and for every server that a test starts.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node')

const server = {
  globalSetup: 'server/test/database.ts',
  // Node reads TypeScript by itself, and keeps what it compiled.
  experimental: { viteModuleRunner: false },
}

export default defineConfig({
  test: {
    // Two cores are what CI has. Tests wait for programs and databases more than half of their time: two more workers fill it. Six
    // took longer (decision 810).
    maxWorkers: 4,
    pool: 'forks',
    // More room for what is soon garbage: with the usual 16 MB to collect it takes a twentieth of the time, on cores that are not there.
    execArgv: ['--max-semi-space-size=64'],
    tags: [{ name: 'long', description: 'Left out by npm test, and run after it (server/test/long-tests.ts).' }],
    sequence: { sequencer: LongestFirst },
    // A test that hangs is found by these; one that only meets a busy machine comes to its end.
    testTimeout: 120_000,
    // What is waited for comes at once on a quiet machine, and later on one that is not.
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: rooms('domain', 'contract', 'edit', 'speech', 'web'),
          exclude: [...exclude, ...alone],
          // Rules keep nothing between two files; a process for each of them would take longer than they do.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'media', include: [...rooms('media'), ...run(alone)], exclude } },
      {
        extends: true,
        test: { ...server, name: 'server-alone', include: run(Object.keys(aloneOnTheServer)), exclude },
      },
      {
        extends: true,
        test: {
          ...server,
          name: 'server',
          include: rooms('server', 'bench'),
          exclude: [...exclude, ...Object.keys(aloneOnTheServer)],
          // To load the server takes a second of a core, more than many of its files.
          isolate: false,
        },
      },
    ],
  },
})
