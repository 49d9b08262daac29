import type { FastifyInstance } from 'fastify'
import { refusal } from '@clear-to-post/contract/errors'
import type { Database } from '../kernel/database.ts'
import { BadSignature, type Payments } from '../outside/payments/payments.ts'
import { receiveEvent } from '../subscriptions/actions.ts'

/**
 * `POST /webhooks/payments`: the payment provider's door. What counts are the very bytes that were signed, so nothing reads
 * the body before its signature was checked; the event is kept with its job before it is acknowledged. Anybody
 * may send one, so it is as large as a stranger's body may be: events have some thousand bytes.
 */
export const mountWebhooks = async (
  app: FastifyInstance,
  { payments, database }: { payments: Payments; database: Database },
): Promise<void> => {
  await app.register(async (door) => {
    door.removeAllContentTypeParsers()
    door.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    door.post('/webhooks/payments', async (request) => {
      const signature = request.headers['stripe-signature']
      const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const event = await payments
        .readEvent(raw, typeof signature === 'string' ? signature : '', new Date())
        .catch((error: unknown) => {
          throw error instanceof BadSignature ? refusal('payment.bad-event') : error
        })
      await database.asSystem((tx) => receiveEvent(tx, event))
      return { received: true }
    })
  })
}
