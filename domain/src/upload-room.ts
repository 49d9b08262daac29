import { hasDuty, type Role } from './roles.ts'

/** Whose file it is: staff; who has a plan; who has confirmed an address; who has not yet. */
export type UploaderKind = 'staff' | 'subscriber' | 'confirmed' | 'unconfirmed'

export const uploaderKind = (person: { role: Role; isConfirmed: boolean; isEntitled: boolean }): UploaderKind => {
  if (!person.isConfirmed) return 'unconfirmed'
  if (hasDuty(person.role, 'serve')) return 'staff'
  return person.isEntitled ? 'subscriber' : 'confirmed'
}

const gigabyte = 1024 ** 3

/** `files`, `bytes`: what of theirs may wait unused at once. Of an unconfirmed person one film of a phone, while the code is on its way. */
export const uploaders: Readonly<Record<UploaderKind, { files: number; bytes: number }>> = {
  staff: { files: 10, bytes: 20 * gigabyte },
  subscriber: { files: 10, bytes: 20 * gigabyte },
  confirmed: { files: 10, bytes: 4 * gigabyte },
  unconfirmed: { files: 3, bytes: gigabyte },
}

/** Why a file of `size` bytes has no room beside what is open already; null when it has. Without a text the code's own words do. */
export const refusedRoom = (
  kind: UploaderKind,
  open: { files: number; bytes: number },
  size: number,
): { code: 'account.unverified' | 'asset.no-room'; text?: string } | null => {
  const most = uploaders[kind]
  const tooManyFiles = open.files >= most.files
  if (!tooManyFiles && open.bytes + size <= most.bytes) return null
  if (kind === 'unconfirmed') return { code: 'account.unverified' }
  if (tooManyFiles) return { code: 'asset.no-room' }
  const more = kind === 'confirmed' ? ' With a plan there is more room.' : ''
  return {
    code: 'asset.no-room',
    text: `Files that wait unused may have ${most.bytes / gigabyte} GB together. Submit or remove one first.${more}`,
  }
}
