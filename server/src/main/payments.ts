import type { Config } from '../kernel/config.ts'
import type { Database } from '../kernel/database.ts'
import { closed } from '../outside/payments/closed.ts'
import { usePayments, type Payments } from '../outside/payments/payments.ts'
import { stripe } from '../outside/payments/stripe.ts'
import { sandbox } from '../stand-ins/payments/provider.ts'

/**
 * Opens the provider that the configuration names, for this process: rooms and jobs find it by `payments()`. With keys it
 * is Stripe; without, the embedded stand-in, which moves no money and so is refused in production unless allowed aloud.
 */
export const openPayments = (
  config: Pick<Config, 'publicUrl' | 'stripe' | 'allowSandbox'>,
  database: Database,
): Payments =>
  usePayments(config.stripe ? stripe(config.stripe) : config.allowSandbox ? sandbox(database, config) : closed())
