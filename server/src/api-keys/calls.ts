import type { z } from 'zod'
import { apiKeys, type ApiKey } from '@clear-to-post/contract/api-keys'
import { scopesOf } from '@clear-to-post/domain/scopes'
import type { Identity } from '../identity/actions.ts'
import { on, onRead, type Mounted } from '../kernel/call.ts'
import { page } from '../kernel/page.ts'
import { makeKey, offeredForCompany, revokeKey } from './actions.ts'
import { keysOf, listColumns, listSelect, type KeyRow } from './store.ts'

export const apiKeysCalls = ({ cookie }: Pick<Identity, 'cookie'>): Mounted[] => [
  onRead(apiKeys.list, async (_input, { tx, caller }) => ({
    items: (await keysOf(tx, caller.id)).map(present),
    offered: scopesOf(caller.role),
    offeredForCompany: offeredForCompany(caller),
  })),
  on(apiKeys.create, async ({ body }, { tx, caller, request }) => {
    const { key, made } = await makeKey(tx, caller, body, cookie.read(request))
    return { key, made: present(made) }
  }),
  on(apiKeys.revoke, async ({ params }, { tx, caller, now }) =>
    present(await revokeKey(tx, caller, params.keyId, now)),
  ),
  onRead(apiKeys.ofCompany, async ({ query }, { tx, caller }) => {
    const { rows, nextCursor } = await page(tx, apiKeys.ofCompany.page, listColumns, query, (parts) =>
      listSelect(caller, parts),
    )
    return {
      items: rows.map((row) => ({
        ...present(row),
        ...(row.company === null
          ? { ownerName: row.owner_name, ownerEmail: row.owner_email }
          : { ownerName: row.company, ownerEmail: '', isCompanys: true }),
      })),
      nextCursor,
    }
  }),
]

const present = (row: KeyRow): z.input<typeof ApiKey> => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  scopes: row.scopes,
  createdAt: row.created_at.toISOString(),
  endsAt: row.ends_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  state: row.state,
})
