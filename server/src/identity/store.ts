import type { JWK } from 'jose'
import type { SessionEnd } from '@clear-to-post/domain/session-ends'
import { sql, type Caller, type Reader, type Tx } from '../kernel/database.ts'
import { addressesOf, isTo, type RemovedPerson } from '../kernel/personal-data.ts'

/** A person who may sign in; undefined for an unknown or disabled one. */
export const sessionPerson = (tx: Reader, personId: string) =>
  tx.first(sql<Caller>`
    select id, role, tenant_id as "tenantId", security_stamp as "securityStamp" from person where id = ${personId} and not is_disabled`)

/** The person of an address with the password's hash; null when they have none (they came by another way). */
export const credentialsOf = (tx: Tx, email: string) =>
  tx.first(sql<Caller & { hash: string | null }>`
    select p.id, p.role, p.tenant_id as "tenantId", p.security_stamp as "securityStamp", w.hash
    from person p left join password w on w.person_id = p.id
    where p.email = ${email} and not p.is_disabled`)

/** Is this still the hash of the person's password? */
export const hasPasswordHash = async (tx: Tx, personId: string, hash: string): Promise<boolean> =>
  (await tx.first(sql`select 1 from password where person_id = ${personId} and hash = ${hash}`)) !== undefined

export const savePassword = (tx: Tx, personId: string, hash: string) =>
  tx.count(sql`
    insert into password (person_id, hash) values (${personId}, ${hash})
    on conflict (person_id) do update set hash = excluded.hash, changed_at = now()`)

/** Which of their passwords, one after the other, a person has; null for who has none. */
export const passwordSince = async (tx: Tx, personId: string): Promise<string | null> =>
  (
    await tx.first(sql<{ since: string }>`
      select extract(epoch from changed_at)::text as since from password where person_id = ${personId}`)
  )?.since ?? null

/** Whether this person has confirmed their address and has no second factor, so that a right password is a whole sign-in. */
export const isWholeByPassword = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.first(sql`
    select 1 from person p where p.id = ${id} and p.email_verified_at is not null and not p.is_disabled
      and not exists (select from totp a where a.person_id = p.id and a.confirmed_at is not null)
      and not exists (select from passkey k where k.person_id = p.id)`)) !== undefined

/** Counts one try for an account before it is judged, so that parallel tries cannot share one. Answers the tries of the window. */
export const countTry = async (tx: Tx, account: Buffer, minutes: number): Promise<number> =>
  (await tx.first(sql<{ tries: number }>`
    insert into sign_in_try as t (account, tries, since, ends_at)
    values (${account}, 1, clock_timestamp(), clock_timestamp() + make_interval(mins => ${minutes}))
    on conflict (account) do update set
      tries = case when t.since < now() - make_interval(mins => ${minutes}) then 1 else t.tries + 1 end,
      since = case when t.since < now() - make_interval(mins => ${minutes}) then excluded.since else t.since end,
      ends_at = case when t.since < now() - make_interval(mins => ${minutes}) then excluded.ends_at else t.ends_at end
    returning tries`))!.tries

/** The tries that an account has made in the window. */
export const triesOf = async (tx: Tx, account: Buffer, minutes: number): Promise<number> =>
  (
    await tx.first(sql<{ tries: number }>`
      select tries from sign_in_try where account = ${account} and since >= now() - make_interval(mins => ${minutes})`)
  )?.tries ?? 0

/** Whether this is the address of an account that has confirmed it. */
export const isConfirmedAddress = async (tx: Tx, email: string): Promise<boolean> =>
  (await tx.first(sql`
    select 1 from person where email = ${email} and email_verified_at is not null and not is_disabled`)) !== undefined

/** Whose address this is, and whether they have confirmed it; undefined for nobody's, or a disabled person's. */
export const ownerOfAddress = (tx: Tx, email: string) =>
  tx.first(sql<{ id: string; is_confirmed: boolean }>`
    select id, email_verified_at is not null as is_confirmed from person where email = ${email} and not is_disabled`)

/** Whether this person has confirmed their address. */
export const isConfirmedPerson = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.first(sql`
    select 1 from person where id = ${id} and email_verified_at is not null and not is_disabled`)) !== undefined

export const forgetTries = (tx: Tx, account: Buffer) =>
  tx.count(sql`delete from sign_in_try where account = ${account}`)

/** Where a session was carried from: the sign-in (null: an ID token alone), and when it ends at the latest. */
export type Origin = { familyId: string | null; mustEndAt: Date }

