import { spawnSync } from 'node:child_process'

/** The first of these programs that is there. */
const there = (...names: string[]) => spawnSync('which', names, { encoding: 'utf8' }).stdout.split('\n')[0]!

const chromium = process.env.CHROMIUM_PATH ?? there('chromium')

const shell = process.env.CHROMIUM_SHELL_PATH ?? there('chromium-headless-shell', chromium)

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
  // Pages would be told of ten gigabytes whatever there is, and a journey could not make a disk small.
  'StaticStorageQuota',
]

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  // Without windows Chromium asks nobody how letters are drawn; the others and the server do it like this.
  '--font-render-hinting=slight',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${features.join()}`,
  // Pages live for seconds: the heap of their scripts begins as large as it becomes, and is tidied up less often.
  '--js-flags=--min-semi-space-size=32',
]

/** Chromium without windows takes a third less of a processor, and knows no notifications. */
export const withoutWindows = { executablePath: shell, args }

export const withNotifications = { executablePath: chromium, args }
