import { expect, it } from 'vitest'
import { captionStyles, captionStyleValues } from './captions.ts'

it('every caption style is offered once, under a name of its own', () => {
  expect(captionStyleValues.map(String).toSorted()).toEqual(Object.keys(captionStyles).toSorted())
  expect(new Set(Object.values(captionStyles).map(({ label }) => label)).size).toBe(captionStyleValues.length)
})
