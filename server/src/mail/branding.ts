import { buffer } from 'node:stream/consumers'
import { contrast, inkOn, isColour, mix, stepTowards } from '@clear-to-post/edit/contrast'
import { assetOfPicture, originalsOf, type KnownOriginal } from '../assets/actions.ts'
import { sql, type Tx } from '../kernel/database.ts'
import type { InlinePicture } from '../outside/mail.ts'
import { storage } from '../outside/storage.ts'

/** Whose name, colour and logo a mail carries: the company's of whom it is for, else ours. */
export type Branding = { name: string; colour: string; logo: InlinePicture | null }

export const ownBranding: Branding = { name: 'Clear to Post', colour: '#2647e0', logo: null }

/** The same as it is read in a transaction: the logo’s file is opened after it (`withLogo`). */
export type Brand = Omit<Branding, 'logo'> & { logo: KnownOriginal | null }

/** The branding of mails to a person. */
export const brandingOf = async (tx: Tx, userId: string): Promise<Brand> => {
  const tenant = await tx.first(sql<{ name: string; preferences: { logoUrl?: string; primaryColor?: string } }>`
    select t.name, t.preferences from person p join tenant t on t.id = p.tenant_id where p.id = ${userId}`)
  if (!tenant) return { ...ownBranding, logo: null }
  const { logoUrl = '', primaryColor = '' } = tenant.preferences
  const assetId = assetOfPicture(logoUrl)
  const original = assetId === undefined ? undefined : (await originalsOf(tx, [assetId])).get(assetId)
  return {
    name: tenant.name,
    colour: isColour(primaryColor) ? primaryColor.toLowerCase() : ownBranding.colour,
    // The original, and no signed address: that one ends long before a mail is thrown away.
    logo: original?.probe.kind === 'picture' ? original : null,
  }
}

/** A logo that is no longer there, or too heavy for a mail, is written as a name. Opens a file: no connection is held meanwhile. */
export const withLogo = async ({ logo, ...brand }: Brand): Promise<Branding> => ({
  ...brand,
  logo: logo && (await inline(logo)),
})

/**
 * A company's colour on white paper, moved towards black by the smallest step at which everything can be told apart:
 * `fill` as a shape (3:1) that carries `ink` (4.5:1), `text` as words (4.5:1).
 */
export const coloursOf = (colour: string): { fill: string; ink: string; text: string } => {
  const darker = (passes: (mixed: string) => boolean) => mix(colour, '#000000', stepTowards(colour, '#000000', passes))
  const fill = darker((one) => contrast(one, paper) >= 3 && contrast(one, inkOn(one)) >= 4.5)
  return { fill, ink: inkOn(fill), text: darker((one) => contrast(one, paper) >= 4.5) }
}

const paper = '#ffffff'
const mostBytes = 256 * 1024

const inline = async ({ id, name }: Pick<KnownOriginal, 'id' | 'name'>): Promise<InlinePicture | null> => {
  const file = await storage().open(id, name)
  if (!file) return null
  if (file.size > mostBytes) return file.close().then(() => null)
  const bytes = await buffer(file.stream()).catch(() => null)
  if (!bytes) return null
  // What every mail program shows.
  const type = ['png', 'jpeg', 'gif'].find((name) => bytes.subarray(0, 4).toString('latin1').startsWith(starts[name]!))
  return type === undefined ? null : { cid: 'logo', type: `image/${type}`, base64: bytes.toString('base64') }
}
const starts: Record<string, string> = { png: '\x89PNG', jpeg: '\xff\xd8\xff', gif: 'GIF8' }
