import type { z } from 'zod'
import { longestAuditValue, type AuditEntry } from '@clear-to-post/contract/audit'
import type { EntryRow } from './store.ts'

export const presentEntry = (row: EntryRow, names: ReadonlyMap<string, string>): z.input<typeof AuditEntry> => {
  const named = (id: string) => ({ id, ...(names.has(id) ? { name: names.get(id)! } : {}) })
  // Of what a person has, whose it is says more than its number.
  const subject = row.person_id === null ? named(row.subject_id) : { ...named(row.person_id), id: row.subject_id }
  return {
    id: row.id,
    at: row.at.toISOString(),
    ...(row.actor_id === null ? {} : { actor: named(row.actor_id) }),
    actorRole: row.actor_role,
    ...(row.key_id === null ? {} : { key: named(row.key_id) }),
    kind: row.kind,
    act: row.act,
    subject,
    ...(row.tenant_id === null ? {} : { company: named(row.tenant_id) }),
    changes: Object.entries(row.changes ?? {}).map(([field, change]) =>
      change === true
        ? { field, isHidden: true }
        : { field, ...sides(change, field.endsWith('_id') ? names : new Map()) },
    ),
    isErased: row.changes === null,
    ...(row.seq === null ? {} : { seq: Number(row.seq), hash: row.hash! }),
  }
}

const sides = ([from, to]: [unknown, unknown], names: ReadonlyMap<string, string>) => ({
  ...(from === null ? {} : { from: textOf(from, names) }),
  ...(to === null ? {} : { to: textOf(to, names) }),
})

const textOf = (value: unknown, names: ReadonlyMap<string, string>): string => {
  const text = typeof value === 'string' ? (names.get(value) ?? value) : JSON.stringify(value)
  return text.length > longestAuditValue ? `${text.slice(0, longestAuditValue - 1)}…` : text
}
