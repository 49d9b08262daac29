import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** What web-push-testing, a test push service of the registry's, is made of; it brings no types. */
type Model = {
  notifyUrl: string
  subscribe: (options: { userVisibleOnly: 'true'; applicationServerKey: string }) => Promise<{
    endpoint: string
    keys: { p256dh: string; auth: string }
    clientHash: string
  }>
  handleNotification: (clientHash: string, headers: object, body: Buffer) => Promise<void>
  getNotifications: (asked: { clientHash: string }) => { messages: string[] }
}
const { PushApiModel } = createRequire(import.meta.url)('web-push-testing/src/PushApiModel.js') as {
  PushApiModel: new () => Model
}

/** `until`: not before this has come to pass. */
export type Answer = { status: number; headers?: Record<string, string>; until?: Promise<void> } | 'silence'

/**
 * A push service for a test: web-push-testing makes the subscriptions, checks who sends (VAPID) and decrypts; `answer`
 * says what it tells the sender ('silence' takes the message and ends the connection without a word). Undefined: 201.
 */
export const openPushService = async (answer: () => Answer | undefined = () => undefined, on = 0) => {
  const model = new PushApiModel()
  const requests: { headers: IncomingHttpHeaders; body: Buffer; clientHash: string }[] = []
  const server = createServer(async (request, response) => {
    const { headers } = request
    const body = await buffer(request)
    const clientHash = request.url!.split('/').at(-1)!
    requests.push({ headers, body, clientHash })
    const given = answer()
    if (given !== undefined && given !== 'silence') await given.until
    if (given !== undefined && given !== 'silence' && given.status >= 300)
      return response.writeHead(given.status, given.headers).end()
    const { authorization, ttl, 'content-encoding': encoding } = headers
    const taken = await model.handleNotification(clientHash, { authorization, ttl, encoding }, body).then(
      () => true,
      () => false,
    )
    if (given === 'silence') return response.destroy()
    response.writeHead(taken ? 201 : 400).end()
  }).listen(on, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const origin = `http://localhost:${port}`
  model.notifyUrl = `${origin}/notify/`
  return {
    origin,
    requests,
    /** A browser subscribes with our public key, as `pushManager.subscribe` does. */
    subscribe: (applicationServerKey: string) => model.subscribe({ userVisibleOnly: 'true', applicationServerKey }),
    /** What arrived at a browser, decrypted. */
    shownAt: ({ clientHash }: { clientHash: string }) =>
      model
        .getNotifications({ clientHash })
        .messages.map((text) => JSON.parse(text) as { id: string; title: string; body: string; url: string }),
    /** Away, as if its machine were off, until the returned function is called. */
    goAway: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      return async () => {
        server.listen(port, 'localhost')
        await once(server, 'listening')
      }
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
export type PushService = Awaited<ReturnType<typeof openPushService>>
