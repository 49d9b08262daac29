import type { z } from 'zod'

type Issue = z.core.$ZodRawIssue
type Words = { [Code in Issue['code']]?: (issue: Extract<Issue, { code: Code }>) => string }

/** What is wrong with a field, in a sentence for the person who filled it, where the schema has no words of its own. */
export const fieldWords = (issue: Issue): string => {
  const say = words[issue.code] as ((issue: Issue) => string) | undefined
  return say?.(issue) ?? 'This is not as expected.'
}

const words: Words = {
  invalid_type: ({ expected, input }) =>
    input === undefined ? 'This is missing.' : `This must be ${kinds[expected] ?? 'something else'}.`,
  invalid_value: ({ values }) =>
    values.length === 1 ? `This must be ${said(values[0])}.` : `This must be one of ${values.map(said).join(', ')}.`,
  too_small: ({ origin, minimum, inclusive }) =>
    origin === 'string'
      ? minimum === 1
        ? 'Write something here.'
        : `Write at least ${minimum} characters.`
      : origin === 'array'
        ? `Give at least ${minimum === 1 ? 'one' : minimum}.`
        : `This must be ${inclusive === false ? 'more than' : 'at least'} ${minimum}.`,
  too_big: ({ origin, maximum, inclusive }) =>
    origin === 'string'
      ? `Write at most ${maximum} characters.`
      : origin === 'array'
        ? `Give at most ${maximum}.`
        : `This must be ${inclusive === false ? 'less than' : 'at most'} ${maximum}.`,
  not_multiple_of: ({ divisor }) => `This must be a multiple of ${divisor}.`,
  invalid_format: ({ format }) => formats[format] ?? 'This is not written as expected.',
  unrecognized_keys: ({ keys }) =>
    `${keys
      .slice(0, mostNamed)
      .map((key) => `“${key.slice(0, 60)}”`)
      .join(
        ', ',
      )}${keys.length > mostNamed ? ' and others' : ''} ${keys.length === 1 ? 'is no field' : 'are no fields'} of this call.`,
  // The alternative that came nearest: right in kind, wrong in a detail.
  invalid_union: ({ errors }) => {
    const firsts = errors.flatMap(([first]) => first ?? [])
    const near = firsts.find(({ code }) => code !== 'invalid_type' && code !== 'invalid_value')
    return (
      (near ?? firsts.find(({ code }) => code === 'invalid_type') ?? firsts[0])?.message ?? 'This is not as expected.'
    )
  },
}

const mostNamed = 20

const kinds: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object with named fields',
  record: 'an object with named fields',
  null: 'null',
}

const formats: Record<string, string> = {
  email: 'Write the whole address, such as name@company.com.',
  url: 'Write a whole web address, such as https://company.com/page.',
  uuid: 'This must be an id as we gave it, such as 01a1fd40-391f-75c7-85d6-a99e144f7e6d.',
  datetime: 'Write the time as 2026-11-21T09:30:00Z.',
  date: 'Write the day as 2026-11-21.',
}

const said = (value: unknown): string => (value === '' ? 'empty' : String(value))
