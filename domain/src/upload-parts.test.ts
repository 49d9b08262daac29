import { expect, it } from 'vitest'
import { refusedPart, stretchesToSend } from './upload-parts.ts'

const MiB = 1024 ** 2

it('the missing stretches of a file go around those that are here, and cover the rest exactly', () => {
  expect(stretchesToSend(10, { received: 0, here: [] }, 4)).toEqual([
    { at: 0, bytes: 4 },
    { at: 4, bytes: 4 },
    { at: 8, bytes: 2 },
  ])
  expect(
    stretchesToSend(
      20,
      {
        received: 3,
        here: [
          { at: 12, bytes: 4 },
          { at: 5, bytes: 4 },
        ],
      },
      4,
    ),
  ).toEqual([
    { at: 3, bytes: 2 },
    { at: 9, bytes: 3 },
    { at: 16, bytes: 4 },
  ])
  expect(stretchesToSend(8, { received: 8, here: [] }, 4)).toEqual([])
})

it('a part is refused beyond the file, over what is here, and where it is too small or too large', () => {
  const have = { size: 40 * MiB, received: 2 * MiB, here: [{ at: 10 * MiB, bytes: 4 * MiB }] }
  const refused = (at: number, bytes: number) => refusedPart({ at, bytes }, have) !== null
  expect(refused(2 * MiB, 8 * MiB)).toBe(false)
  expect(refused(39.5 * MiB, 0.5 * MiB)).toBe(false)
  expect(refused(9.5 * MiB, 0.5 * MiB)).toBe(false)
  expect(refused(39 * MiB, 2 * MiB)).toBe(true)
  expect(refused(MiB, 2 * MiB)).toBe(true)
  expect(refused(9 * MiB, 2 * MiB)).toBe(true)
  expect(refused(20 * MiB, 0.5 * MiB)).toBe(true)
  expect(refused(20 * MiB, 17 * MiB)).toBe(true)
})
