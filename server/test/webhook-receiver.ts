import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** What came, and what is answered to it; `answer` may end the line instead. */
export type Received = { path: string; headers: IncomingHttpHeaders; body: string; id: string; message: Message }
type Message = { type: string; timestamp: string; data: Record<string, unknown> & { projectId?: string; seq?: number } }
export type Answering = (received: Received, response: ServerResponse) => unknown

/** A company's program for a test: it keeps what it is sent, and answers 204 unless said. */
export const openReceiver = async (answer: () => Answering | undefined = () => undefined, on = 0) => {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString()
    const { headers, url: path = '' } = request
    const message = JSON.parse(body) as Message
    const one = { path, headers, body, message, id: String(headers['webhook-id']) }
    received.push(one)
    response.on('error', () => {})
    const given = answer()
    if (given) await given(one, response)
    else response.writeHead(204).end()
  }).listen(on, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    received,
    /** Ids of what came to this path, in its order, each where it came first. */
    firsts: (path: string) => [...new Set(received.filter((one) => one.path === path).map(({ id }) => id))],
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
export type Receiver = Awaited<ReturnType<typeof openReceiver>>

/** Every way in which a program fails, by name; each answers a message that was not taken. */
export const failures: Readonly<Record<string, Answering>> = {
  'a fault of its own': (_one, response) => response.writeHead(500).end('out of order'),
  'a connection that is reset': (_one, response) => response.socket?.resetAndDestroy(),
  'a connection that ends without a word': (_one, response) => response.destroy(),
  'a redirect': (_one, response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  'no answer at all': () => {},
  'an answer that begins a byte at a time': (_one, response) => {
    const line = response.socket!
    line.write('HTTP/1.1 200 OK\r\nX-A: ')
    const drip = setInterval(() => line.write('a'), 20)
    line.on('close', () => clearInterval(drip))
  },
  'an answer that is none': (_one, response) => response.socket!.end('no HTTP\r\n\r\n'),
  'a huge answer that refuses': (_one, response) => {
    response.writeHead(503)
    const part = Buffer.alloc(65_536, 'x')
    const more = () => {
      while (!response.destroyed && response.write(part));
    }
    response.on('drain', more)
    more()
  },
}

/** Ways in which a program takes a message and is a burden all the same. */
export const burdens: Readonly<Record<string, Answering>> = {
  'a huge answer': (one, response) => {
    response.statusCode = 200
    const part = Buffer.alloc(65_536, 'x')
    const more = () => {
      while (!response.destroyed && response.write(part));
    }
    response.on('drain', more)
    more()
    return one
  },
  'an answer that never ends': (_one, response) => {
    response.writeHead(200)
    const drip = setInterval(() => response.write('a'), 20)
    response.on('close', () => clearInterval(drip))
  },
}
