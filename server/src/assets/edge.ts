import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mediaKeys } from './addresses.ts'

const template = join(import.meta.dirname, '../../../deploy/edge/media.js')

/** What a CDN runs before /media, with the keys of these secrets: a secret itself. */
export const edgeFunction = async (secrets: string): Promise<string> => {
  const keys = Object.fromEntries(mediaKeys(secrets).map(({ id, key }) => [id, key.toString('hex')]))
  return (await readFile(template, 'utf8')).replace('/* keys */ var keys = {}', `var keys = ${JSON.stringify(keys)}`)
}
