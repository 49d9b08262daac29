import { refusal } from '@clear-to-post/contract/errors'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { sql, type Reader, type Tx } from '../kernel/database.ts'
import { asService } from '../kernel/tenancy.ts'
import { checkAddress, fileUrl } from './addresses.ts'
import type { AssetRow } from './store.ts'

/**
 * Keeps a file as somebody's photo, logo or icon and answers what to write down: its address without the signature, which
 * would end. Addresses elsewhere and the empty one are answered as they are. Only a signed address that is still good is
 * taken, so nobody keeps a file that they cannot see; and only of a file that `by` (who sets it) or `whose` (a person) has
 * uploaded, or that is shown there already: somebody else's address ends, and must not be made to last. What is not shown
 * there yet is a picture of `mostKept.pictureBytes` at most. A photo or a category's picture is kept by its smaller form; a
 * logo or icon by its original, with its clear parts and without what a camera wrote (`barePicture`). Throws
 * asset.not-found, asset.not-a-picture.
 */
export const keepPicture = async (
  tx: Tx,
  { address, owner, field, by }: { address: string; owner: string; field: string; by: string },
  now: Date,
): Promise<string> => {
  const found = ours.exec(address)
  if (!found && address.startsWith('/')) throw refusal('asset.not-found')
  const assetId = found?.[1]
  const path = found && `/media/${found[1]}/${found[2]}`
  const query = new URLSearchParams(address.split('?')[1] ?? '')
  const param = (name: string) => query.get(name) ?? undefined
  if (path && checkAddress(path, { until: param('until'), name: param('name'), sign: param('sign') }, now) !== 'good')
    throw refusal('asset.not-found')
  return asService(tx, async () => {
    const shown = sql`asset_face where whose = ${owner} and field = ${field}`
    if (!path || !assetId) {
      await tx.count(sql`delete from ${shown}`)
      return address
    }
    const file = await tx.first(sql<Pick<AssetRow, 'type' | 'file_size' | 'derived'> & { is_shown: boolean }>`
      select type, file_size, derived, id in (select asset_id from ${shown}) as is_shown from asset where id = ${assetId}
        and (author_id in (${by}, ${owner}) or id in (select asset_id from ${shown}))`)
    if (!file) throw refusal('asset.not-found')
    if (!file.is_shown && (file.type !== 'picture' || file.file_size > mostKept.pictureBytes))
      throw refusal('asset.not-a-picture')
    await tx.count(sql`delete from ${shown}`)
    await tx.count(sql`insert into asset_face (whose, field, asset_id) values (${owner}, ${field}, ${assetId})`)
    const small = file.type === 'picture' && !withClearParts.has(field) ? file.derived.poster : undefined
    return small === undefined ? path : `/media/${assetId}/${small}`
  })
}

// Their smaller forms are JPEGs on grey.
const withClearParts: ReadonlySet<string> = new Set(['logo', 'logoUrl', 'iconUrl'])

/** A kept address as it may be shown now: one of ours with a fresh signature. */
export const pictureUrl = (kept: string, now: Date): string => {
  const [, assetId, path] = ours.exec(kept) ?? []
  return assetId && path ? fileUrl(assetId, path, now) : kept
}

/** The file of a kept address; undefined when it lies elsewhere. */
export const assetOfPicture = (kept: string): string | undefined => ours.exec(kept)?.[1]

/** The files among `ids` that these people or companies show as theirs. */
export const picturesAmong = async (tx: Reader, owner: string[], ids: string[]): Promise<Set<string>> => {
  const rows = await tx.rows(sql<{ asset_id: string }>`
    select asset_id from asset_face where whose = any(${owner}) and asset_id = any(${ids})`)
  return new Set(rows.map(({ asset_id }) => asset_id))
}

/** Lets go of all pictures of a person or a tenant. Runs as the service. */
export const dropPictures = (tx: Tx, owner: string) => tx.count(sql`delete from asset_face where whose = ${owner}`)

const ours = /^\/media\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/([\w/.-]+)(?=$|\?)/
