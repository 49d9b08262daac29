import { z } from 'zod'
import { kinds, refusal, Refusal, refusals } from '@clear-to-post/contract/errors'
import type { Failure } from '@clear-to-post/contract/failure'
import { fieldWords } from './field-words.ts'

/** Any error as the failure a client may see, and whether it is worth an error line in the log. */
export const failureOf = (
  error: unknown,
  requestId: string,
): { status: number; body: Failure; unexpected: boolean } => {
  const known = refusalOf(error)
  if (!known)
    return {
      status: 500,
      body: { message: 'Unexpected error occurred', kind: 'unexpected', requestId },
      unexpected: true,
    }
  return {
    status: kinds[known.kind],
    body: {
      message: known.message,
      kind: known.kind,
      code: known.code,
      requestId,
      ...(known.issues ? { issues: known.issues } : {}),
    },
    unexpected: false,
  }
}

/** Reads a value by a schema or refuses naming each field; `where` is body, params or query. */
export const readBy = <S extends z.ZodType>(schema: S, value: unknown, where: string): z.output<S> => {
  const read = schema.safeParse(value, { error: fieldWords })
  if (read.success) return read.data
  const issues = read.error.issues.slice(0, 20).map(({ path, message }) => ({
    path: [where, ...path].join('.'),
    message: /[.!?]$/.test(message) ? message : `${message}.`,
  }))
  throw refusal('request.invalid', sentenceOf(issues[0]!, where, value), issues)
}

// “This must be text.” becomes “title must be text.”, and a piece of advice stands behind the field's name.
const sentenceOf = ({ path, message }: { path: string; message: string }, where: string, value: unknown): string => {
  if (where === 'body' && value === undefined) return 'Send the fields as a JSON body.'
  const field = path.slice(where.length + 1)
  if (message.startsWith('This ')) return `${field || `The ${where}`} ${message.slice('This '.length)}`
  return field === '' ? message : `${field}: ${message}`
}

const refusalOf = (error: unknown): Refusal | null => {
  if (error instanceof Refusal) return error
  const {
    code = '',
    constraint = '',
    statusCode,
    message = '',
  } = error as { code?: string; constraint?: string; statusCode?: number; message?: string }
  if (code === uniqueViolation) return refusal(...(raced[constraint] ?? (['request.raced'] as const)))
  const fromDatabase = databaseRefusals.find(([pattern]) => pattern.test(code))
  if (fromDatabase) return refusal(...fromDatabase[1])
  if (
    /Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
      message,
    )
  )
    return refusal('service.unavailable')
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || statusCode === 413) return refusal('request.too-large')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' || statusCode === 415) return refusal('request.wrong-type')
  if (statusCode === 429) return refusal('request.too-many')
  if (error instanceof SyntaxError)
    return refusal('request.invalid', 'The body is no valid JSON. Check its quotes and commas.')
  if (code.startsWith('FST_ERR_CTP') || (statusCode ?? 500) < 500)
    return refusal('request.invalid', 'The body could not be read. Send it again as JSON.')
  return null
}

const uniqueViolation = '23505'
/** What whoever came second is told, by the index that let in the first. Of any other they hear that somebody was quicker. */
const raced: Record<string, readonly [keyof typeof refusals, string?]> = {
  look_name: ['look.name-taken'],
  post_open: ['post.does-not-fit', 'A post of this video to this account stands on its page already.'],
}

// PostgreSQL's codes that are somebody's doing and not ours.
const databaseRefusals: readonly [RegExp, [keyof typeof refusals, string?]][] = [
  [/^CT401$/, ['session.ended']],
  [/^CT402$/, ['api-key.ended']],
  [/^CT429$/, ['request.too-many', 'You changed this as often as one person does in a day. Go on tomorrow.']],
  [/^(22021|22P05)$/, ['request.invalid', 'The text holds characters that cannot be kept.']],
  [/^(22003|22007|22008|22009|22023|22P02)$/, ['request.invalid', 'A value is out of its range.']],
  [/^(40001|40P01|55P03|08|57014|57P|53|ECONN|EPIPE|ENOENT|ETIMEDOUT|EMFILE|ENFILE)/, ['service.unavailable']],
]
