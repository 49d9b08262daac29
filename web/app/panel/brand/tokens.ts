import { contrast, inkOn, isColour, mix, stepTowards } from '../../ui/contrast.ts'

/** A tenant's two colours; an empty text is none. */
export type Brand = { primary: string; secondary: string }

/** The panel's own two colours: `--color-primary` and `--color-coral` of styles.css. */
export const ownBrand: Brand = { primary: '#2647e0', secondary: '#ff5a3c' }

/** One theme's reading of a brand. `shift` is how far the colour was moved to stay readable, in percent. */
export type Reading = { primary: string; onPrimary: string; accent: string; shift: number; accentShift: number }

/**
 * The tokens that a brand overrides, by property; empty where it has no colour of its own. The grounds of both themes are
 * ours, so each colour is moved (darker by day, lighter by night) until it stands 3:1 as a shape and 4.5:1 as a text.
 */
export const brandTokens = ({ primary, secondary }: Brand): Record<string, string> => ({
  ...(isOwn(primary, ownBrand.primary) ? {} : primaryTokens(primary.toLowerCase())),
  ...(isOwn(secondary, ownBrand.secondary) ? {} : accentTokens(secondary.toLowerCase())),
})

/** The panel's own tokens, for a piece of the page that shows another brand than the panel around it. As in styles.css. */
export const ownTokens: Record<string, string> = {
  '--color-primary': 'light-dark(#2647e0, #8ea2ff)',
  '--color-primary-hover': 'light-dark(#1e3ac2, #a5b5ff)',
  '--color-on-primary': 'light-dark(#ffffff, #0c111b)',
  '--color-primary-tint': 'light-dark(#e9eefe, #1b2650)',
  '--color-primary-text': 'light-dark(#2441cc, #a3b3ff)',
  '--color-coral': 'light-dark(#ff5a3c, #ff6f54)',
  '--color-coral-text': 'light-dark(#c8371b, #ff8a72)',
}

/** How a brand looks in each theme, for the brand editor's words. */
export const readingOf = (brand: Brand, theme: Theme): Reading => {
  const primary = isColour(brand.primary) ? brand.primary : ownBrand.primary
  const secondary = isColour(brand.secondary) ? brand.secondary : ownBrand.secondary
  const shift = fillShift(primary, theme)
  const accentShift = shapeShift(secondary, theme)
  const filled = mix(primary, towards[theme], shift)
  return {
    primary: filled,
    onPrimary: inkOn(filled),
    accent: mix(secondary, towards[theme], accentShift),
    shift,
    accentShift,
  }
}

type Theme = 'light' | 'dark'
const themes = ['light', 'dark'] as const

/** The lightest and the darkest ground that anything stands on, as in styles.css: canvas, surface, sunken. */
const grounds = { light: ['#f6f7f9', '#ffffff', '#eef0f4'], dark: ['#0c111b', '#141b28', '#1b2434'] } as const
const towards = { light: '#000000', dark: '#ffffff' } as const

const isOwn = (colour: string, own: string) => !isColour(colour) || colour.toLowerCase() === own

const primaryTokens = (primary: string): Record<string, string> => {
  const fill = both((theme) => fillShift(primary, theme))
  const filled = both((theme) => mix(primary, towards[theme], fill[theme]))
  const tinted = both((theme) => tintPart[theme])
  const tint = both((theme) => mix(grounds[theme][1], filled[theme], tinted[theme]))
  const text = both((theme) =>
    stepTowards(primary, towards[theme], (mixed) => readsOn(mixed, [...grounds[theme], tint[theme]])),
  )
  const on = both((theme) => inkOn(filled[theme]))
  return {
    '--brand-primary': primary,
    '--color-primary': pair((theme) => shifted('--brand-primary', theme, fill[theme])),
    '--color-on-primary': pair((theme) => on[theme]),
    // Away from its own ink, so that what is written on it stays readable.
    '--color-primary-hover': pair(
      (theme) => `color-mix(in srgb, ${filled[theme]}, ${on[theme] === '#ffffff' ? '#000000' : '#ffffff'} 14%)`,
    ),
    '--color-primary-tint': pair(
      (theme) => `color-mix(in srgb, ${grounds[theme][1]}, ${filled[theme]} ${tinted[theme]}%)`,
    ),
    '--color-primary-text': pair((theme) => shifted('--brand-primary', theme, text[theme])),
  }
}

const accentTokens = (secondary: string): Record<string, string> => {
  const shape = both((theme) => shapeShift(secondary, theme))
  const text = both((theme) => stepTowards(secondary, towards[theme], (mixed) => readsOn(mixed, grounds[theme])))
  return {
    '--brand-secondary': secondary,
    '--color-coral': pair((theme) => shifted('--brand-secondary', theme, shape[theme])),
    '--color-coral-text': pair((theme) => shifted('--brand-secondary', theme, text[theme])),
  }
}

const tintPart = { light: 10, dark: 22 } as const

// A button's ground: a shape on every ground of ours, with a readable ink on it. By night also calm rather than glaring.
const fillShift = (colour: string, theme: Theme): number =>
  stepTowards(
    colour,
    towards[theme],
    (mixed) =>
      grounds[theme].every((ground) => contrast(mixed, ground) >= (theme === 'dark' ? 5 : 3)) &&
      contrast(mixed, inkOn(mixed)) >= 4.5,
  )

const shapeShift = (colour: string, theme: Theme): number =>
  stepTowards(colour, towards[theme], (mixed) =>
    grounds[theme].slice(0, 2).every((ground) => contrast(mixed, ground) >= 3),
  )

const readsOn = (colour: string, under: readonly string[]): boolean =>
  under.every((ground) => contrast(colour, ground) >= 4.5)

const shifted = (variable: string, theme: Theme, part: number): string =>
  part === 0 ? `var(${variable})` : `color-mix(in srgb, var(${variable}), ${towards[theme]} ${part}%)`

const pair = (of: (theme: Theme) => string): string => `light-dark(${of('light')}, ${of('dark')})`

const both = <T>(of: (theme: Theme) => T): Record<Theme, T> => ({ light: of(themes[0]), dark: of(themes[1]) })
