/** Colours as `#rrggbb`, and how well they are told apart: contrast as WCAG 2 counts it, 1 to 21. */

export const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text)

export const contrast = (one: string, other: string): number => {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** The mix that `color-mix(in srgb, from, to part%)` draws; `part` 0 to 100. */
export const mix = (from: string, to: string, part: number): string => {
  const [a, b] = [channels(from), channels(to)]
  return `#${a.map((value, i) => hex(value + ((b[i]! - value) * part) / 100)).join('')}`
}

/** Of two inks the one that reads better on this ground. */
export const inkOn = (ground: string, inks: readonly [string, string] = ['#ffffff', '#0c111b']): string =>
  contrast(ground, inks[0]) >= contrast(ground, inks[1]) ? inks[0] : inks[1]

/** The smallest step towards `to`, in percent, at which the colour passes; 100 when none does. */
export const stepTowards = (colour: string, to: string, passes: (mixed: string) => boolean): number => {
  for (let part = 0; part < 100; part++) if (passes(mix(colour, to, part))) return part
  return 100
}

const channels = (colour: string): number[] => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))

const hex = (value: number): string => Math.round(value).toString(16).padStart(2, '0')

const luminance = (colour: string): number => {
  const [r, g, b] = channels(colour).map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
