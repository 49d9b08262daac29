import { AsyncLocalStorage } from 'node:async_hooks'

/** What is told of a piece of work. No personal data: routes and kinds, never addresses, names or what people wrote. */
export type Facts = Readonly<Record<string, string | number | boolean>>

/** One piece of work in a trace. */
export type Span = {
  /** Its trace, as 32 hexadecimal digits. */
  traceId: string
  /** How work elsewhere is told that it belongs to this (W3C Trace Context). */
  traceparent: string
  /** Ends it; `error` in a word, where it failed. */
  end: (facts: Facts, error?: string) => void
}

/** Whatever keeps traces: outside/traces.ts, where the operator has named a place for them. */
export type Tracing = {
  begin: (
    name: string,
    kind: 'request' | 'job' | 'child',
    facts: Facts,
    parent: string | undefined,
    begunAt?: Date,
  ) => Span
}

let tracing: Tracing | undefined
const current = new AsyncLocalStorage<Span>()

/** Traces from now on, or no more. */
export const useTracing = (one: Tracing | undefined): void => void (tracing = one)

/**
 * Begins a span; undefined where nobody traces. `parent`: the `traceparent` of the work that asked for it; `begunAt`: when it began, if
 * that was before.
 */
export const beginSpan = (
  name: string,
  kind: 'request' | 'job',
  facts: Facts,
  parent?: string | undefined,
  begunAt?: Date,
): Span | undefined => tracing?.begin(name, kind, facts, parent, begunAt)

/** Begins a span for a part of the work that is going on: undefined where that is not traced. */
export const beginPart = (name: string, facts: Facts): Span | undefined => {
  const span = tracing && current.getStore()
  return span && tracing?.begin(name, 'child', facts, span.traceparent)
}

/** Runs work as part of a span. */
export const within = <T>(span: Span | undefined, work: () => T): T => (span ? current.run(span, work) : work())

/** What a job's data says of the work that enqueued it: nothing where nobody traces. */
export const origin = (): { traceparent?: string } => {
  const span = tracing && current.getStore()
  return span ? { traceparent: span.traceparent } : {}
}

/** The word for an error in a trace: its code or its class, since its message may name people. */
export const errorWord = (error: unknown): string => {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'error'
}
