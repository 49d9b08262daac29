import { expect, it } from 'vitest'
import { mayRenderAgain } from './crashes.ts'

it('an edit whose render killed its worker twice can be rendered again by an ADMIN only', () => {
  expect([0, 1, 2, 3].map((crashes) => mayRenderAgain('Editor', crashes))).toEqual([true, true, false, false])
  expect([0, 1, 2, 3].map((crashes) => mayRenderAgain('ADMIN', crashes))).toEqual([true, true, true, true])
})
