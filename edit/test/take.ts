import type { Brand, Source } from '../src/recipe.ts'

/** A take as a phone brings it, upright; its id is `a`. */
export const take = (durationMs: number, more: Partial<Source> = {}): Source => ({
  id: 'a',
  assetId: 'x',
  name: 'take.mov',
  durationMs,
  width: 1080,
  height: 1920,
  fps: { num: 30, den: 1 },
  hasSound: true,
  ...more,
})

export const brand: Brand = {
  primary: '#2647e0',
  secondary: '#ff5a3c',
  logo: null,
  name: 'Ada Ray',
  line: 'Loan officer',
  legal: 'NMLS #1',
}
