import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contrast, inkOn, mix, stepTowards } from '../../ui/contrast.ts'
import { brandTokens, ownBrand, ownTokens, readingOf } from './tokens.ts'

test('contrast as WCAG counts it', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
  expect(mix('#000000', '#ffffff', 50)).toBe('#808080')
  expect(inkOn('#ffc400')).toBe('#0c111b')
  expect(stepTowards('#ffffff', '#000000', (mixed) => mixed === '#000000')).toBe(100)
})

test('our own colours change nothing, and neither does a tenant without colours', () => {
  expect(brandTokens(ownBrand)).toEqual({})
  expect(brandTokens({ primary: '#2647E0', secondary: '#FF5A3C' })).toEqual({})
  expect(brandTokens({ primary: '', secondary: 'red' })).toEqual({})
})

test('whatever a tenant chooses, words on it and shapes of it can be told apart', () => {
  const samples = ['#000000', '#ffffff', '#ffc400', '#00ff00', '#ff0000', '#7a7a7a', '#0a3d62', '#fffbe6', '#1b2434']
  for (const colour of samples)
    for (const theme of ['light', 'dark'] as const) {
      const { primary, onPrimary, accent } = readingOf({ primary: colour, secondary: colour }, theme)
      const grounds = theme === 'light' ? ['#f6f7f9', '#ffffff', '#eef0f4'] : ['#0c111b', '#141b28', '#1b2434']
      expect(contrast(primary, onPrimary), `${colour} ${theme} ink`).toBeGreaterThanOrEqual(4.5)
      for (const ground of grounds)
        expect(contrast(primary, ground), `${colour} ${theme} on ${ground}`).toBeGreaterThanOrEqual(3)
      expect(contrast(accent, grounds[1]!), `${colour} ${theme} accent`).toBeGreaterThanOrEqual(3)
    }
})

test('the panel’s own tokens stand in the style sheet', async () => {
  const sheet = await readFile(join(import.meta.dirname, '../../styles.css'), 'utf8')
  for (const [name, value] of Object.entries(ownTokens)) expect(sheet).toContain(`${name}: ${value};`)
})
