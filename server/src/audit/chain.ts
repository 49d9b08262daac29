import { createHash } from 'node:crypto'
import type { AuditFault } from '@clear-to-post/domain/audit'
import type { LinkRow } from './store.ts'

/**
 * What is wrong with a link, the worst first: it is the sha-256 of the link before it and of the text of its entry, and the
 * entry holds the sha-256 of its values. Values may be gone where their person is.
 */
export const faultsOf = (link: LinkRow): AuditFault[] => {
  const faults: AuditFault[] = []
  if (link.text === null) faults.push('entry-missing')
  if (Number(link.seq) > 1 && link.previous === null) faults.push('link-missing')
  if (link.text !== null) {
    const isLinked = sha256(link.previous ?? Buffer.alloc(0), link.text).equals(link.hash)
    if (!isLinked && !faults.includes('link-missing')) faults.push('entry-changed')
    if (link.changes === null || link.salt === null) {
      if (!link.is_person_gone) faults.push('values-missing')
    } else if (!sha256(link.salt, link.changes).equals(link.values_hash!)) faults.push('values-changed')
  }
  return faults
}

const sha256 = (before: Buffer, text: string): Buffer =>
  createHash('sha256').update(before).update(text, 'utf8').digest()
