import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose'
import { asNobodys } from '../kernel/asker.ts'
import type { Database } from '../kernel/database.ts'
import { addKey, liveKeys, lockKeys, retireKeys, type KeyRow } from './store.ts'

/** ECDSA on P-256: every library and gateway that reads JWTs knows it. */
export const algorithm = 'ES256'

/** The keys that sign ID tokens, shared by every server through the database. */
export type Keys = {
  signing: () => Promise<{ kid: string; key: CryptoKey }>
  /** The public key of a `kid`; null when we have none of that name. */
  verifying: (kid: string) => Promise<CryptoKey | null>
  /** The public set (RFC 7517): the signing key and every retired one whose tokens may still live. */
  published: () => Promise<JWK[]>
  /** Retires the signing key for a new one. Its tokens are good until they end. */
  rotate: () => Promise<void>
}

/** `idTokenSeconds` is the longest life of what these keys sign. */
export const openKeys = (database: Database, { idTokenSeconds }: { idTokenSeconds: number }): Keys => {
  // A server may sign with a retired key until its memory of the keys ends, and the token lives on from there.
  const keptMinutes = Math.ceil((idTokenSeconds + memorySeconds) / 60) + 1
  let known: Known | null = null
  let loading: Promise<Known> | null = null

  const load = (): Promise<Known> => {
    // Everybody waits for it, whoever asked first.
    loading ??= asNobodys(async () => {
      const readAt = performance.now()
      return (known = await read(await keysOf(database, keptMinutes), readAt))
    }).finally(() => (loading = null))
    return loading
  }
  const current = (youngerThan = memorySeconds) =>
    known && performance.now() - known.readAt < youngerThan * 1000 ? known : load()

  return {
    signing: async () => (await current()).signing,
    verifying: async (kid) =>
      // Another server may have rotated a moment ago; strangers' inventions make us look at most every second.
      (await current()).verifying.get(kid) ?? (await current(1)).verifying.get(kid) ?? null,
    published: async () => (await current()).published,
    rotate: async () => {
      const made = await newKey()
      await database.asSystem(async (tx) => {
        await lockKeys(tx)
        await retireKeys(tx)
        await addKey(tx, made)
      })
      await load()
    },
  }
}

type Known = {
  readAt: number
  signing: { kid: string; key: CryptoKey }
  verifying: Map<string, CryptoKey>
  published: JWK[]
}
const memorySeconds = 60

const keysOf = async (database: Database, keptMinutes: number): Promise<KeyRow[]> => {
  const found = await database.asSystem((tx) => liveKeys(tx, keptMinutes))
  if (found.some((key) => !key.is_retired)) return found
  const made = await newKey()
  return database.asSystem(async (tx) => {
    await lockKeys(tx)
    const meanwhile = await liveKeys(tx, keptMinutes)
    if (meanwhile.some((key) => !key.is_retired)) return meanwhile
    await addKey(tx, made)
    return liveKeys(tx, keptMinutes)
  })
}

const newKey = async (): Promise<Omit<KeyRow, 'is_retired'>> => {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true })
  const public_jwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(public_jwk)
  return {
    kid,
    private_jwk: await exportJWK(privateKey),
    public_jwk: { ...public_jwk, kid, alg: algorithm, use: 'sig' },
  }
}

const read = async (rows: KeyRow[], readAt: number): Promise<Known> => {
  const { kid, private_jwk } = rows.find((key) => !key.is_retired)!
  return {
    readAt,
    signing: { kid, key: await imported(private_jwk) },
    verifying: new Map(await Promise.all(rows.map(async (row) => [row.kid, await imported(row.public_jwk)] as const))),
    published: rows.map((row) => row.public_jwk),
  }
}

const imported = async (jwk: JWK): Promise<CryptoKey> => {
  const key = await importJWK(jwk, algorithm)
  if (key instanceof Uint8Array) throw new Error('A signing key is not a key pair')
  return key
}
