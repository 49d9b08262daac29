import { BadSignature, type ProviderEvent } from './payments.ts'

/** Older than this an event is a recording that somebody plays again. */
const toleranceSeconds = 300

/**
 * An event as it came to the webhook door: the very bytes that were signed, and their `Stripe-Signature`. The sandbox signs
 * in the same way. Throws `BadSignature`.
 */
export const eventOf = async (raw: Buffer, signature: string, secret: string, now: Date): Promise<ProviderEvent> => {
  const { default: Stripe } = await import('stripe')
  try {
    const event = Stripe.webhooks.constructEvent(raw, signature, secret, toleranceSeconds, undefined, now.getTime())
    const about = event.data.object as { object?: string; id?: string }
    return {
      id: event.id,
      type: event.type,
      about: { kind: about.object ?? '', id: about.id ?? '' },
      createdAt: new Date(event.created * 1000),
    }
  } catch (error) {
    throw new BadSignature((error as Error).message, { cause: error })
  }
}

/** The header for a body, as the provider computes it. */
export const signatureOf = async (payload: string, secret: string, at: Date): Promise<string> => {
  const { default: Stripe } = await import('stripe')
  return Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(at.getTime() / 1000) })
}
