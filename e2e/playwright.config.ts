import { execFileSync } from 'node:child_process'
import { defineConfig } from '@playwright/test'

const chromium = process.env.CHROMIUM_PATH ?? execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim()

/**
 * What Chromium is not to do. The list takes the place of Playwright’s own (chromiumSwitches.ts) and begins with it. The two
 * that come last are for the address bar, which no journey looks at: each new window would load a page of its own for it,
 * half of what a window costs.
 */
const features = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
]

/** Journeys in a real browser against the whole product, started once for each worker (set-up.ts). */
export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  globalSetup: './set-up.ts',
  outputDir: '../test-results',
  // Journeys wait for renders and pages more than they use a core: a third one fills what two leave of two cores.
  workers: 3,
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
        `--disable-features=${features.join()}`,
      ],
    },
  },
  projects: [
    { name: 'phone', use: { viewport: { width: 390, height: 844 }, hasTouch: true } },
    { name: 'desktop', use: { viewport: { width: 1440, height: 900 } } },
  ],
})
