import type { RawBuilder } from 'kysely'
import { connectsFor } from '@clear-to-post/domain/access'
import type { Network } from '@clear-to-post/domain/networks'
import { sql, type Caller, type Reader, type Tx } from '../kernel/database.ts'
import { hasDutySql } from '../kernel/domain-sql.ts'

export type ConnectionRow = {
  id: string
  /** Whose own it is; null where it is a company's. */
  user_id: string | null
  tenant_id: string | null
  network: Network
  account_id: string
  name: string
  tokens: string | null
  ends_at: Date | null
  state: 'active' | 'needs-sign-in' | 'disconnected'
  connected_at: Date
}
const connectionColumns = sql`
  c.id, c.user_id, c.tenant_id, c.network, c.account_id, c.name, c.tokens, c.ends_at, c.state, c.connected_at`

/** Whoever connects accounts: a person for themselves, or an ADMIN for their company. */
export type Holder = Pick<Caller, 'id' | 'role' | 'tenantId'>
const isForCompany = (holder: Holder): boolean => connectsFor(holder) === 'company'

/** The accounts that somebody connects, ends and renews: their own, or those of the company whose ADMIN they are. */
const heldBy = (holder: Holder): RawBuilder<unknown> =>
  isForCompany(holder)
    ? sql`(/* wall */ c.tenant_id = ${holder.tenantId}::uuid)`
    : sql`(/* wall */ c.user_id = ${holder.id}::uuid)`

// Those, and their own of before: whoever films no longer posts with them no more, and still ends them.
const endedBy = (holder: Holder): RawBuilder<unknown> =>
  sql`(${heldBy(holder)} or (/* wall */ c.user_id = ${holder.id}::uuid))`

// The company whose accounts an officer posts with, where it lets them.
const letBy = ({ id, tenantId }: Holder): RawBuilder<unknown> => sql`
  (/* wall */ c.tenant_id = ${tenantId}::uuid) and exists (
    select from connection_officer o where o.connection_id = c.id and (/* wall */ o.user_id = ${id}::uuid))`

export const connectionById = (tx: Reader, id: string) =>
  tx.first(sql<ConnectionRow & { access_ends_at: Date | null }>`
    select ${connectionColumns}, c.access_ends_at from connection c where c.id = ${id}`)

/** Whoever gets it refreshes the tokens, and nobody else until then. */
export const claimRefresh = async (tx: Tx, id: string, tokens: string, now: Date, until: Date): Promise<boolean> =>
  (await tx.count(sql`
    update connection set refreshing_until = ${until}
    where id = ${id} and tokens = ${tokens} and (refreshing_until is null or refreshing_until <= ${now})`)) === 1

export const saveTokens = (
  tx: Tx,
  id: string,
  { tokens, accessEndsAt, endsAt, now }: { tokens: string; accessEndsAt: Date | null; endsAt: Date | null; now: Date },
) =>
  tx.count(sql`
    update connection set tokens = ${tokens}, access_ends_at = ${accessEndsAt}, ends_at = ${endsAt}, state = 'active',
      refreshing_until = null, told_days = null, modified_at = ${now}
    where id = ${id} and state <> 'disconnected'`)

/** Its owner has to sign in anew; unless somebody has brought other tokens meanwhile. */
export const markNeedsSignIn = (tx: Tx, id: string, tokens: string, now: Date) =>
  tx.count(sql`
    update connection set state = 'needs-sign-in', refreshing_until = null, modified_at = ${now}
    where id = ${id} and tokens = ${tokens} and state = 'active'`)

export const endRefresh = (tx: Tx, id: string) =>
  tx.count(sql`update connection set refreshing_until = null where id = ${id}`)

/** An account that this person, or the company whose ADMIN they are, connected; locked, though posts are made of it meanwhile. */
export const heldConnection = (tx: Tx, holder: Holder, id: string) =>
  tx.first(sql<ConnectionRow>`
    select ${connectionColumns} from connection c
    where c.id = ${id} and ${heldBy(holder)} and c.state <> 'disconnected' for no key update`)

/** The same, or their own of before. */
export const endableConnection = (tx: Tx, holder: Holder, id: string) =>
  tx.first(sql<ConnectionRow>`
    select ${connectionColumns} from connection c
    where c.id = ${id} and ${endedBy(holder)} and c.state <> 'disconnected' for no key update`)

