import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Caller } from '../kernel/database.ts'
import { keptKey } from '../outside/kept-key.ts'

/**
 * Signed addresses below /media. An address is its own permission for a while: players and downloads carry no token.
 * The keys are opened once at start, because addresses stand in every answer that shows a file: the first one signs, and each
 * address names the one that signed it, for whoever checks it on its way (deploy/edge/media.js).
 */
let keys: readonly { id: string; key: Buffer }[] = []

/** An address stays the same this long, so that the browser's cache knows it again; it is good for one to two of these. */
export const windowMs = 2 * 60 * 60 * 1000

/**
 * Opens the signing keys: of the secrets in `secret`, the newest first and parted by spaces, where several servers share them;
 * else a random one kept under `dataDir`.
 */
export const openAddresses = async (dataDir: string, secret?: string): Promise<void> => {
  remembered = { until: '', addresses: new Map() }
  keys =
    secret === undefined
      ? [named(await keptKey(dataDir, 'media-key', 'open pages must be reloaded then.'))]
      : mediaKeys(secret)
}

/** The keys of these secrets, with the names by which addresses say them. */
export const mediaKeys = (secrets: string): { id: string; key: Buffer }[] =>
  secrets.split(/\s+/).map((secret) => named(createHmac('sha256', secret).update('media addresses').digest()))

const named = (key: Buffer) => ({ id: createHash('sha256').update(key).digest('base64url').slice(0, 6), key })

/** The signed address of a stored file; with `downloadAs` the browser saves it under that name. */
export const fileUrl = (assetId: string, path: string, now: Date, downloadAs?: string): string =>
  signed(`/media/${assetId}/${path}`, now, { name: downloadAs })

/**
 * The signed address that downloads all source files of a project as one zip, for who asks for it, a person or their key: what a
 * project holds goes on changing, so whoever fetches it asks again whether they still reach it.
 */
export const sourcesUrl = (projectId: string, asking: Asking, now: Date): string =>
  signed(`/media/zip/${projectId}`, now, { reader: readerOf(asking) })

/** The same for everything that another editing program needs for a project. */
export const kitUrl = (projectId: string, asking: Asking, now: Date): string =>
  signed(`/media/kit/${projectId}`, now, { reader: readerOf(asking) })

type Asking = Pick<Caller, 'id' | 'key'>
/** Of who calls by a key, the key: its addresses end with it. */
const readerOf = ({ id, key }: Asking): string => key?.id ?? id

/** The signed address of a person's own data, good for ten minutes: it is asked for right before it is fetched. */
export const exportUrl = (exportId: string, now: Date): string => {
  const path = `/media/export/${exportId}`
  const until = String(Math.ceil(now.getTime() / 1000) + 600)
  const { id, key } = newestKey()
  return `${path}?${new URLSearchParams({ until, key: id, sign: signature(key, path, until, {}) })}`
}

/** Is this path signed, and still good? A wrong signature and a malformed one look the same. */
export const checkAddress = (
  path: string,
  {
    until,
    sign,
    key: id,
    ...parts
  }: Parts & { until?: string | undefined; sign?: string | undefined; key?: string | undefined },
  now: Date,
): 'good' | 'ended' | 'forged' => {
  const given = Buffer.from(sign ?? '')
  // One of the release before says no key; it ends within hours.
  const isSigned = keys.some((one) => {
    if (id !== undefined && id !== one.id) return false
    const right = Buffer.from(signature(one.key, path, until ?? '', parts))
    return given.length === right.length && timingSafeEqual(given, right)
  })
  if (!isSigned) return 'forged'
  const left = Number(until) * 1000 - now.getTime()
  // Signed by a clock that ran ahead: it would be good for longer than any other. A minute is between servers' clocks.
  return left > 0 && left <= 2 * windowMs + 60_000 ? 'good' : 'ended'
}

/** What an address says beside its path: the name to save under, and the person or key it is for. */
type Parts = { name?: string | undefined; reader?: string | undefined }

const signed = (path: string, now: Date, parts: Parts): string => {
  const until = String(((Math.floor(now.getTime() / windowMs) + 2) * windowMs) / 1000)
  // Lists show the same pictures again and again, and an address is the same for hours.
  if (remembered.until !== until || remembered.addresses.size > 50_000) remembered = { until, addresses: new Map() }
  const { name, reader } = parts
  const remembers = `${path}\n${reader ?? ''}\n${name ?? ''}`
  const known = remembered.addresses.get(remembers)
  if (known !== undefined) return known
  const { id, key } = newestKey()
  const query = new URLSearchParams({
    until,
    key: id,
    ...(name === undefined ? {} : { name }),
    ...(reader === undefined ? {} : { reader }),
    sign: signature(key, path, until, parts),
  })
  const address = `${path}?${query}`
  remembered.addresses.set(remembers, address)
  return address
}

const newestKey = () => {
  const [newest] = keys
  if (!newest) throw new Error('openAddresses() was not called')
  return newest
}
let remembered = { until: '', addresses: new Map<string, string>() }

// Parts are joined as JSON, so that no part can pretend to be the end of another.
const signature = (key: Buffer, path: string, until: string, { name, reader }: Parts): string => {
  const parts = JSON.stringify([path, until, name ?? null, ...(reader === undefined ? [] : [reader])])
  return createHmac('sha256', key).update(parts).digest().subarray(0, 18).toString('base64url')
}