/** A family ends after `idleDays` unless it is used, and in any case when its origin does (null: after `mostDays`). */
export const addFamily = async (
  tx: Tx,
  f: { personId: string; idleDays: number; mostDays: number; origin: Origin | null },
) =>
  (await tx.first(sql<{ id: string; must_end_at: Date }>`
    insert into session_family (person_id, ends_at, must_end_at, is_carried, carried_from)
    select ${f.personId}, least(now() + make_interval(days => ${f.idleDays}), must_end_at), must_end_at,
           ${f.origin !== null}, ${f.origin?.familyId ?? null}
    from (select coalesce(${f.origin?.mustEndAt ?? null}::timestamptz, now() + make_interval(days => ${f.mostDays})) as must_end_at) as its
    returning id, must_end_at`))!

/**
 * Did this person sign in within the last `minutes`, with the session of this refresh token, and on this very device? A token
 * that was exchanged more than `graceSeconds` ago shows nothing.
 */
export const isFreshFamily = async (
  tx: Tx,
  tokenHash: Buffer,
  personId: string,
  { minutes, graceSeconds }: { minutes: number; graceSeconds: number },
): Promise<boolean> =>
  (await tx.first(sql`
    select 1 from session_family f join refresh_token t on t.family_id = f.id
    where t.hash = ${tokenHash} and f.person_id = ${personId} and f.revoked_at is null and f.ends_at > now()
      and (t.rotated_at is null or t.rotated_at > clock_timestamp() - make_interval(secs => ${graceSeconds}))
      and not f.is_carried and f.created_at > now() - make_interval(mins => ${minutes})`)) !== undefined

/** The live family of this person's refresh token; none for a token that was exchanged more than `graceSeconds` ago. */
export const liveFamily = (tx: Tx, tokenHash: Buffer, personId: string, graceSeconds: number) =>
  tx.first(sql<{ id: string; must_end_at: Date; is_carried: boolean }>`
    select f.id, f.must_end_at, f.is_carried from session_family f join refresh_token t on t.family_id = f.id
    where t.hash = ${tokenHash} and f.person_id = ${personId} and f.revoked_at is null and f.ends_at > now()
      and (t.rotated_at is null or t.rotated_at > clock_timestamp() - make_interval(secs => ${graceSeconds}))`)

/** The family of a refresh token, locked after its person: its tokens are exchanged one after the other. */
export const lockFamily = async (tx: Tx, tokenHash: Buffer) => {
  const owner = await tx.first(sql<{ person_id: string }>`
    select f.person_id from session_family f join refresh_token t on t.family_id = f.id where t.hash = ${tokenHash}`)
  if (!owner) return undefined
  await lockPerson(tx, owner.person_id)
  return tx.first(sql<{ id: string; person_id: string; must_end_at: Date; is_live: boolean }>`
    select id, person_id, must_end_at, revoked_at is null and ends_at > now() as is_live from session_family
    where id = (select family_id from refresh_token where hash = ${tokenHash}) for no key update`)
}

/** Read after the family is locked, so that a parallel exchange is seen. */
export const refreshToken = (tx: Tx, hash: Buffer, graceSeconds: number) =>
  tx.first(sql<{ salt: Buffer | null; askers: Buffer[]; is_rotated: boolean; in_grace: boolean }>`
    select salt, array_remove(array[asked_by, asked_before], null) as askers, rotated_at is not null as is_rotated,
           coalesce(rotated_at > clock_timestamp() - make_interval(secs => ${graceSeconds}), false) as in_grace
    from refresh_token where hash = ${hash}`)

export const addRefreshToken = (tx: Tx, familyId: string, hash: Buffer) =>
  tx.count(sql`insert into refresh_token (hash, family_id) values (${hash}, ${familyId})`)

/** `askedBy`: the hash of the secret of who exchanged it; null for who has none. */
export const markRotated = (tx: Tx, hash: Buffer, salt: Buffer, askedBy: Buffer | null) =>
  tx.count(sql`
    update refresh_token set rotated_at = clock_timestamp(), salt = ${salt}, asked_by = ${askedBy} where hash = ${hash}`)

/** Its answer was given again, to who showed the secret of the hash `shown`. `askedBy`: the hash of their next one, if they have one. */
export const answeredAgain = (tx: Tx, hash: Buffer, shown: Buffer, askedBy: Buffer | null) =>
  tx.count(sql`
    update refresh_token set asked_before = ${shown}, asked_by = coalesce(${askedBy}::bytea, asked_by) where hash = ${hash}`)

