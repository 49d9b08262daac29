import type { RawBuilder } from 'kysely'
import type { ReasonToStay, ReasonToWithhold } from '@clear-to-post/domain/personal-data'
import type { Role } from '@clear-to-post/domain/roles'
import type { Tx } from './database.ts'

/**
 * What one table holds about people. Columns are named in one text, parted by spaces, each once in `erased` or `stays`
 * and once in `given` or `withheld`; server/test/personal-data.test.ts holds that against the database.
 */
export type TableData = {
  /** The rows that are a person's: an SQL condition on the alias `t`. */
  of: (personId: string) => RawBuilder<unknown>
  /** Emptied when the person is removed, or gone with their rows. */
  erased?: string
  stays?: Partial<Record<ReasonToStay, string>>
  /** In the person's own file. */
  given?: string
  withheld?: Partial<Record<ReasonToWithhold, string>>
  /** Parts of columns that are withheld as a whole: name in the file → SQL on the alias `t`. */
  alsoGiven?: Record<string, RawBuilder<unknown>>
}

/** Who is being removed, as their row was. */
export type Leaving = { id: string; email: string; name: string; tenantId: string | null; role: Role }

/** What lies outside the database, or beside it, and is erased by a job: ids and the words that name the person. */
export type Traces = {
  /** Address and, where it has two words or more, name. */
  words: string[]
  projectIds: string[]
  assetIds: string[]
  renderIds: string[]
  mailIds: string[]
  customerIds: string[]
  exportIds: string[]
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
  erase?: (tx: Tx, leaving: Leaving, traces: Traces) => Promise<void>
  /** Erases what lies outside the database. Safe to repeat, and to be killed at any moment. */
  eraseOutside?: (traces: Traces) => Promise<void>
}

/** Texts in which the person may stand; a name of one word could be anybody's, and a part of any sentence. */
export const wordsNaming = ({ email, name }: Pick<Leaving, 'email' | 'name'>): string[] =>
  [email, name.trim()].filter((text) => text.includes('@') || /\S\s+\S/.test(text))

/** The same as patterns for `ilike any`. */
export const patternsOf = (texts: readonly string[]): string[] =>
  texts.map((text) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`)