/** What somebody connected for themselves, also before they became something else. */
export const ownConnections = (tx: Reader, { id }: Holder) =>
  tx.rows(sql<ConnectionRow>`
    select ${connectionColumns} from connection c
    where (/* wall */ c.user_id = ${id}::uuid) and c.state <> 'disconnected' order by c.network, c.name, c.id`)

export const heldConnections = (tx: Reader, holder: Holder) =>
  tx.rows(sql<ConnectionRow>`
    select ${connectionColumns} from connection c
    where ${heldBy(holder)} and c.state <> 'disconnected' order by c.network, c.name, c.id`)

/** The accounts of their company that this officer posts with. */
export const companysConnections = (tx: Reader, officer: Holder) =>
  tx.rows(sql<ConnectionRow>`
    select ${connectionColumns} from connection c
    where ${letBy(officer)} and c.state <> 'disconnected' order by c.network, c.name, c.id`)

/**
 * An account that this officer posts with: their own, or their company's that lets them. It stays so while the transaction lasts:
 * whoever takes the right away waits, and finds what was made with it.
 */
export const usableConnection = async (tx: Tx, officer: Holder, id: string): Promise<ConnectionRow | undefined> =>
  (await heldConnection(tx, officer, id)) ??
  tx.first(sql<ConnectionRow>`
    select ${connectionColumns} from connection c join connection_officer o on o.connection_id = c.id
    where c.id = ${id} and (/* wall */ c.tenant_id = ${officer.tenantId}::uuid) and (/* wall */ o.user_id = ${officer.id}::uuid)
      and c.state <> 'disconnected' for share of o`)

/** A company's own officers, those who post with this account first; at most `most` whose name holds `search`. */
export const officersOf = (tx: Reader, admin: Holder, connectionId: string, search: string, most: number) =>
  tx.rows(sql<{ id: string; name: string; email: string; may_post: boolean }>`
    select p.id, p.name, p.email, o.user_id is not null as may_post
    from person p left join connection_officer o on o.user_id = p.id and o.connection_id = ${connectionId}
    where (/* wall */ p.tenant_id = ${admin.tenantId}::uuid) and ${hasDutySql(sql`p.role`, 'film')} and not p.is_disabled
      and p.removed_at is null and (p.email_verified_at is not null or o.user_id is not null)
      and (${search} = '' or strpos(lower(p.name), lower(${search})) > 0 or strpos(lower(p.email), lower(${search})) > 0)
    order by may_post desc, p.name, p.id limit ${most}`)

/** Somebody of this company, and whether they film for it: who has not shown that the address is theirs does not yet. */
export const personOf = (tx: Tx, admin: Holder, id: string) =>
  tx.first(sql<{ id: string; name: string; email: string; is_officer: boolean }>`
    select p.id, p.name, p.email, (${hasDutySql(sql`p.role`, 'film')} and not p.is_disabled and p.removed_at is null
      and p.email_verified_at is not null) as is_officer
    from person p where p.id = ${id} and (/* wall */ p.tenant_id = ${admin.tenantId}::uuid) and not p.is_company`)

/** Lets an officer of this company post with its account. */
export const letPost = (tx: Tx, admin: Holder, connectionId: string, officerId: string, now: Date) =>
  tx.count(sql`
    insert into connection_officer (connection_id, user_id, tenant_id, allowed_at)
    values (${connectionId}, ${officerId}, ${admin.tenantId}, ${now}) on conflict do nothing`)

/** Ends it; of one officer, or of all of them. */
export const endPosting = (tx: Tx, admin: Holder, connectionId: string, officerId: string | null) =>
  tx.count(sql`
    delete from connection_officer o
    where o.connection_id = ${connectionId} and (/* wall */ o.tenant_id = ${admin.tenantId}::uuid)
      and (${officerId}::uuid is null or o.user_id = ${officerId}::uuid)`)

/** Who hears of an account: whose own it is, or its company's ADMINs. */
export const holdersOf = async (tx: Reader, row: Pick<ConnectionRow, 'user_id' | 'tenant_id'>): Promise<string[]> =>
  row.user_id !== null
    ? [row.user_id]
    : (
        await tx.rows(sql<{ id: string }>`
          select p.id from person p
          where p.tenant_id = ${row.tenant_id} and ${hasDutySql(sql`p.role`, 'administer')} and not p.is_disabled
          order by p.created_at limit 50`)
      ).map(({ id }) => id)

