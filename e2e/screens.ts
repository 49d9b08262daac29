import { test } from '@playwright/test'

/** `npm run prove -- journeys`: every journey at both screens, and with everything that it looks at. */
export const isEvery = process.env.JOURNEYS === 'all'

/** `npm test`, which looks at one half of the pages on a phone, and at the other on a wide screen. */
export const isHalf = process.env.JOURNEYS === 'test'

/**
 * A journey that `npm test` walks at one of the two screens, since nothing of it hangs on the width: where its pages lie and
 * how they look at both is in pages.e2e.ts. `npm run prove -- journeys` walks it at both.
 */
export const atOneScreen = (screen: 'phone' | 'desktop'): void =>
  test.skip(!isEvery && test.info().project.name !== screen, `in npm test at the ${screen} alone`)
