import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { keptKey } from './kept-key.ts'

/**
 * Secrets of others that we keep: sealed by AES-256-GCM with a key that lies outside of the database. A sealed text names its key,
 * so that keys can be changed: the first one seals, every one opens. What it is about is bound in: it opens nowhere else.
 */
export type Seal = {
  seal: (text: string, about: string) => string
  /** Throws SealBroken for what was changed, sealed about something else, or with a key that is not here. */
  open: (sealed: string, about: string) => string
  /** Whether it was sealed with a key that is not the first one any more. */
  isOld: (sealed: string) => boolean
}

export class SealBroken extends Error {}

/** `secrets`: the operator's, the newest first; without any, a random key kept under `dataDir`. */
export const openSeal = async (dataDir: string, secrets: readonly string[] = []): Promise<Seal> =>
  sealWith(
    secrets.length === 0
      ? [await keptKey(dataDir, 'connection-key', 'everybody connects their accounts anew then.')]
      : secrets.map((secret) => createHash('sha256').update(`connections\n${secret}`).digest()),
  )

export const sealWith = (keys: readonly Buffer[]): Seal => {
  const byId = new Map(keys.map((key) => [idOf(key), key]))
  const [newest] = keys
  if (!newest) throw new Error('a seal needs a key')
  const newestId = idOf(newest)
  return {
    seal: (text, about) => {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', newest, nonce).setAAD(Buffer.from(about))
      const closed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return ['1', newestId, ...[nonce, cipher.getAuthTag(), closed].map((part) => part.toString('base64url'))].join(
        '.',
      )
    },
    open: (sealed, about) => {
      const [version, id = '', nonce = '', tag = '', closed = ''] = sealed.split('.')
      const key = byId.get(id)
      if (version !== '1' || !key) throw new SealBroken(`sealed with a key that is not here (${id})`)
      try {
        const opened = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'), { authTagLength: 16 })
          .setAAD(Buffer.from(about))
          .setAuthTag(Buffer.from(tag, 'base64url'))
        return Buffer.concat([opened.update(Buffer.from(closed, 'base64url')), opened.final()]).toString('utf8')
      } catch {
        throw new SealBroken('what was sealed was changed, or is about something else')
      }
    },
    isOld: (sealed) => sealed.split('.')[1] !== newestId,
  }
}

const idOf = (key: Buffer): string => createHash('sha256').update('key id').update(key).digest('hex').slice(0, 8)
