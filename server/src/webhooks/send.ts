import { mostKept } from '@clear-to-post/domain/most-kept'
import { failingHours, failingVideos, secondsBeforeWebhook, type WebhookState } from '@clear-to-post/domain/webhooks'
import type { Database, Tx } from '../kernel/database.ts'
import { SealBroken } from '../outside/sealed.ts'
import { webhookPatienceMs, webhookSender, type WebhookOutcome } from '../outside/webhooks.ts'
import { sealedFor } from './actions.ts'
import { tellAdministrators, tellOfGivenUp } from './notices.ts'
import { bodyOf, messageIdOf } from './outbox.ts'
import {
  addAttempt,
  claimDeliveries,
  countFailing,
  holdTurn,
  lockEndpoint,
  noteFailing,
  noteTaken,
  releaseDelivery,
  settleDelivery,
  type Claimed,
  type Sender,
} from './send-store.ts'

/** So many messages are on their way to an endpoint at once; so many are claimed for that, each until its lease ends. */
const [atOnce, claimedAtOnce] = [5, 20]
/** Longer than whatever is claimed can take: whoever dies meanwhile leaves claims that end. */
export const webhookLeaseMs = (claimedAtOnce / atOnce + 2) * webhookPatienceMs
/** An endpoint is worked on for so long before the next one has its turn. */
const turnMs = 20_000

type Deps = { database: Database; now: () => Date; signal: AbortSignal }
type Counts = { delivered: number; failed: number }

/**
 * Sends an endpoint what is due: of each video the first that waits, and the next one once that was taken. What a run leaves
 * (its time is over, or it was killed) stands in the rows, and the next run finds it.
 */
export const sendWaiting = async (deps: Deps, endpointId: string): Promise<Counts> => {
  const ends = Date.now() + turnMs
  const counts = { delivered: 0, failed: 0 }
  const claimed: { one: Claimed; endpoint: Sender; until: number }[] = []
  const running = new Set<Promise<void>>()
  for (;;) {
    const goesOn = !deps.signal.aborted && Date.now() < ends
    if (goesOn && claimed.length === 0 && running.size < atOnce) claimed.push(...(await claim(deps, endpointId)))
    if (!goesOn || (claimed.length === 0 && running.size === 0)) break
    while (running.size < atOnce && claimed.length > 0) {
      const { one, endpoint, until } = claimed.shift()!
      const run: Promise<void> = tryOnce(deps, endpoint, one, until)
        .then((is) => void counts[is]++)
        .finally(() => running.delete(run))
      running.add(run)
    }
    if (running.size > 0) await Promise.race(running)
  }
  await Promise.all(running)
  for (const { one } of claimed) await deps.database.asSystem((tx) => releaseDelivery(tx, one))
  return counts
}

const claim = ({ database, now }: Deps, endpointId: string) =>
  database.asSystem(async (tx) => {
    const endpoint = await lockEndpoint(tx, endpointId, now())
    if (!endpoint || endpoint.state !== 'active' || !endpoint.is_active || endpoint.is_resting) return []
    const until = Date.now() + webhookLeaseMs
    const rows = await claimDeliveries(tx, endpointId, {
      // One that rested is tried with a single message.
      limit: endpoint.rested ? 1 : claimedAtOnce,
      now: now(),
      leasedUntil: new Date(now().getTime() + webhookLeaseMs),
    })
    return rows.map((one) => ({ one, endpoint, until }))
  })

const tryOnce = async (deps: Deps, endpoint: Sender, one: Claimed, until: number): Promise<keyof Counts> => {
  // Somebody else may have it soon, who would send what comes after it.
  if (until - Date.now() < webhookPatienceMs * 1.5) {
    await deps.database.asSystem((tx) => releaseDelivery(tx, one))
    return 'failed'
  }
  const begun = deps.now()
  const from = performance.now()
  const outcome = await post(endpoint, one, begun)
  const isTaken = outcome.status !== null && outcome.status >= 200 && outcome.status < 300
  await deps.database.asSystem(async (tx) => {
    const now = deps.now()
    const locked = await lockEndpoint(tx, endpoint.id, now)
    // It was removed with everything that waited for it.
    if (!locked) return
    await addAttempt(tx, {
      deliveryId: one.id,
      tenantId: endpoint.tenant_id,
      at: begun,
      ms: Math.round(performance.now() - from),
      status: outcome.status,
      error: outcome.error,
      answer: outcome.answer,
      most: mostKept.webhookAttempts,
    })
    if (isTaken) await settleTaken(tx, locked, one, outcome, now)
    else await settleFailed(tx, locked, one, outcome, now)
  })
  return isTaken ? 'delivered' : 'failed'
}

const post = async (endpoint: Sender, one: Claimed, now: Date): Promise<WebhookOutcome> => {
  const { seal, post: send } = webhookSender()
  const sealed = [
    endpoint.secret,
    ...(endpoint.former_secret !== null && endpoint.former_until! > now ? [endpoint.former_secret] : []),
  ]
  try {
    const secrets = sealed.map((secret) => seal.open(secret, sealedFor(endpoint.id)))
    return await send({ url: endpoint.url, messageId: messageIdOf(one.event_id), body: bodyOf(one), secrets })
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    return {
      status: null,
      error: 'the secret cannot be read here any more: make a new one',
      answer: '',
      retryAt: null,
    }
  }
}

const settleTaken = async (tx: Tx, endpoint: Sender, one: Claimed, { status }: WebhookOutcome, now: Date) => {
  await settleDelivery(tx, one, { state: 'delivered', tries: one.tries, status, nextAt: now, now })
  await noteTaken(tx, endpoint.id, now)
}

const settleFailed = async (tx: Tx, endpoint: Sender, one: Claimed, outcome: WebhookOutcome, now: Date) => {
  const tries = one.tries + 1
  const failingSince = endpoint.failing_since ?? now
  const failingMs = now.getTime() - failingSince.getTime()
  const stops: WebhookState | null =
    endpoint.state !== 'active'
      ? null
      : outcome.status === 410
        ? 'gone'
        : failingMs >= failingHours * 3_600_000
          ? 'failing'
          : null
  const seconds = secondsBeforeWebhook(tries)
  // While nothing is sent there, nothing is given up.
  const isGivenUp = seconds === null && stops === null && endpoint.state === 'active'
  const pauseMs = (seconds ?? 0) * 1000 * (1 + Math.random() / 10)
  const nextAt = isGivenUp ? now : new Date(Math.max(now.getTime() + pauseMs, outcome.retryAt?.getTime() ?? 0))
  const isMine = await settleDelivery(tx, one, {
    state: isGivenUp ? 'failed' : 'waiting',
    tries,
    status: outcome.status,
    nextAt,
    now,
  })
  if (!isMine) return
  await holdTurn(tx, endpoint.id, one.turn_id, nextAt)
  const isDown =
    endpoint.failing_since !== null && (await countFailing(tx, endpoint.id, failingVideos)) >= failingVideos
  const restMs = Math.min(3_600_000, Math.max(5000, failingMs / 10))
  await noteFailing(tx, endpoint.id, {
    state: stops ?? endpoint.state,
    failingSince,
    restingUntil: isDown ? new Date(now.getTime() + restMs) : null,
  })
  if (isGivenUp) await tellOfGivenUp(tx, endpoint, now)
  if (stops) await tellAdministrators(tx, { ...endpoint, state: stops }, now)
}