/** A family that is used goes on for another `idleDays`, but never beyond its last day. */
export const prolongFamily = (tx: Tx, familyId: string, idleDays: number) =>
  tx.count(sql`
    update session_family
    set ends_at = least(now() + make_interval(days => ${idleDays}), must_end_at)
    where id = ${familyId}`)

/** Ends a session and, however far, what was carried from it: sessions on other devices, and tokens on their way there. */
export const revokeFamily = async (tx: Tx, familyId: string): Promise<void> => {
  const branch = sql`
    with recursive branch as (
      select ${familyId}::uuid as id
      union all
      select f.id from session_family f join branch on f.carried_from = branch.id)`
  await tx.count(sql`${branch} delete from one_time_token t using branch
    where t.carried_from = branch.id and t.redeemed_at is null`)
  await tx.count(sql`${branch} update session_family f set revoked_at = now() from branch
    where f.id = branch.id and f.revoked_at is null`)
  await tx.count(sql`${branch} update person p set fcm_token = null, fcm_family_id = null from branch
    where p.fcm_family_id = branch.id`)
}

/** The sessions that were carried to this person's other devices, and a phone that was named in one. */
export const revokeCarried = async (tx: Tx, personId: string): Promise<void> => {
  await tx.count(sql`
    update session_family set revoked_at = now() where person_id = ${personId} and is_carried and revoked_at is null`)
  await tx.count(sql`
    update person set fcm_token = null, fcm_family_id = null
    where id = ${personId} and fcm_family_id in (select id from session_family where person_id = ${personId} and is_carried)`)
}

export const revokeFamilies = (tx: Tx, personId: string) =>
  tx.count(sql`update session_family set revoked_at = now() where person_id = ${personId} and revoked_at is null`)

/** From now on no ID token that was signed before counts for this person, and no key of theirs, which keeps why. */
export const renewSecurityStamp = (tx: Tx, personId: string, why: SessionEnd) =>
  tx.count(sql`
    with why as materialized (select set_config('app.session_end', ${why}, true) as said)
    update person set security_stamp = security_stamp + 1 from why where id = ${personId} and why.said <> ''`)

/**
 * The same after a theft of this session; of the keys only those end that may have been made with it: the trigger of the stamp reads
 * which session it was (migration 0520).
 */
export const endAsStolen = async (tx: Tx, personId: string, familyId: string): Promise<void> => {
  await tx.count(sql`select set_config('app.stolen_session', ${familyId}, true)`)
  await renewSecurityStamp(tx, personId, 'stolen')
}

/** A phone that was signed out rings no more. */
export const dropPhone = (tx: Tx, personId: string) =>
  tx.count(sql`update person set fcm_token = null, fcm_family_id = null where id = ${personId}`)

export const addOneTimeToken = (tx: Tx, hash: Buffer, purpose: string, personId: string, minutes: number) =>
  tx.count(sql`
    insert into one_time_token (hash, purpose, person_id, ends_at)
    values (${hash}, ${purpose}, ${personId}, now() + make_interval(mins => ${minutes}))`)

/** Locks its person before the token. Of any number of parallel tries exactly one gets the row. */
export const redeemOneTimeToken = async (tx: Tx, hash: Buffer, purposes: readonly string[]) => {
  const owner = await tx.first(sql<{ person_id: string | null }>`
    select person_id from one_time_token where hash = ${hash} and redeemed_at is null`)
  if (!owner?.person_id) return undefined
  await lockPerson(tx, owner.person_id)
  return tx.first(sql<{
    person_id: string
    purpose: string
    session_ends_at: Date | null
    carried_from: string | null
  }>`
    update one_time_token set redeemed_at = now()
    where hash = ${hash} and purpose = any(${purposes}) and redeemed_at is null and ends_at > now()
      and person_id is not null
    returning person_id, purpose, session_ends_at, carried_from`)
}

/** Whose token this is; it stays good. */
export const liveOneTimeToken = (tx: Tx, hash: Buffer, purpose: string) =>
  tx.first(sql<{ person_id: string }>`
    select person_id from one_time_token
    where hash = ${hash} and purpose = ${purpose} and redeemed_at is null and ends_at > now() and person_id is not null`)

/** A token that is nobody's in particular, such as the question that a passkey answers. */
export const addAnonymousToken = (tx: Tx, hash: Buffer, purpose: string, minutes: number) =>
  tx.count(sql`
    insert into one_time_token (hash, purpose, ends_at)
    values (${hash}, ${purpose}, now() + make_interval(mins => ${minutes}))`)

