import type { Role } from '@clear-to-post/domain/roles'
import { sql, type Caller, type Tx } from '../kernel/database.ts'
import { tenantFilter } from '../kernel/tenancy.ts'
import { lockPerson } from './store.ts'

/** What somebody signs in with, and what is demanded of them. */
export type FactorRow = {
  email: string
  name: string
  role: Role
  tenant_demands: boolean
  has_password: boolean
  totp_since: Date | null
  passkeys: number
  recovery_codes: number
}

export const factorsOf = (tx: Tx, personId: string) =>
  tx.first(sql<FactorRow>`
    select p.email, p.name, p.role, coalesce(t.require_second_factor, false) as tenant_demands,
           exists (select from password w where w.person_id = p.id) as has_password,
           (select a.confirmed_at from totp a where a.person_id = p.id) as totp_since,
           (select count(*) from passkey k where k.person_id = p.id) as passkeys,
           (select count(*) from recovery_code r where r.person_id = p.id and r.used_at is null) as recovery_codes
    from person p left join tenant t on t.id = p.tenant_id where p.id = ${personId} and not p.is_disabled`)

/** What somebody signs in with, and when they did last, as far as it is known; for the service. */
export const waysInOf = (tx: Tx, personId: string) =>
  tx.first(sql<{
    role: Role
    tenant_demands: boolean
    has_password: boolean
    has_app: boolean
    passkeys: number
    recovery_codes: number
    providers: string[]
    last_sign_in: Date | null
  }>`
    select p.role, coalesce(t.require_second_factor, false) as tenant_demands,
      exists (select from password w where w.person_id = p.id) as has_password,
      exists (select from totp a where a.person_id = p.id and a.confirmed_at is not null) as has_app,
      (select count(*)::integer from passkey k where k.person_id = p.id) as passkeys,
      (select count(*)::integer from recovery_code r where r.person_id = p.id and r.used_at is null) as recovery_codes,
      array(select c.provider from connected_account c where c.person_id = p.id order by 1) as providers,
      (select max(f.created_at) from session_family f where f.person_id = p.id and not f.is_carried) as last_sign_in
    from person p left join tenant t on t.id = p.tenant_id where p.id = ${personId}`)

/** Whether somebody is within the caller's reach. */
export const isInReach = async (tx: Tx, caller: Caller, personId: string): Promise<boolean> =>
  (await tx.first(sql`
    select from person p where p.id = ${personId} and p.removed_at is null and not p.is_company and ${tenantFilter(caller, sql`p.tenant_id`)}`)) !==
  undefined

/** Replaces an app that was never confirmed. False when there is a confirmed one. */
export const saveTotp = async (tx: Tx, personId: string, secret: Buffer): Promise<boolean> =>
  (await tx.count(sql`
    insert into totp as t (person_id, secret) values (${personId}, ${secret})
    on conflict (person_id) do update set secret = excluded.secret, last_step = 0, created_at = now()
    where t.confirmed_at is null`)) === 1

export const totpOf = (tx: Tx, personId: string) =>
  tx.first(sql<{ secret: Buffer; is_confirmed: boolean }>`
    select secret, confirmed_at is not null as is_confirmed from totp where person_id = ${personId}`)

/** Takes the code of a time step, once: false when it, or a later one, was taken before. */
export const takeStep = async (tx: Tx, personId: string, step: number): Promise<boolean> =>
  (await tx.count(sql`
    update totp set last_step = ${step}, confirmed_at = coalesce(confirmed_at, now())
    where person_id = ${personId} and last_step < ${step}`)) === 1

export const dropTotp = (tx: Tx, personId: string) => tx.count(sql`delete from totp where person_id = ${personId}`)

export type PasskeyRow = {
  id: string
  person_id: string
  credential: string
  public_key: Buffer
  counter: number
  transports: string[]
  name: string
  created_at: Date
  last_used_at: Date | null
}

/** The columns of a PasskeyRow; `k` is the alias of passkey. */
const passkeyRow = sql`k.id, k.person_id, k.credential, k.public_key, k.counter, k.transports, k.name, k.created_at, k.last_used_at`

export const passkeysOf = (tx: Tx, personId: string) =>
  tx.rows(
    sql<PasskeyRow>`select ${passkeyRow} from passkey k where k.person_id = ${personId} order by k.created_at, k.id`,
  )

