import { PaymentAway, PaymentRefused } from './payments.ts'

/** What an error of the SDK's means to us; anything else is a mistake of ours and stays what it is. */
export const classified = (error: unknown): unknown => {
  const { type, code } = error as { type?: string; code?: string }
  if (type === 'StripeCardError')
    return new PaymentRefused(
      code === 'authentication_required' ? 'payment.needs-confirmation' : 'payment.declined',
      error,
    )
  const isAway = ['StripeConnectionError', 'StripeAPIError', 'StripeRateLimitError']
  return isAway.includes(type ?? '') ? new PaymentAway(`Stripe does not answer (${type})`, { cause: error }) : error
}

/** Nothing, where Stripe says that the request makes no sense for this thing as it is now; any other error is thrown on. */
export const unlessInvalid = (error: unknown): undefined => {
  if ((error as { type?: string }).type !== 'StripeInvalidRequestError') throw error
}

/** What Stripe will not do however often it is asked: it was given back by other hands, or is too old. */
export const refusedIfInvalid = (error: unknown): never => {
  const { type, code } = error as { type?: string; code?: string }
  // The same request is under way there: its answer is asked for again.
  throw type === 'StripeInvalidRequestError' && code !== 'idempotency_key_in_use'
    ? new PaymentRefused('payment.declined', error)
    : error
}

/** What Stripe finds invalid is refused in its words; any other error is thrown on. */
export const refusedInWords = (error: unknown): never => {
  const {
    type,
    code,
    param,
    message = '',
  } = error as { type?: string; code?: string; param?: string; message?: string }
  if (type !== 'StripeInvalidRequestError') throw error
  // The same request is under way there: its answer is asked for again.
  if (code === 'idempotency_key_in_use') throw new PaymentAway('Stripe works on this still', { cause: error })
  throw new PaymentRefused('payment.refused', error, { field: param ?? null, words: message.slice(0, 300) })
}

/** Nothing, where it was given back already. */
export const unlessRefunded = (error: unknown): undefined => {
  if ((error as { code?: string }).code !== 'charge_already_refunded') throw error
}

/** Nothing, where the thing is not there. */
export const unlessMissing = (error: unknown): undefined => {
  if ((error as { code?: string }).code !== 'resource_missing') throw error
}