export const redeemAnonymousToken = async (tx: Tx, hash: Buffer, purpose: string): Promise<boolean> =>
  (await tx.count(sql`
    update one_time_token set redeemed_at = now()
    where hash = ${hash} and purpose = ${purpose} and redeemed_at is null and ends_at > now() and person_id is null`)) ===
  1

/** What codes and hand-over tokens are computed from, with the id of their row. */
export const oneTimeSecret = async (tx: Tx): Promise<Buffer> =>
  (await tx.first(sql<{ value: Buffer }>`select value from service_secret where name = 'one-time'`))!.value

/**
 * Two calls of one person at the same moment come one after the other. Whatever opens, carries or ends sessions locks the
 * person first, then families and tokens, so that nobody waits in a circle and nothing is opened beside what ends it.
 */
export const lockPerson = (tx: Tx, personId: string) =>
  tx.first(sql`select 1 from person where id = ${personId} for no key update`)

export type HandOverRow = { id: string; ends_at: Date }

/** A person has one hand-over token at a time; the session that it opens ends with its origin at the latest. */
export const replaceHandOver = async (
  tx: Tx,
  h: { id: string; hash: Buffer; personId: string; minutes: number; origin: Origin },
) => {
  await tx.count(sql`
    delete from one_time_token where person_id = ${h.personId} and purpose = 'hand-over' and redeemed_at is null`)
  return (await tx.first(sql<HandOverRow>`
    insert into one_time_token (id, hash, purpose, person_id, ends_at, session_ends_at, carried_from)
    values (${h.id}, ${h.hash}, 'hand-over', ${h.personId}, now() + make_interval(mins => ${h.minutes}),
            ${h.origin.mustEndAt}, ${h.origin.familyId})
    returning id, ends_at`))!
}

/** The token that is good, as far as its session ends no later than `before`. */
export const liveHandOver = (tx: Tx, personId: string, before: Date) =>
  tx.first(sql<HandOverRow>`
    select id, ends_at from one_time_token
    where person_id = ${personId} and purpose = 'hand-over' and redeemed_at is null and ends_at > now()
      and session_ends_at <= ${before}
    order by created_at desc, id desc limit 1`)

export type CodeRow = {
  id: string
  purpose: 'password' | 'address'
  person_id: string | null
  /** Wrong guesses that networks other than the asking one have left together. */
  tries_left: number
  asked_by: string | null
  /** Wrong guesses by network. */
  guesses: Record<string, number>
  is_redeemed: boolean
}

/**
 * An address has one code at a time: the newest. It is its person's where the address has one, else nobody's; the same
 * statements run either way.
 */
export const replaceCode = async (
  tx: Tx,
  c: { id: string; hash: Buffer; email: string; minutes: number; tries: number; askedBy: string },
) => {
  await tx.count(sql`
    delete from one_time_token where email = ${c.email} and purpose in ('password', 'address') and redeemed_at is null`)
  await tx.count(sql`
    insert into one_time_token (id, hash, purpose, person_id, email, created_at, ends_at, tries_left, asked_by)
    select ${c.id}, ${c.hash}, case when p.id is null then 'address' else 'password' end, p.id, ${c.email},
           clock_timestamp(), now() + make_interval(mins => ${c.minutes}), ${c.tries}, ${c.askedBy}
    from (select 1) as always left join person p on p.email = ${c.email}`)
}

/**
 * The code that an address has is good for so many minutes from now, and for twice as many in all; undefined without one. What
 * was sent while the address was nobody's is its person's from now on; what was somebody else's stays as it is.
 */
export const joinCode = (tx: Tx, email: string, minutes: number) =>
  tx.first(sql<{ id: string; asked_by: string | null }>`
    update one_time_token t
    set ends_at = least(t.created_at + make_interval(mins => ${2 * minutes}), now() + make_interval(mins => ${minutes})),
        purpose = case when its.person_id is null then 'address' else 'password' end, person_id = its.person_id
    from (select (select p.id from person p where p.email = ${email}) as person_id) as its
    where t.email = ${email} and t.purpose in ('password', 'address') and t.redeemed_at is null and t.ends_at > now()
      and (t.person_id is null or t.person_id = its.person_id)
    returning t.id, t.asked_by`)

/** The newest code of an address, locked: guesses are judged one after the other. */
export const lockCode = (tx: Tx, email: string) =>
  tx.first(sql<CodeRow>`
    select id, purpose, person_id, tries_left, asked_by, guesses, redeemed_at is not null as is_redeemed from one_time_token
    where email = ${email} and purpose in ('password', 'address') and ends_at > now()
    order by created_at desc, id desc limit 1 for update`)