/** Locked after its person: an authenticator's counter goes up one use after the other. */
export const lockPasskey = async (tx: Tx, credential: string) => {
  const owner = await tx.first(sql<{ person_id: string }>`
    select person_id from passkey where credential = ${credential}`)
  if (!owner) return undefined
  await lockPerson(tx, owner.person_id)
  return tx.first(
    sql<PasskeyRow>`select ${passkeyRow} from passkey k where k.credential = ${credential} for no key update`,
  )
}

/** False when some account has this very credential. */
export const addPasskey = async (
  tx: Tx,
  p: Pick<PasskeyRow, 'person_id' | 'credential' | 'public_key' | 'counter' | 'transports' | 'name'>,
): Promise<boolean> =>
  (await tx.count(sql`
    insert into passkey (person_id, credential, public_key, counter, transports, name)
    values (${p.person_id}, ${p.credential}, ${p.public_key}, ${p.counter}, ${p.transports}, ${p.name})
    on conflict do nothing`)) === 1

export const usePasskey = (tx: Tx, id: string, counter: number) =>
  tx.count(sql`update passkey set counter = ${counter}, last_used_at = now() where id = ${id}`)

export const dropPasskey = (tx: Tx, personId: string, id: string) =>
  tx.count(sql`delete from passkey where person_id = ${personId} and id = ${id}`)

export const replaceRecoveryCodes = async (tx: Tx, personId: string, hashes: readonly Buffer[]) => {
  await dropRecoveryCodes(tx, personId)
  await tx.count(sql`
    insert into recovery_code (person_id, hash) select ${personId}, unnest(${hashes as Buffer[]}::bytea[])`)
}

/** One statement, so that of any number of parallel tries exactly one gets the code. */
export const useRecoveryCode = async (tx: Tx, personId: string, hash: Buffer): Promise<boolean> =>
  (await tx.count(sql`
    update recovery_code set used_at = now() where person_id = ${personId} and hash = ${hash} and used_at is null`)) ===
  1

export const dropRecoveryCodes = (tx: Tx, personId: string) =>
  tx.count(sql`delete from recovery_code where person_id = ${personId}`)

export const dropFactors = async (tx: Tx, personId: string) => {
  await dropTotp(tx, personId)
  await tx.count(sql`delete from passkey where person_id = ${personId}`)
  await dropRecoveryCodes(tx, personId)
}

export const addOAuthFlow = (
  tx: Tx,
  w: { id: string; state: Buffer; browser: Buffer; provider: string },
  minutes: number,
) =>
  tx.count(sql`
    insert into provider_walk (id, state, browser, provider, ends_at)
    values (${w.id}, ${w.state}, ${w.browser}, ${w.provider}, now() + make_interval(mins => ${minutes}))`)

/** The flow of this state and this browser, once. */
export const redeemOAuthFlow = (tx: Tx, state: Buffer, browser: Buffer) =>
  tx.first(sql<{ id: string; provider: string }>`
    update provider_walk set used_at = now()
    where state = ${state} and browser = ${browser} and used_at is null and ends_at > now()
    returning id, provider`)

export const connectedPerson = async (tx: Tx, issuer: string, subject: string): Promise<string | null> =>
  (
    await tx.first(sql<{ person_id: string }>`
    select person_id from connected_account where issuer = ${issuer} and subject = ${subject}`)
  )?.person_id ?? null

/** False when the provider's account is another person's, or the person has another account of that provider. */
export const connect = async (
  tx: Tx,
  c: { issuer: string; subject: string; personId: string; provider: string; email: string | null },
): Promise<boolean> =>
  (await tx.count(sql`
    insert into connected_account (issuer, subject, person_id, provider, email)
    values (${c.issuer}, ${c.subject}, ${c.personId}, ${c.provider}, ${c.email})
    on conflict do nothing`)) === 1

export const connectionsOf = (tx: Tx, personId: string) =>
  tx.rows(sql<{ provider: string; email: string | null; issuer: string }>`
    select provider, email, issuer from connected_account where person_id = ${personId}`)

export const disconnect = (tx: Tx, personId: string, provider: string) =>
  tx.count(sql`delete from connected_account where person_id = ${personId} and provider = ${provider}`)

/** Ends a connection that was made before `at`, and answers whose it was: an old notice ends no newer one. */
export const disconnectClosed = async (tx: Tx, issuer: string, subject: string, at: Date): Promise<string | null> =>
  (
    await tx.first(sql<{ person_id: string }>`
    delete from connected_account where issuer = ${issuer} and subject = ${subject} and connected_at < ${at}
    returning person_id`)
  )?.person_id ?? null
