import { defineConfig } from '@playwright/test'
import { withoutWindows } from './browsers.ts'
import { walked } from './walks.ts'

/** Journeys in a real browser against the whole product, started once for each worker (set-up.ts). */
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.e2e.ts',
  ...walked(process.env.JOURNEYS),
  globalSetup: './set-up.ts',
  outputDir: '../test-results',
  // Beside the tests, which are longer, two fill what these leave of two cores; each more costs a product of its own.
  workers: 2,
  // Each journey goes to the worker that is free: none waits for the others of its file.
  fullyParallel: true,
  retries: 0,
  timeout: 420_000,
  expect: { timeout: 60_000 },
  use: {
    actionTimeout: 60_000,
    // Recording costs a third of the time; by hand, `--trace on`. No film strip: the snapshots tell the same.
    trace: { mode: 'on-first-retry', screenshots: false, snapshots: true, sources: true },
    locale: 'en-US',
    timezoneId: 'America/Chicago',
    launchOptions: withoutWindows,
  },
  projects: [
    { name: 'phone', use: { viewport: { width: 390, height: 844 }, hasTouch: true } },
    { name: 'desktop', use: { viewport: { width: 1440, height: 900 } } },
  ],
})
