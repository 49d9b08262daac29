import { test } from '@playwright/test'

/** `npm run prove -- journeys`: every journey at both screens, and with everything that it looks at. */
export const isEvery = process.env.JOURNEYS === 'all'

/**
 * Whether a walk over all pages looks at the one at this place of its list. `npm test` looks at each at one of the two screens, in
 * two runs of four, as its turn falls (set-up.ts); what comes after it, at each at both.
 */
export const isSeen = (place: number, isWide: boolean): boolean => {
  const { JOURNEYS, PAGES_TURN: turn } = process.env
  return JOURNEYS !== 'test' || (place + Number(turn)) % 4 === (isWide ? 0 : 2)
}

/**
 * A journey that `npm test` walks at one of the two screens, since nothing of it hangs on the width: where its pages lie and
 * how they look at both is in pages.e2e.ts. `npm run prove -- journeys` walks it at both.
 */
export const atOneScreen = (screen: 'phone' | 'desktop'): void =>
  test.skip(!isEvery && test.info().project.name !== screen, `in npm test at the ${screen} alone`)
