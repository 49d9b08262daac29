import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contrast, inkOn, mix, stepTowards } from '@clear-to-post/edit/contrast'
import { brandVariables, neutralTokens, ownBrand, ownTokens, previewTokens, shiftOf } from './tokens.ts'

test('contrast is computed as WCAG defines it', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
  expect(mix('#000000', '#ffffff', 50)).toBe('#808080')
  expect(inkOn('#ffc400')).toBe('#0c111b')
  expect(stepTowards('#ffffff', '#000000', (mixed) => mixed === '#000000')).toBe(100)
})

test('the product’s own colours and a company without colours change no token', () => {
  expect(brandVariables(ownBrand)).toEqual({})
  expect(brandVariables({ primary: '#2647E0', secondary: '#FF5A3C' })).toEqual({})
  expect(brandVariables({ primary: '', secondary: 'red' })).toEqual({})
  expect(shiftOf(ownBrand, 'dark')).toBe(0)
})

test('with any company colours texts and shapes have enough contrast', () => {
  const samples = ['#000000', '#ffffff', '#ffc400', '#00ff00', '#ff0000', '#7a7a7a', '#0a3d62', '#fffbe6', '#1b2434']
  for (const colour of samples)
    for (const theme of ['light', 'dark'] as const) {
      const tokens = previewTokens({ primary: colour, secondary: colour }, theme)
      const of = (token: string) => drawn(tokens[`--color-${token}`]!)
      const reads = (text: string, ground: string) =>
        expect(contrast(of(text), of(ground)), `${colour} ${theme}: ${text} on ${ground}`).toBeGreaterThanOrEqual(4.48)
      const shows = (shape: string, ground: string) =>
        expect(contrast(of(shape), of(ground)), `${colour} ${theme}: ${shape} on ${ground}`).toBeGreaterThanOrEqual(
          2.98,
        )
      reads('on-primary', 'primary')
      reads('on-primary', 'primary-hover')
      reads('ink', 'primary-tint')
      for (const ground of ['surface', 'canvas', 'sunken', 'primary-tint']) reads('primary-text', ground)
      for (const ground of ['surface', 'canvas', 'sunken']) shows('primary', ground)
      for (const ground of ['surface', 'canvas']) shows('coral', ground)
      for (const ground of ['surface', 'canvas', 'sunken']) reads('coral-text', ground)
    }
})

test('the style sheet contains the panel’s own tokens', async () => {
  const sheet = await readFile(join(import.meta.dirname, '../../look.css'), 'utf8')
  for (const [token, [day, night]] of Object.entries(ownTokens))
    expect(sheet).toContain(
      `--color-${token}: light-dark(var(--brand-${token}-day, ${day}), var(--brand-${token}-night, ${night}));`,
    )
  for (const [token, [day, night]] of Object.entries(neutralTokens))
    expect(sheet).toContain(`--color-${token}: light-dark(${day}, ${night});`)
})

/** A token's value as the browser draws it. */
const drawn = (value: string): string => {
  const [, from, to, part] = /^color-mix\(in srgb, (#\w{6}), (#\w{6}) (\d+)%\)$/.exec(value) ?? []
  return from && to && part ? mix(from, to, Number(part)) : value
}
