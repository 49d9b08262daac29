import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contrast } from '@clear-to-post/edit/contrast'
import { coloursOf, ownBranding } from './branding.ts'

test('a mail is readable with any company colour', () => {
  const colour = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`)
  fc.assert(
    fc.property(colour, (one) => {
      const { fill, ink, text } = coloursOf(one)
      expect(contrast(fill, '#ffffff')).toBeGreaterThanOrEqual(3)
      expect(contrast(fill, ink)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(text, '#ffffff')).toBeGreaterThanOrEqual(4.5)
    }),
    { numRuns: 200 },
  )
  expect(coloursOf(ownBranding.colour)).toEqual({ fill: ownBranding.colour, ink: '#ffffff', text: ownBranding.colour })
})
