import { assets } from '@clear-to-post/contract/assets'
import { requestId, traceOf } from '@clear-to-post/contract/client'
import { Refusal } from '@clear-to-post/contract/errors'
import { queryClient, send } from '../../api.ts'
import { bearerOf, currentSession, onSignedOut, personHere, renew } from '../../session.ts'
import { spool as openSpool } from '../../spool/open.ts'
import { sendTake, type Ask } from '../../spool/send-take.ts'
import type { Spool } from '../../spool/spool.ts'
import type { Take } from '../../spool/take.ts'
import { changeUpload, forgetUpload, putUpload, uploadNamed, type Upload } from './uploads.ts'

/**
 * Takes of the recorder on their way, shown among the other uploads. One tab sends a take; what an earlier page left goes on
 * when the panel opens, and is ended when the officer says that it is all there is.
 */

/** Shows the take among the uploads and sends it; called when it begins. */
export const followTake = async (id: string): Promise<void> => {
  const spool = await openSpool()
  const take = await spool.find(id)
  if (take && uploadNamed(id) === undefined) await follow(spool, take)
}

/** Goes on with what is on this device for this person. */
export const resumeTakes = async (userId: string): Promise<void> => {
  const spool = await openSpool()
  for (const take of await spool.takesOf(userId)) {
    if (uploadNamed(take.id) !== undefined) continue
    // A recorder that ended before its first piece left nothing.
    if (take.safeBytes === 0 && (await isFree(take.id))) await spool.drop(take.id)
    else await follow(spool, take)
  }
}

/** What is here is all there is of a take whose recorder was cut off. */
export const finishTake = async (id: string): Promise<void> => {
  await (await openSpool()).end(id)
}

/** Throws a take away, here and at the service. */
export const dropTake = async (id: string): Promise<void> => {
  const as = personHere()
  stops.get(id)?.abort()
  stops.delete(id)
  const spool = await openSpool()
  const assetId = uploadNamed(id)?.assetId ?? idOf((await spool.find(id))?.address ?? null)
  forgetUpload(id)
  await spool.drop(id)
  if (assetId) await send(assets.discard, { params: { assetId } }, { as }).catch(() => undefined)
  void queryClient.invalidateQueries({ queryKey: ['assets'] })
}

/** The take as a file, for who wants it on the device itself; null when nothing of it is here. */
export const fileOfTake = async (id: string): Promise<File | null> => (await openSpool()).file(id)

/** Held by the page that records a take, for as long as it lives. */
export const whileRecording = async (id: string, work: () => Promise<void>): Promise<void> => {
  if ('locks' in navigator) await navigator.locks.request(lockOf(id), work)
  else await work()
}

const lockOf = (id: string): string => `recording ${id}`

const isFree = async (id: string): Promise<boolean> =>
  !('locks' in navigator) ||
  ((await navigator.locks.request(lockOf(id), { ifAvailable: true }, async (lock) => lock !== null)) as boolean)

const stops = new Map<string, AbortController>()

const follow = async (spool: Spool, take: Take): Promise<void> => {
  const stop = new AbortController()
  stops.set(take.id, stop)
  putUpload(await shown(take))
  const deaf = spool.listen((id) => {
    if (id !== take.id) return
    void spool.find(id).then(async (now) => now && !stop.signal.aborted && changeUpload(id, await shown(now)))
  })
  const work = async () => {
    if (stop.signal.aborted) return
    changeUpload(take.id, { state: 'sending' })
    const outcome = await sendTake(spool, take.id, {
      ask: askAs(take.userId),
      signal: stop.signal,
      onWaiting: (waits) => changeUpload(take.id, { state: waits ? 'paused' : 'sending' }),
    })
    deaf()
    if (outcome.state === 'gone') {
      await spool.drop(take.id)
      return forgetUpload(take.id)
    }
    if (outcome.state === 'refused') return changeUpload(take.id, { state: 'refused', error: outcome.text })
    changeUpload(take.id, { state: 'sent', sentAt: Date.now(), assetId: outcome.assetId, secondsLeft: null })
    void queryClient.invalidateQueries({ queryKey: ['assets'] })
    if (await isTaken(take.userId, outcome.assetId, stop.signal)) await spool.drop(take.id)
  }
  const run = 'locks' in navigator ? navigator.locks.request(`take ${take.id}`, { signal: stop.signal }, work) : work()
  void Promise.resolve(run)
    .catch((error: unknown) => {
      if (!stop.signal.aborted) console.error('The take stopped on its way', error)
    })
    .finally(deaf)
}

const shown = async (take: Take): Promise<Upload> => {
  const isLeft = !take.isEnded && (await isFree(take.id))
  const before = uploadNamed(take.id)
  return {
    key: take.id,
    fileName: take.fileName,
    fileSize: Math.max(1, take.safeBytes),
    sentBytes: take.sentBytes,
    state: before?.state ?? 'sending',
    secondsLeft: null,
    assetId: idOf(take.address),
    isFragile: take.place === 'memory',
    ...(before?.sentAt === undefined ? {} : { sentAt: before.sentAt }),
    take: { begunAt: take.begunAt, ms: take.safeMs, stands: take.isEnded ? 'ended' : isLeft ? 'left' : 'recording' },
  }
}

/** Whether the service has checked it and taken it; until then this device keeps it, and what the checks refuse, too. */
const isTaken = async (userId: string, assetId: string, signal: AbortSignal): Promise<boolean> => {
  for (;;) {
    signal.throwIfAborted()
    // Of somebody else's files this person is told nothing: that says nothing of the take.
    const isTheirs = currentSession().user?.id === userId
    const state = !isTheirs
      ? null
      : await send(assets.find, { params: { assetId } }, { signal, as: userId }).then(
          (found) => found.state,
          (error: unknown) => (error instanceof Refusal && error.code === 'asset.not-found' ? ('gone' as const) : null),
        )
    // Whole at the service and gone from there: the officer threw it away on another device.
    if (state === 'ready' || state === 'gone') return true
    if (state === 'rejected' || state === 'failed') return false
    await new Promise((resolve) => setTimeout(resolve, 3000))
  }
}

/** With the right of whoever recorded it, and of nobody else: it waits until they are signed in. */
const askAs =
  (userId: string): Ask =>
  async (path, init) => {
    const token = await bearerOf(userId)
    if (token === null && currentSession().user !== null) throw new Error('Somebody else is signed in')
    const headers = new Headers(init.headers)
    for (const [name, value] of Object.entries(traceOf(requestId()))) headers.set(name, value)
    if (token) headers.set('authorization', `Bearer ${token}`)
    const answer = await fetch(path, { ...init, headers })
    if (answer.status === 401) await renew(token)
    return answer
  }

const idOf = (address: string | null): string | null => address?.split('/').pop() ?? null

// Other tabs may have to forget what this one holds open. What is here of who left is forgotten by forget.ts.
onSignedOut(async () => {
  const ids = [...stops.keys()]
  for (const stop of stops.values()) stop.abort()
  stops.clear()
  const spool = await openSpool()
  for (const id of ids) await spool.close(id)
})
