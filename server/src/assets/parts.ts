import type { CallReply, CallRequest } from '@clear-to-post/contract/call'
import { refusal } from '@clear-to-post/contract/errors'
import type { assets } from '@clear-to-post/contract/assets'
import { overlap, refusedPart } from '@clear-to-post/domain/upload-parts'
import { sql, type Caller, type Database } from '../kernel/database.ts'
import { storage, TooManyParts, type Parts, type PartsHere, type WantedPart } from '../outside/storage.ts'
import { findOwnAsset } from './store.ts'
import { finishUpload, refusedStorage } from './uploads.ts'

type SendParts = typeof assets.sendParts

/**
 * One exchange of an upload in parts (decision 680): acknowledges what was put, answers what is here and where the next parts
 * go. The bucket is asked while no transaction is open.
 */
export const sendParts = async (
  { database, caller }: { database: Database; caller: Caller },
  { params: { assetId }, body }: CallRequest<SendParts>,
): Promise<CallReply<SendParts>> => {
  const own = await database.inTenant(caller, (tx) => findOwnAsset(tx, assetId, caller.id))
  if (!own) throw refusal('asset.not-found')
  const { parts } = storage()
  if (!parts) throw refusal('asset.no-parts')
  const whole = { writer: body.writer ?? assetId, here: [], isWhole: true, addresses: [] }
  if (own.state !== 'uploading') return { ...whole, receivedBytes: own.received_bytes }
  // How long it will be bounds what is put, and is not known yet.
  if (own.is_open)
    throw refusal(
      'asset.no-parts',
      'This take is still being recorded. Send it to the address of its upload, as it comes.',
    )
  try {
    const now = await arrived(parts, own, body)
    if (!now) throw refusal('asset.not-found')
    await tell(database, assetId, now)
    if (now.received === own.file_size) {
      await finishUpload(database, assetId)
      return { ...whole, receivedBytes: now.received }
    }
    requireFitting(body.next, now, own.file_size)
    if (body.next.length > 0) await storage().requireRoom('upload')
    const addresses = body.next.length > 0 ? await parts.addresses(assetId, now.writer, body.next) : []
    return {
      writer: now.writer,
      receivedBytes: now.received,
      here: now.here,
      isWhole: false,
      addresses: addresses.map(({ id, endsAt, ...address }) => ({
        ...address,
        partId: id,
        endsAt: endsAt.toISOString(),
      })),
    }
  } catch (error) {
    if (error instanceof TooManyParts)
      throw refusal(
        'request.too-many',
        'Many parts of this file are on their way already. Go on in a quarter of an hour.',
      )
    throw refusedStorage(error)
  }
}

const arrived = (
  parts: Parts,
  { id, file_size: size }: { id: string; file_size: number },
  { writer, put }: Pick<CallRequest<SendParts>['body'], 'writer' | 'put'>,
): Promise<PartsHere | undefined> =>
  // Whoever begins anew has put nothing that would count.
  writer === undefined ? parts.open(id, size) : parts.acknowledge(id, writer, size, put)

const requireFitting = (next: readonly WantedPart[], { received, here }: PartsHere, size: number) => {
  for (const [index, part] of next.entries()) {
    const refused = next.slice(0, index).some((other) => overlap(other, part))
      ? 'Two of these parts share bytes.'
      : refusedPart(part, { size, received, here })
    if (refused !== null) throw refusal('request.invalid', refused)
  }
}

/** For people who look on, and so that nobody takes the upload for abandoned. */
const tell = (database: Database, assetId: string, { received, here }: PartsHere): Promise<number> => {
  const bytes = here.reduce((sum, one) => sum + one.bytes, received)
  return database.asSystem((tx) =>
    tx.count(sql`
      update asset set received_bytes = least(file_size, ${bytes}), modified_at = now()
      where id = ${assetId} and state = 'uploading'`),
  )
}
