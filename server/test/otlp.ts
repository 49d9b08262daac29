import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

/** A span as it was sent. */
export type ReceivedSpan = {
  traceId: string
  spanId: string
  parentSpanId: string
  name: string
  /** OTLP's number: 2 is a server's, 5 a consumer's. */
  kind: number
  attributes: Record<string, string | number | boolean>
  /** 2: an error. */
  status: number
  /** Of the process that sent it. */
  resource: Record<string, string | number | boolean>
}

/** A receiver of traces for a test: OTLP over HTTP, the protobuf read by what OpenTelemetry's own .proto files say. */
export const openOtlp = async () => {
  const spans: ReceivedSpan[] = []
  const asked: { path: string; headers: NodeJS.Dict<string | string[]>; body: Buffer }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    asked.push({ path: request.url!, headers: request.headers, body })
    spans.push(...readRequest(body))
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    asked,
    close: () => new Promise<void>((resolve) => server.closeAllConnections() ?? server.close(() => resolve())),
  }
}

type Field = { number: number; bytes: Buffer; value: bigint }

/** The fields of a protobuf message, in order. Throws at a wire type that OTLP's messages do not have. */
function* fieldsOf(message: Buffer): Generator<Field> {
  let at = 0
  const varint = (): bigint => {
    for (let shift = 0n, value = 0n; ; shift += 7n) {
      const byte = message[at++]!
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  while (at < message.length) {
    const key = Number(varint())
    const [number, wire] = [key >> 3, key & 7]
    const none = Buffer.alloc(0)
    if (wire === 0) yield { number, bytes: none, value: varint() }
    else if (wire === 1) yield { number, bytes: none, value: message.readBigUInt64LE((at += 8) - 8) }
    else if (wire === 5) yield { number, bytes: none, value: BigInt(message.readUInt32LE((at += 4) - 4)) }
    else if (wire === 2) {
      const length = Number(varint())
      yield { number, bytes: message.subarray(at, (at += length)), value: 0n }
    } else throw new Error(`wire type ${wire}`)
  }
}

const all = (message: Buffer, number: number): Field[] => [...fieldsOf(message)].filter((one) => one.number === number)
const bytesOf = (message: Buffer, number: number): Buffer => all(message, number)[0]?.bytes ?? Buffer.alloc(0)
const numberOf = (message: Buffer, number: number): number => Number(all(message, number)[0]?.value ?? 0n)

// ExportTraceServiceRequest → ResourceSpans → ScopeSpans → Span (opentelemetry-proto, trace/v1/trace.proto).
const readRequest = (body: Buffer): ReceivedSpan[] =>
  all(body, 1).flatMap(({ bytes: group }) =>
    all(group, 2).flatMap(({ bytes: scope }) =>
      all(scope, 2).map(({ bytes: span }) => ({
        traceId: bytesOf(span, 1).toString('hex'),
        spanId: bytesOf(span, 2).toString('hex'),
        parentSpanId: bytesOf(span, 4).toString('hex'),
        name: bytesOf(span, 5).toString(),
        kind: numberOf(span, 6),
        attributes: attributesOf(span, 9),
        status: numberOf(bytesOf(span, 15), 3),
        resource: attributesOf(bytesOf(group, 1), 1),
      })),
    ),
  )

/** KeyValue: a key, and a value that is a text (1), a switch (2), a whole number (3) or another one (4). */
const attributesOf = (message: Buffer, number: number): ReceivedSpan['attributes'] =>
  Object.fromEntries(
    all(message, number).map(({ bytes: pair }) => {
      const [field] = fieldsOf(bytesOf(pair, 2))
      const { value, bytes } = field!
      const read = { 1: bytes.toString(), 2: value === 1n, 3: Number(value) }[field!.number]
      if (read === undefined) throw new Error(`a value of kind ${field!.number}`)
      return [bytesOf(pair, 1).toString(), read]
    }),
  )