/** Counts a wrong guess, in the transaction that has locked the code. */
export const countGuess = (tx: Tx, id: string, { guesser, isAsker }: { guesser: string; isAsker: boolean }) =>
  tx.count(sql`
    update one_time_token
    set guesses = jsonb_set(guesses, array[${guesser}], to_jsonb(coalesce((guesses ->> ${guesser})::int, 0) + 1)),
      tries_left = tries_left - ${isAsker ? 0 : 1}
    where id = ${id}`)

/** Answers the address that the code was sent to; undefined when it was used before, or is over. */
export const redeemCodeRow = async (tx: Tx, id: string): Promise<string | undefined> =>
  (
    await tx.first(sql<{ email: string | null }>`
      update one_time_token set redeemed_at = now()
      where id = ${id} and redeemed_at is null and ends_at > now() returning email`)
  )?.email ?? undefined

export const codeById = (tx: Tx, id: string) =>
  tx.first(sql<{ id: string; purpose: 'password' | 'address'; is_verified: boolean }>`
    select t.id, t.purpose, p.email_verified_at is not null as is_verified
    from one_time_token t left join person p on p.id = t.person_id
    where t.id = ${id} and t.purpose in ('password', 'address') and t.redeemed_at is null and t.ends_at > now()`)

/** Set-ups that a sign-in began: with the first factor they are over, whoever holds them. */
export const dropSetUps = (tx: Tx, personId: string) =>
  tx.count(sql`delete from one_time_token where person_id = ${personId} and purpose = 'set-up' and redeemed_at is null`)

export const dropOneTimeTokens = (tx: Tx, personId: string) =>
  tx.count(sql`delete from one_time_token where person_id = ${personId} and redeemed_at is null`)

/** Codes that were sent to an address of somebody’s, whoever asked for them. */
export const dropCodesTo = (tx: Tx, leaving: RemovedPerson) =>
  tx.count(sql`delete from one_time_token t where ${isTo(addressesOf(leaving), sql`t.email`, sql`t.created_at`)}`)

export const dropPassword = (tx: Tx, personId: string) =>
  tx.count(sql`delete from password where person_id = ${personId}`)

/** Everything a person signs in with. */
export const dropCredentials = async (tx: Tx, personId: string) => {
  await dropPassword(tx, personId)
  await tx.count(sql`delete from connected_account where person_id = ${personId}`)
  await tx.count(sql`delete from session_family where person_id = ${personId}`)
  await tx.count(sql`delete from one_time_token where person_id = ${personId}`)
}

export type KeyRow = { kid: string; private_jwk: JWK; public_jwk: JWK; is_retired: boolean }

/** The keys that sign or may still have signed a token that lives, the newest first. */
export const liveKeys = (tx: Tx, keptMinutes: number) =>
  tx.rows(sql<KeyRow>`
    select kid, private_jwk, public_jwk, retired_at is not null as is_retired from signing_key
    where retired_at is null or retired_at > now() - make_interval(mins => ${keptMinutes})
    order by created_at desc, kid`)

/** Until this transaction ends no other one makes or retires a key. */
export const lockKeys = (tx: Tx) => tx.count(sql`select pg_advisory_xact_lock(4172665002)`)

export const retireKeys = (tx: Tx) => tx.count(sql`update signing_key set retired_at = now() where retired_at is null`)

export const addKey = (tx: Tx, { kid, private_jwk, public_jwk }: Omit<KeyRow, 'is_retired'>) =>
  tx.count(sql`
    insert into signing_key (kid, private_jwk, public_jwk)
    values (${kid}, ${JSON.stringify(private_jwk)}, ${JSON.stringify(public_jwk)})`)

/** What nobody needs any more: ended sessions, tokens and counts. */
export const dropEnded = async (tx: Tx): Promise<number> =>
  (await tx.count(sql`delete from provider_walk where ends_at < now() - interval '1 day'`)) +
  (await tx.count(sql`delete from sign_in_try where ends_at < now() - interval '1 day'`)) +
  (await tx.count(sql`delete from one_time_token where ends_at < now() - interval '1 day'`)) +
  // One stays while something that was carried from it does: whoever signs out of it ends that, too.
  (await tx.count(sql`
    delete from session_family f where f.ends_at < now() - interval '1 day'
      and not exists (select from session_family c where c.carried_from = f.id)`))
