import fc from 'fast-check'
import { expect, it } from 'vitest'
import { idBeginningIn, jobCodeOf } from './job-code.ts'

it('a code finds its project again through what people and programs make of a name', () => {
  fc.assert(
    fc.property(
      fc.uuid({ version: 4 }),
      fc.constantFrom('', 'Final ', 'v2-', '(1) '),
      fc.constantFrom('.mp4', ' final.mov', '_v3.MP4', ' (2).mp4'),
      fc.constantFrom(
        (code: string) => code,
        (code: string) => code.toLowerCase(),
        (code: string) => code.replace('-', '_'),
      ),
      (id, before, after, dressed) => {
        expect(idBeginningIn(before + dressed(jobCodeOf(id)) + after)).toBe(id.slice(0, 13))
      },
    ),
  )
})

it('an ordinary name has none', () => {
  for (const name of ['clip.mp4', 'CTP.mp4', 'ctp-4f3a.mov', 'actp-4f3a9b2177c0.mp4', 'ctp-4f3a9b2177c0ff.mp4', ''])
    expect(idBeginningIn(name), name).toBeNull()
})
