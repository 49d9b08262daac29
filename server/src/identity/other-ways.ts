import type { OtherWay } from '@clear-to-post/contract/accounts'
import { providers as names, type Provider } from '@clear-to-post/contract/identity'
import { sql, type Tx } from '../kernel/database.ts'
import { disconnect, dropPasskey, dropRecoveryCodes, dropTotp } from './factor-store.ts'

/**
 * What signs a person in beside their password, sorted by whether it was there before their address was verified (all of
 * it, where it never was). That could be a stranger's, who opened an account on somebody's address, and is taken away; the
 * rest is theirs and stays (decision 0240). Runs as the service.
 */
export const dropUnprovenWays = async (
  tx: Tx,
  personId: string,
): Promise<{ kept: OtherWay[]; removed: OtherWay[] }> => {
  const ways = await tx.rows(sql<{ kind: OtherWay['kind']; id: string; name: string; is_unproven: boolean }>`
    select way.kind, way.id, way.name, way.added_at < coalesce(p.email_verified_at, 'infinity') as is_unproven
    from person p cross join lateral (
      select 'passkey' as kind, k.id::text as id, k.name, k.created_at as added_at from passkey k where k.person_id = p.id
      union all
      select 'authenticator', '', '', t.created_at from totp t where t.person_id = p.id and t.confirmed_at is not null
      union all
      select 'provider', c.provider, coalesce(c.email, ''), c.connected_at from connected_account c where c.person_id = p.id
    ) way where p.id = ${personId} order by way.added_at, way.id`)
  const removed = ways.filter(({ is_unproven }) => is_unproven)
  for (const { kind, id } of removed) {
    if (kind === 'passkey') await dropPasskey(tx, personId, id)
    else if (kind === 'authenticator') await dropTotp(tx, personId)
    else await disconnect(tx, personId, id)
  }
  const kept = ways.filter(({ is_unproven }) => !is_unproven)
  if (!kept.some(({ kind }) => kind !== 'provider')) await dropRecoveryCodes(tx, personId)
  return { kept: kept.map(named), removed: removed.map(named) }
}

const named = ({ kind, id, name }: { kind: OtherWay['kind']; id: string; name: string }): OtherWay => {
  if (kind === 'passkey') return { kind, name: `Passkey “${name}”` }
  if (kind === 'authenticator') return { kind, name: 'Authenticator app' }
  const provider = names[id as Provider]
  return { kind, name: name === '' ? provider : `${provider} (${name})` }
}
