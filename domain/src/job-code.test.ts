import fc from 'fast-check'
import { expect, it } from 'vitest'
import { idBeginningIn, jobCodeOf } from './job-code.ts'

it('a job code in a file’s name is found with any text around it, in any case and with “-” or “_”', () => {
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

it('a file’s name without a job code gives no project', () => {
  for (const name of ['clip.mp4', 'CTP.mp4', 'ctp-4f3a.mov', 'actp-4f3a9b2177c0.mp4', 'ctp-4f3a9b2177c0ff.mp4', ''])
    expect(idBeginningIn(name), name).toBeNull()
})

it('a job code is written in capitals, and read with a space or nothing after “CTP”', () => {
  expect(jobCodeOf('4f3a9b21-77c0-4d11-9a00-000000000000')).toBe('CTP-4F3A9B2177C0')
  for (const name of ['ctp4f3a9b2177c0.mp4', 'CTP 4F3A9B2177C0.mp4']) expect(idBeginningIn(name)).toBe('4f3a9b21-77c0')
})
