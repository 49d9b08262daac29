import { execFileSync } from 'node:child_process'
import { defineConfig } from '@playwright/test'

const chromium = process.env.CHROMIUM_PATH ?? execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim()

/** Journeys in a real browser against the whole product, started once for each kind of screen (set-up.ts). */
export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  globalSetup: './set-up.ts',
  outputDir: '../test-results',
  workers: 2,
  retries: 0,
  timeout: 420_000,
  expect: { timeout: 30_000 },
  use: {
    actionTimeout: 30_000,
    // Recording costs a third of the time; by hand, `--trace on`. No film strip: the snapshots tell the same.
    trace: { mode: 'on-first-retry', screenshots: false, snapshots: true, sources: true },
    locale: 'en-US',
    timezoneId: 'America/Chicago',
    launchOptions: {
      executablePath: chromium,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  projects: [
    { name: 'phone', workers: 1, use: { viewport: { width: 390, height: 844 }, hasTouch: true } },
    { name: 'desktop', workers: 1, use: { viewport: { width: 1440, height: 900 } } },
  ],
})
