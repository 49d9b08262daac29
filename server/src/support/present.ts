import type { z } from 'zod'
import type { SupportMessage, SupportThread } from '@clear-to-post/contract/support'
import { mayEver } from '@clear-to-post/domain/access'
import type { Caller } from '../kernel/database.ts'
import { actsOf } from './actions.ts'
import type { MessageRow, ThreadRow } from './store.ts'

export const presentThread = (caller: Caller, row: ThreadRow): z.input<typeof SupportThread> => ({
  id: row.id,
  subject: row.subject,
  state: row.state,
  since: row.since.toISOString(),
  createdAt: row.created_at.toISOString(),
  person: named(row.person_id, row.person_name),
  guestEmail: row.guest_email ?? undefined,
  tenant: named(row.tenant_id, row.tenant_name),
  project:
    row.project_id !== null && row.project_title !== null
      ? { id: row.project_id, title: row.project_title }
      : undefined,
  assignee: mayEver(caller.role, 'support.answer') ? named(row.assignee_id, row.assignee_name) : undefined,
  isWithService:
    (mayEver(caller.role, 'support.answer') && row.assignee_id !== null && row.assignee_name === null) || undefined,
  lastWords: row.last_words ?? '',
  lastMessageId: row.last_message_id ?? undefined,
  actions: actsOf(caller, row),
})

export const presentMessage = (caller: Caller, row: MessageRow): z.input<typeof SupportMessage> => ({
  id: row.id,
  kind: row.kind,
  body: row.body,
  at: row.created_at.toISOString(),
  isByStaff: row.by_staff,
  isMine: row.author_id === caller.id,
  author: row.author_name ?? serviceFor(caller, row.by_staff ? row.author_id : null),
  ...(row.kind === 'assigned' ? { isTaken: row.about_id !== null } : {}),
  about: row.about_name ?? serviceFor(caller, row.about_id),
})

// Whose name staff of a company do not reach is one of the service's.
const serviceFor = (caller: Caller, id: string | null): string | undefined =>
  id !== null && mayEver(caller.role, 'support.answer') ? 'Clear to Post' : undefined

const named = (id: string | null, name: string | null) => (id !== null && name !== null ? { id, name } : undefined)
