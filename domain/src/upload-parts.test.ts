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
    { at: 3, bytes: 1 },
    { at: 4, bytes: 1 },
    { at: 9, bytes: 3 },
    { at: 16, bytes: 4 },
  ])
  expect(stretchesToSend(8, { received: 8, here: [] }, 4)).toEqual([])
})

it('a part is refused beyond the file, over what is here, and where it is not one of the parts that are missing', () => {
  const have = { size: 39 * MiB, received: 2 * MiB, here: [{ at: 16 * MiB, bytes: 8 * MiB }] }
  const refused = (at: number, bytes: number) => refusedPart({ at, bytes }, have) !== null
  expect(refused(2 * MiB, 6 * MiB)).toBe(false)
  expect(refused(8 * MiB, 8 * MiB)).toBe(false)
  expect(refused(32 * MiB, 7 * MiB)).toBe(false)
  expect(refused(32 * MiB, 8 * MiB)).toBe(true)
  expect(refused(MiB, 7 * MiB)).toBe(true)
  expect(refused(16 * MiB, 8 * MiB)).toBe(true)
  expect(refused(16 * MiB - 1, 1)).toBe(true)
  expect(refused(9 * MiB, 7 * MiB)).toBe(true)
  expect(refused(24 * MiB, 4 * MiB)).toBe(true)
  expect(refused(24 * MiB, 15 * MiB)).toBe(true)
})
