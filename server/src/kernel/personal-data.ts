import type { RawBuilder } from 'kysely'
import type { Network } from '@clear-to-post/domain/networks'
import type { ReasonToStay, ReasonToWithhold } from '@clear-to-post/domain/personal-data'
import type { Role } from '@clear-to-post/domain/roles'
import { hasDutySql } from './domain-sql.ts'
import { sql, type Database, type Tx } from './database.ts'

/**
 * What one table holds about people. Columns are named in one text, parted by spaces, each once in `erased` or `stays`
 * and once in `given` or `withheld`; server/test/personal-data.test.ts holds that against the database.
 */
export type TableData = {
  /** The rows that are a person's: an SQL condition on the alias `t`. */
  of: (personId: string) => RawBuilder<unknown>
  /**
   * Who reads the rows for the person's own file: they themselves, so that the database's walls hold there as in every call;
   * or the service, where nobody else may read the table, and `of` alone says whose a row is.
   */
  readBy?: 'service'
  /** Emptied when the person is removed, or gone with their rows. */
  erased?: string
  stays?: Partial<Record<ReasonToStay, string>>
  /** Of whose rows the receipt says that they stay, before a removal and after it, where those are others than `of`. */
  staying?: (personId: string) => RawBuilder<unknown>
  /** The company that a row is of, SQL on the alias `t`: its ADMIN is told that such rows stay. Missing: it is told of none. */
  company?: RawBuilder<unknown>
  /** In the person's own file. */
  given?: string
  withheld?: Partial<Record<ReasonToWithhold, string>>
  /** Parts of columns that are withheld as a whole: name in the file → SQL on the alias `t`. */
  alsoGiven?: Record<string, RawBuilder<unknown>>
}

/** Who is being removed, as their row was. */
export type RemovedPerson = {
  id: string
  email: string
  name: string
  tenantId: string | null
  role: Role
  /**
   * The moment of the removal: what comes to the address later is that of who has it since. Missing in the removal itself, and in
   * removals from before it was noted.
   */
  until?: string
  /** When the last other account ceased to have the address, if one had it: what came before was that one's. */
  since?: string | null
  /** False: nobody knows that the address is theirs, so nothing is erased by it that is older than the account. */
  isConfirmed?: boolean
  /** Missing in removals from before it was noted. */
  formerly?: Formerly
}

/** What somebody was before, as the audit log says it. */
export type Formerly = {
  /** Each with the moment until which what came there was theirs, somebody else may have it since; `since` as of a person. */
  addresses: { email: string; until: string; since?: string | null; isConfirmed: boolean }[]
  names: string[]
  roles: Role[]
}

type Held = { email: string; since: string | null; until: string | null; isConfirmed: boolean }

/**
 * The addresses that are the person's or were, with those of which nobody knows that they are. One that nobody else had has no
 * beginning: a letter, an invitation and a code come before the account has it.
 */
export const addressesOf = ({ email, since, until, isConfirmed = true, formerly }: RemovedPerson): Held[] =>
  [...(formerly?.addresses ?? []), { email, since, until: until ?? null, isConfirmed }].map((address) => ({
    ...address,
    since: address.since ?? null,
  }))

/** Those that are known to be theirs: by another one nothing is erased that is older than the account. */
export const confirmedOf = (leaving: RemovedPerson): Held[] =>
  addressesOf(leaving).filter(({ isConfirmed }) => isConfirmed)

/** For so many minutes a code proves an address: that code came before the address was theirs, and is theirs. */
export const proofMinutes = 10

/** Whether what came to or from `address` at that time was that of who held one of these addresses then. */
export const isTo = (
  held: readonly Pick<Held, 'email' | 'since' | 'until'>[],
  address: RawBuilder<unknown>,
  at: RawBuilder<unknown>,
): RawBuilder<boolean> => sql`exists (
  select from unnest(
    ${held.map(({ email }) => email)}::text[], ${held.map(({ since }) => since)}::timestamptz[],
    ${held.map(({ until }) => until)}::timestamptz[]) as held (email, since, until)
  where held.email = ${address} and (held.until is null or ${at} <= held.until)
    and (held.since is null or ${at} >= held.since - make_interval(mins => ${proofMinutes})))`

/** What lies outside the database, or beside it, and is erased by a job: by ids and sealed keys, never by words a person chose. */
export type ErasureTargets = {
  projectIds: string[]
  /** Of the notices that the person got: what a message to several said of one of them. */
  causes: string[]
  assetIds: string[]
  renderIds: string[]
  mailIds: string[]
  customerIds: string[]
  /** Plans of those customers that end by themselves; missing in removals from before it was noted. */
  subscriptionIds?: string[]
  exportIds: string[]
  /** What the person had allowed at networks and has not ended yet, each with a job of its own; missing in removals from before it was noted. */
  grants?: AllowedAtNetwork[]
}

/** The accounts that came by one way to a network and back, with their sealed keys. It is asked to end that until this moment. */
export type AllowedAtNetwork = {
  network: Network
  accounts: { connectionId: string; accountId: string; tokens: string }[]
  until: string
}

/** What one room holds about people, and how it lets go of it. */
export type RoomData = {
  tables: Record<string, TableData>
  /** What is erased, in words for the person; `for`: only people of these roles have it. */
  words: readonly { text: string; for?: readonly Role[] }[]
  /**
   * Erases it from the database, as the service; what lies elsewhere is added to `traces`. Safe to repeat: a job does it
   * once more, for whatever was written in the same moment.
   */
  erase?: (tx: Tx, leaving: RemovedPerson, traces: ErasureTargets) => Promise<void>
  /** Erases what lies outside the database. Safe to repeat, and to be killed at any moment. */
  eraseOutside?: (traces: ErasureTargets, database: Database) => Promise<void>
}

/**
 * Whether this person serves the company in this column: what they wrote and sent in as staff is theirs for so long, and
 * stays with the company when they are moved to another one.
 */
export const servedBy = (personId: string, tenantId: RawBuilder<unknown>): RawBuilder<boolean> => sql`exists (
  select from person r where r.id = ${personId} and ${hasDutySql(sql`r.role`, 'serve')}
    and (r.tenant_id is null or r.tenant_id = ${tenantId}))`

/**
 * Patterns for `like any` of what a row of others' holds that is about this person: their id and their videos'. A name or
 * an address is anybody's to choose, so it decides nothing by itself: who is called "Open the project" must not take away
 * whatever says so.
 */
export const tiesTo = (
  { id }: Pick<RemovedPerson, 'id'>,
  { projectIds }: Pick<ErasureTargets, 'projectIds'>,
): string[] => patternsOf([id, ...projectIds])

/** Patterns for `ilike any` of the person's words, for rows that are about them by `tiesTo` besides. */
export const wordsNaming = (leaving: RemovedPerson): string[] =>
  patternsOf(
    [
      ...addressesOf(leaving).map(({ email }) => email),
      ...[leaving.name, ...(leaving.formerly?.names ?? [])].map((name) => name.trim()),
    ].filter(Boolean),
  )

/**
 * Forgets what was answered about these things, which are gone. A repeat is refused for as long as the answer would have been kept:
 * it must not do the work again.
 */
export const forgetAnswersAbout = (tx: Tx, ids: readonly string[]) =>
  tx.count(sql`
    update answered_request set status = null, answer = null where answer::text like any(${patternsOf(ids)}::text[])`)

/** Texts as patterns for `like any` and `ilike any`. */
export const patternsOf = (texts: readonly string[]): string[] =>
  texts.map((text) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`)
