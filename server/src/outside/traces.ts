import { randomUUID } from 'node:crypto'
import { observeChildren } from '@clear-to-post/media/sandbox'
import type { Config } from '../kernel/config.ts'
import { beginPart, useTracing } from '../kernel/trace.ts'

/**
 * Sends traces to where OTEL_EXPORTER_OTLP_ENDPOINT says, by OTLP over HTTP. The packages are loaded only then: a service
 * without such a place starts and weighs as if they were not there. `close` sends what is left, for five seconds at most; a
 * receiver that is away is waited for by nobody else, and loses what does not fit into memory.
 */
export const openTraces = async ({
  otlp,
  role,
}: Pick<Config, 'otlp' | 'role'>): Promise<{ close: () => Promise<void> }> => {
  if (!otlp) return { close: async () => {} }
  const [{ isSpanContextValid, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags }, sdk, sender, resources] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-proto'),
      import('@opentelemetry/resources'),
    ])
  const exporter = new sender.OTLPTraceExporter({ url: otlp.url, headers: otlp.headers })
  const provider = new sdk.TracerProvider({
    resource: resources.resourceFromAttributes({
      'service.name': 'clear-to-post',
      'service.instance.id': randomUUID(),
      'clear.role': role,
    }),
    // By the trace's id on every host: a page may not say that its own is kept.
    sampler: new sdk.TraceIdRatioBasedSampler(otlp.share),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('clear-to-post')

  /** The context of work elsewhere, by its traceparent. */
  const contextOf = (traceparent: string | undefined) => {
    const [, traceId = '', spanId = '', flags = ''] = /^00-(\w{32})-(\w{16})-(\w\d)$/.exec(traceparent ?? '') ?? []
    const context = { traceId, spanId, traceFlags: Number.parseInt(flags || '0', 16), isRemote: true }
    return isSpanContextValid(context) ? trace.setSpanContext(ROOT_CONTEXT, context) : ROOT_CONTEXT
  }
  const kinds = { request: SpanKind.SERVER, job: SpanKind.CONSUMER, child: SpanKind.INTERNAL }
  useTracing({
    begin(name, kind, facts, parent, begunAt) {
      const options = { kind: kinds[kind], attributes: { ...facts }, ...(begunAt && { startTime: begunAt }) }
      const span = tracer.startSpan(name, options, contextOf(parent))
      const { traceId, spanId, traceFlags } = span.spanContext()
      return {
        traceId,
        traceparent: `00-${traceId}-${spanId}-${traceFlags & TraceFlags.SAMPLED ? '01' : '00'}`,
        end(more, error) {
          span.setAttributes(error === undefined ? { ...more } : { ...more, 'error.type': error })
          if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
  })
  observeChildren((program) => {
    const span = beginPart(`run ${program}`, { 'process.executable.name': program })
    return (ending) => span?.end({ 'clear.ending': ending }, ending === 'done' ? undefined : ending)
  })
  return {
    close: async () => {
      useTracing(undefined)
      observeChildren(undefined)
      let late: NodeJS.Timeout | undefined
      const patience = new Promise<void>((resolve) => (late = setTimeout(resolve, 5000)))
      await Promise.race([provider.shutdown().catch(() => {}), patience])
      clearTimeout(late)
    },
  }
}
