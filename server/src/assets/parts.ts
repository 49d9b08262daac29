import type { CallReply, CallRequest } from '@clear-to-post/contract/call'
import { refusal } from '@clear-to-post/contract/errors'
import type { assets } from '@clear-to-post/contract/assets'
import { mostBesideUploads, overlap, refusedPart } from '@clear-to-post/domain/upload-parts'
import { uploaders } from '@clear-to-post/domain/upload-room'
import { sql, type Caller, type Database } from '../kernel/database.ts'
import {
  PartsOfSenderFull,
  storage,
  TooManyParts,
  type Parts,
  type PartsHere,
  type WantedPart,
} from '../outside/storage.ts'
import { findOwnAsset } from './store.ts'
import { uploaderOf } from './uploader.ts'
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
    const addresses = body.next.length > 0 ? await addressesFor(database, caller, parts, assetId, now, body.next) : []
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
    if (error instanceof PartsOfSenderFull)
      throw refusal(
        'asset.no-parts',
        'As much of yours as we take in parts within two hours has come. Send the rest to the address of its upload.',
      )
    throw refusedStorage(error)
  }
}

/** What may be put beside the room that uploads are kept is that much again, over all uploads of the caller. */
const addressesFor = async (
  database: Database,
  caller: Caller,
  parts: Parts,
  assetId: string,
  { writer }: PartsHere,
  next: readonly WantedPart[],
) => {
  const kind = await database.inTenant(caller, (tx) => uploaderOf(tx, caller.id, new Date()))
  return parts.addresses(assetId, writer, next, { id: caller.id, most: mostBesideUploads(uploaders[kind].bytes) })
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

/** For people who look on, and so that nobody takes the upload for abandoned to which something came. */
const tell = (database: Database, assetId: string, { received, here }: PartsHere): Promise<number> => {
  const bytes = here.reduce((sum, one) => sum + one.bytes, received)
  return database.asSystem((tx) =>
    tx.count(sql`
      update asset set received_bytes = least(file_size, ${bytes}), modified_at = now()
      where id = ${assetId} and state = 'uploading' and received_bytes < least(file_size, ${bytes})`),
  )
}
