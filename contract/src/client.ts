import type { CallAnswer, CallInput, CallShape } from './call.ts'
import { Refusal, type Kind, kinds } from './errors.ts'
import type { Failure } from './failure.ts'

export type ClientOptions = {
  /** Origin of the service, such as `https://clear.example`, with or without a slash at its end; empty in the service's own pages. */
  origin: string
  /** The bearer token when one exists. */
  token?: () => string | null | Promise<string | null>
  fetch?: typeof globalThis.fetch
}

/**
 * A typed client over the contract. Every failure is thrown as a `Refusal` carrying the server's message;
 * without one, 'Unexpected error occurred'; when the body is no JSON, 'Unknown error' (docs/specification/failures.md).
 */
export const client = ({ origin, token, fetch = globalThis.fetch }: ClientOptions) => {
  const service = origin.replace(/(?<!\/)\/+$/, '')
  const send = async <C extends CallShape>(
    shape: C,
    input: CallInput<C>,
    options: { signal?: AbortSignal; requestId?: string } = {},
  ): Promise<CallAnswer<C>> => {
    const parts = input as { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown }
    const bearer = await token?.()
    const id = options.requestId ?? requestId()
    const response = await fetch(service + addressOf(shape, parts.params, parts.query), {
      method: shape.method,
      headers: {
        accept: 'application/json',
        'x-request-id': id,
        ...traceOf(id),
        ...(parts.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
      },
      ...(parts.body === undefined ? {} : { body: JSON.stringify(parts.body) }),
      ...(options.signal ? { signal: options.signal } : {}),
    })
    const body = await response.json().catch(() => {
      throw new Refusal('unknown', 'Unknown error', kindOf(response.status))
    })
    if (!response.ok) throw failureOf(body, response.status)
    return body as CallAnswer<C>
  }
  return send
}

/** A fresh request id. Pages on plain http have no `crypto.randomUUID`, so it is written out. */
export const requestId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * The header that begins a trace with a request (W3C Trace Context): its trace has the request's own id, so that whoever knows the one
 * finds the other. Ids of other shapes begin none.
 */
export const traceOf = (id: string): { traceparent?: string } =>
  /^(?!0{32}|.{16}0{16})[0-9a-f]{32}$/.test(id) ? { traceparent: `00-${id}-${id.slice(16)}-01` } : {}

/** The address of a call below the origin, parameters filled in. */
export const addressOf = (
  shape: CallShape,
  params: Record<string, string> = {},
  query: Record<string, unknown> = {},
): string => {
  const path = shape.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) search.append(name, String(one))
  return (shape.base ?? '/api') + path + (search.size > 0 ? `?${search}` : '')
}

const failureOf = (body: Partial<Failure> | null, status: number): Refusal =>
  new Refusal(body?.code ?? 'unknown', body?.message || 'Unexpected error occurred', body?.kind ?? kindOf(status), {
    ...(body?.requestId ? { requestId: body.requestId } : {}),
    ...(body?.issues ? { issues: body.issues } : {}),
  })

const kindOf = (status: number): Kind =>
  (Object.entries(kinds).find(([, value]) => value === status)?.[0] as Kind | undefined) ?? 'unexpected'
