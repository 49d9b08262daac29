import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** A mail as a mail server gets it. */
export type Received = { from: string; to: string[]; raw: string }

type Answer = (Error & { responseCode?: number }) | 'silence' | undefined

/**
 * A real mail server for a test. `answer` says what becomes of each message once it has arrived: an error with a
 * `responseCode` is told to the sender, 'silence' ends the connection without a word, absent takes the message.
 */
export const openSmtp = async (
  options: SMTPServerOptions = {},
  answer: (received: Received) => Answer | Promise<Answer> = () => undefined,
  /** Where it listens: any free one, unless it comes back to an old one. */
  on = 0,
): Promise<{ url: string; port: number; received: Received[]; close: () => Promise<void> }> => {
  const received: Received[] = []
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    ...options,
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const { mailFrom, rcptTo } = session.envelope
        const message = {
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
        }
        const said = await answer(message)
        if (said === undefined || said === 'silence') received.push(message)
        if (said === 'silence') for (const connection of server.connections) connection.close()
        else done(said ?? null)
      })
    },
  })
  server.on('error', () => {})
  server.listen(on, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    received,
    close: () => new Promise((done) => server.close(() => done())),
  }
}

/** An error that a mail server tells its sender. */
export const told = (responseCode: number): Error & { responseCode: number } =>
  Object.assign(new Error('not like this'), { responseCode })
