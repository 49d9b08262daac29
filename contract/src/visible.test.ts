import { expect, test } from 'vitest'
import { z } from 'zod'
import { everyCall } from './api.ts'
import { asLine, line, visible } from './visible.ts'

/** Every text field with a most length in the bodies of all calls, with its path. */
const texts = everyCall.flatMap(({ name, shape }) => ('body' in shape ? leavesOf(shape.body as z.ZodType, name) : []))
const shortTexts = texts.filter(({ most }) => most <= 200)
const longTexts = texts.filter(({ most }) => most > 200)

// Fields that are compared, looked up or passed on, and never shown to other people.
const opaque =
  /\.(invitationCode|experienceId|code|challenge|state|timezone|timeZone|planId|default\w+Id|defaultCoupomCode|allowedProducts|productIds|requestId|expected\w*)\b|^tracking\.send\.|\.credential\.|identity\.customToken\.token|^invitations\.\w+\.token/
// Compared, and shown to nobody.
const password = /\.(password(Confirmation)?|pass(Confirm)?)$/

test('every short text field refuses line breaks, control characters and text direction marks', () => {
  const loose = shortTexts.filter(
    ({ at, text }) =>
      !opaque.test(at) &&
      ['a\nb', 'a\rb', 'a\u2028b', 'a\u0000b', 'a\u202Eb', 'a\u2066b'].some((one) => text.safeParse(one).success),
  )
  expect(
    loose.map(({ at }) => at),
    'up to 200 characters are visible() or line(), longer ones visibleText()',
  ).toEqual([])
  expect(shortTexts.length).toBeGreaterThan(30)
})

test('every long text field that may not be empty refuses a text of marks that cannot be seen', () => {
  const needed = longTexts.filter(
    ({ at, text }) => !opaque.test(at) && !password.test(at) && !text.safeParse('').success,
  )
  expect(needed.filter(({ text }) => text.safeParse('\u200B').success).map(({ at }) => at)).toEqual([])
  expect(needed.length).toBeGreaterThan(5)
})

test('names in any script are accepted, and names of invisible characters are refused', () => {
  for (const name of ['Zoë Łukasiewicz-O’Neill', 'محمد علي', 'יעל', '山田 太郎', 'Ada 👩‍💻', 'नेहा', 'می‌خواهم'])
    expect(visible(60).parse(name)).toBe(name)
  expect(visible(60).safeParse('  \u200B ').success).toBe(false)
  expect(line(60).parse('')).toBe('')
})

test('asLine removes line breaks and direction marks from foreign names, and cuts them to the length allowed', () => {
  expect(asLine('Ada\r\nMoreno \u202Eevil', 120)).toBe('Ada Moreno evil')
  expect(asLine('\u2066\n', 120)).toBe('')
  expect(asLine('x'.repeat(300), 120)).toHaveLength(120)
})

function leavesOf(type: z.core.$ZodType, at: string): { at: string; text: z.ZodType; most: number }[] {
  const def = type._zod.def as unknown as Record<string, unknown> & { type: string }
  const inner = (one: unknown, name = '') => leavesOf(one as z.core.$ZodType, at + name)
  switch (def.type) {
    case 'string': {
      const most = (type as z.ZodString).maxLength
      return most !== null ? [{ at, text: type as z.ZodType, most }] : []
    }
    case 'object':
      return Object.entries(def['shape'] as object).flatMap(([name, one]) => inner(one, `.${name}`))
    case 'array':
      return inner(def['element'])
    case 'union':
      return (def['options'] as unknown[]).flatMap((one) => inner(one))
    case 'record':
      return inner(def['valueType'])
    case 'pipe':
      return inner(def['in'])
    default:
      return def['innerType'] === undefined ? [] : inner(def['innerType'])
  }
}
