import { contrast, inkOn, isColour, mix, stepTowards } from '@clear-to-post/edit/contrast'

/** A tenant's two colours; an empty text is none. */
export type Brand = { primary: string; secondary: string }
export type Theme = 'light' | 'dark'

/** The panel's own two colours: `--color-primary` and `--color-coral` of look.css. */
export const ownBrand: Brand = { primary: '#2647e0', secondary: '#ff5a3c' }

/** The tokens that a brand may change, as they are without one: [by day, by night]. look.css holds the same. */
export const ownTokens = {
  primary: ['#2647e0', '#8ea2ff'],
  'primary-hover': ['#1e3ac2', '#a5b5ff'],
  'on-primary': ['#ffffff', '#0c111b'],
  'primary-tint': ['#e9eefe', '#1b2650'],
  'primary-text': ['#2441cc', '#a3b3ff'],
  coral: ['#ff5a3c', '#ff6f54'],
  'coral-text': ['#c8371b', '#ff8a72'],
} as const satisfies Record<string, readonly [string, string]>
type Token = keyof typeof ownTokens

/**
 * A brand as custom properties for the whole page, `--brand-primary-day` and so on; look.css reads them before its own
 * colours. Empty where the brand has no colour of its own. The grounds of both themes are ours, so each colour is moved
 * (darker by day, lighter by night) until it stands 3:1 as a shape and 4.5:1 as a text.
 */
export const brandVariables = (brand: Brand): Record<string, string> => {
  const [day, night] = [changedTokens(brand, 'light'), changedTokens(brand, 'dark')]
  return Object.fromEntries(
    (Object.keys(day) as Token[]).flatMap((token) => [
      [`--brand-${token}-day`, day[token]!],
      [`--brand-${token}-night`, night[token]!],
    ]),
  )
}

/** The same for a piece of the page that shows one theme of another brand: every token that piece may need. */
export const previewTokens = (brand: Brand, theme: Theme): Record<string, string> => {
  const place = theme === 'light' ? 0 : 1
  const own = Object.entries({ ...ownTokens, ...neutralTokens }).map(([token, pair]) => [token, pair[place]])
  return Object.fromEntries(
    Object.entries({ ...Object.fromEntries(own), ...changedTokens(brand, theme) }).map(([token, value]) => [
      `--color-${token}`,
      String(value),
    ]),
  )
}

/** How far the first colour has to move in a theme to stay readable, in percent. */
export const shiftOf = ({ primary }: Brand, theme: Theme): number =>
  isOwn(primary, ownBrand.primary) ? 0 : fillShift(primary, theme)

/** What brands do not change, as in look.css. */
export const neutralTokens = {
  canvas: ['#f6f7f9', '#0c111b'],
  surface: ['#ffffff', '#141b28'],
  sunken: ['#eef0f4', '#1b2434'],
  ink: ['#0f1729', '#e8ecf4'],
  muted: ['#566074', '#9ba6b9'],
  line: ['#e2e6ec', '#253044'],
  edge: ['#868fa1', '#66738a'],
} as const

const groundsOf = (theme: Theme): [string, string, string] => {
  const place = theme === 'light' ? 0 : 1
  return [neutralTokens.surface[place], neutralTokens.canvas[place], neutralTokens.sunken[place]]
}
const towards = { light: '#000000', dark: '#ffffff' } as const
const tintPart = { light: 10, dark: 22 } as const

const isOwn = (colour: string, own: string) => !isColour(colour) || colour.toLowerCase() === own

const changedTokens = ({ primary, secondary }: Brand, theme: Theme): Partial<Record<Token, string>> => ({
  ...(isOwn(primary, ownBrand.primary) ? {} : primaryTokens(primary.toLowerCase(), theme)),
  ...(isOwn(secondary, ownBrand.secondary) ? {} : accentTokens(secondary.toLowerCase(), theme)),
})

const primaryTokens = (primary: string, theme: Theme) => {
  const [surface, ...others] = groundsOf(theme)
  const fill = fillShift(primary, theme)
  const filled = mix(primary, towards[theme], fill)
  const on = inkOn(filled)
  const tint = mix(surface, filled, tintPart[theme])
  const text = stepTowards(primary, towards[theme], (mixed) => readsOn(mixed, [surface, ...others, tint]))
  return {
    primary: mixed(primary, towards[theme], fill),
    'on-primary': on,
    // Away from its own ink, so that what is written on it stays readable.
    'primary-hover': mixed(filled, on === '#ffffff' ? '#000000' : '#ffffff', 14),
    'primary-tint': mixed(surface, filled, tintPart[theme]),
    'primary-text': mixed(primary, towards[theme], text),
  }
}

const accentTokens = (secondary: string, theme: Theme) => {
  const [surface, canvas, sunken] = groundsOf(theme)
  const shape = stepTowards(secondary, towards[theme], (one) =>
    [surface, canvas].every((ground) => contrast(one, ground) >= 3),
  )
  const text = stepTowards(secondary, towards[theme], (one) => readsOn(one, [surface, canvas, sunken]))
  return {
    coral: mixed(secondary, towards[theme], shape),
    'coral-text': mixed(secondary, towards[theme], text),
  }
}

// A button's ground: a shape on every ground of ours, with a readable ink on it. By night also calm rather than glaring.
const fillShift = (colour: string, theme: Theme): number =>
  stepTowards(
    colour,
    towards[theme],
    (one) =>
      groundsOf(theme).every((ground) => contrast(one, ground) >= (theme === 'dark' ? 5 : 3)) &&
      contrast(one, inkOn(one)) >= 4.5,
  )

const readsOn = (colour: string, grounds: readonly string[]): boolean =>
  grounds.every((ground) => contrast(colour, ground) >= 4.5)

const mixed = (from: string, to: string, part: number): string =>
  part === 0 ? from : `color-mix(in srgb, ${from}, ${to} ${part}%)`