export const addOAuthFlow = async (
  tx: Tx,
  holder: Holder,
  flow: { stateHash: Buffer; network: Network; verifier: string; endsAt: Date },
) => {
  await tx.count(sql`delete from connection_walk where user_id = ${holder.id} and network = ${flow.network}`)
  await tx.count(sql`
    insert into connection_walk (state_hash, user_id, tenant_id, network, verifier, ends_at)
    values (${flow.stateHash}, ${holder.id}, ${isForCompany(holder) ? holder.tenantId : null}::uuid, ${flow.network},
      ${flow.verifier}, ${flow.endsAt})`)
}

/** The way that this person went, once; for the company whose ADMIN they still are, or for themselves. */
export const takeOAuthFlow = (tx: Tx, holder: Holder, stateHash: Buffer, now: Date) =>
  tx.first(sql<{ network: Network; verifier: string }>`
    delete from connection_walk where state_hash = ${stateHash} and user_id = ${holder.id} and ends_at > ${now}
      and tenant_id is not distinct from ${isForCompany(holder) ? holder.tenantId : null}::uuid
    returning network, verifier`)

type Found = { network: Network; accountId: string; name: string; now: Date }
/** The id of this holder's account at a network, connected before or not; it is locked. */
export const connectionIdFor = async (
  tx: Tx,
  holder: Holder,
  { network, accountId, name, now }: Found,
): Promise<string> =>
  (await (isForCompany(holder)
    ? tx.first(sql<{ id: string }>`
        insert into connection (tenant_id, network, account_id, name, connected_at, modified_at)
        values (${holder.tenantId}, ${network}, ${accountId}, ${name}, ${now}, ${now})
        on conflict (tenant_id, network, account_id) where tenant_id is not null
          do update set name = excluded.name, state = 'active', connected_at = excluded.connected_at
        returning id`)
    : tx.first(sql<{ id: string }>`
        insert into connection (user_id, network, account_id, name, connected_at, modified_at)
        values (${holder.id}, ${network}, ${accountId}, ${name}, ${now}, ${now})
        on conflict (user_id, network, account_id)
          do update set name = excluded.name, state = 'active', connected_at = excluded.connected_at
        returning id`)))!.id

/** Ends it: the row stays without keys, for the posts that name it and the others that it came with (`dropDisconnected`). */
export const dropConnection = async (tx: Tx, holder: Holder, id: string, now: Date) => {
  await tx.count(sql`
    update connection c set state = 'disconnected', tokens = null, modified_at = ${now}
    where c.id = ${id} and ${endedBy(holder)}`)
}

/**
 * Accounts that were disconnected a day ago and that no post names: nothing is left of them. Until then their row says with which
 * others they came, whose keys end with theirs. Answers how many.
 */
export const dropDisconnected = (tx: Tx, now: Date): Promise<number> =>
  tx.count(sql`
    delete from connection c where c.state = 'disconnected' and c.modified_at <= ${new Date(now.getTime() - 86_400_000)}
      and not exists (select from post p where p.connection_id = c.id)`)

/** Whether anybody's connection to one of these accounts stands. */
export const isConnected = async (tx: Reader, network: Network, accountIds: readonly string[]): Promise<boolean> =>
  (await tx.first(sql`
    select from connection where network = ${network} and account_id = any(${accountIds}::text[])
      and state <> 'disconnected' limit 1`)) !== undefined

/** Whether other accounts came by the same way as this one, and stand: they have the same keys. */
export const sharesGrant = async (tx: Reader, row: ConnectionRow): Promise<boolean> =>
  (await tx.first(sql`
    select from connection where network = ${row.network} and id <> ${row.id} and state <> 'disconnected'
      and user_id is not distinct from ${row.user_id}::uuid and tenant_id is not distinct from ${row.tenant_id}::uuid
      and connected_at = (select c.connected_at from connection c where c.id = ${row.id}) limit 1`)) !== undefined

/** Connections that end within these days and whose owner was not told so yet; marked as told. */
export const endingConnections = (tx: Tx, days: number, now: Date) =>
  tx.rows(sql<{
    id: string
    user_id: string | null
    tenant_id: string | null
    network: Network
    name: string
    ends_at: Date
  }>`
    update connection set told_days = ${days}
    where state = 'active' and ends_at is not null and ends_at <= ${new Date(now.getTime() + days * 86_400_000)}
      and ends_at > ${now} and (told_days is null or told_days > ${days})
    returning id, user_id, tenant_id, network, name, ends_at`)

export const dropEndedOAuthFlows = (tx: Tx, now: Date) =>
  tx.count(sql`delete from connection_walk where ends_at <= ${now}`)
