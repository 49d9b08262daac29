import { expect, test } from 'vitest'
import { z } from 'zod'
import { Refusal } from '@clear-to-post/contract/errors'
import { readBy } from './errors.ts'

const Body = z.strictObject({
  title: z.string().trim().min(1).max(10),
  code: z.string().min(4).optional(),
  count: z.number().int().min(1).max(9).optional(),
  isOpen: z.boolean().optional(),
  role: z.enum(['User', 'QA']).optional(),
  assets: z.array(z.uuid()).min(1).max(2).optional(),
  email: z.email().optional(),
  link: z.union([z.literal(''), z.url({ protocol: /^https?$/ })]).optional(),
  at: z.iso.datetime().optional(),
  month: z
    .string()
    .regex(/^\d{4}-\d\d$/, 'Write the month as YYYY-MM')
    .optional(),
  kit: z.strictObject({ colour: z.string() }).optional(),
})
const said = (body: unknown): string => {
  try {
    readBy(Body, body, 'body')
    return 'fine'
  } catch (error) {
    return error instanceof Refusal ? error.message : String(error)
  }
}

test.each<[string, unknown]>([
  ['Send the fields as a JSON body.', undefined],
  ['The body must be an object with named fields.', []],
  ['title is missing.', {}],
  ['title must be text.', { title: 7 }],
  ['title: Write something here.', { title: '  ' }],
  ['title: Write at most 10 characters.', { title: 'x'.repeat(11) }],
  ['code: Write at least 4 characters.', { title: 'x', code: 'y' }],
  ['count must be a number.', { title: 'x', count: '3' }],
  ['count must be a whole number.', { title: 'x', count: 1.5 }],
  ['count must be at least 1.', { title: 'x', count: 0 }],
  ['count must be at most 9.', { title: 'x', count: 10 }],
  ['isOpen must be true or false.', { title: 'x', isOpen: 'yes' }],
  ['role must be one of User, QA.', { title: 'x', role: 'Boss' }],
  ['assets must be a list.', { title: 'x', assets: 'a' }],
  ['assets: Give at least one.', { title: 'x', assets: [] }],
  ['email: Write the whole address, such as name@company.com.', { title: 'x', email: 'a' }],
  ['link: Write a whole web address, such as https://company.com/page.', { title: 'x', link: 'company.com' }],
  ['link must be text.', { title: 'x', link: 3 }],
  ['at: Write the time as 2026-11-21T09:30:00Z.', { title: 'x', at: 'noon' }],
  ['month: Write the month as YYYY-MM.', { title: 'x', month: 'May' }],
  ['month must be text.', { title: 'x', month: 5 }],
  ['kit.colour is missing.', { title: 'x', kit: {} }],
  ['“admin” is no field of this call.', { title: 'x', admin: true }],
  ['kit: “a”, “b” are no fields of this call.', { title: 'x', kit: { colour: 'red', a: 1, b: 2 } }],
])('an invalid body is refused with “%s”', (sentence, body) => expect(said(body)).toBe(sentence))

test('each invalid field is named with its own message', () => {
  try {
    readBy(Body, { title: 7, assets: ['x'] }, 'body')
    expect.unreachable()
  } catch (error) {
    expect((error as Refusal).issues).toEqual([
      { path: 'body.title', message: 'This must be text.' },
      {
        path: 'body.assets.0',
        message: 'This must be an id as we gave it, such as 01a1fd40-391f-75c7-85d6-a99e144f7e6d.',
      },
    ])
  }
})
