import { refusal } from '@clear-to-post/contract/errors'
import { areOfToday, termsDocuments, termsVersions, type Accepted } from '@clear-to-post/domain/terms'
import { sql, type Caller, type Tx } from '../kernel/database.ts'

/** Keeps that the caller agreed to these words. Throws `account.terms-changed` where they are not those of today. */
export const acceptTerms = async (tx: Tx, caller: Caller, shown: readonly Accepted[]): Promise<void> => {
  if (!areOfToday(shown)) throw refusal('account.terms-changed')
  await keepConsents(tx, caller.id, shown)
}

/** Whoever opens an account themselves agrees to the words of today, as the form says. As the service. */
export const acceptAllTerms = (tx: Tx, personId: string): Promise<void> =>
  keepConsents(
    tx,
    personId,
    termsDocuments.map((document) => ({ document, version: termsVersions[document] })),
  )

const keepConsents = async (tx: Tx, personId: string, consents: readonly Accepted[]): Promise<void> => {
  for (const { document, version } of consents)
    await tx.count(sql`
      insert into consent (person_id, document, version) values (${personId}, ${document}, ${version})
      on conflict do nothing`)
}

/** What was agreed to by whoever opened an account on somebody else's address. As the service. */
export const dropConsents = (tx: Tx, personId: string) =>
  tx.count(sql`delete from consent where person_id = ${personId}`)

/** Everything somebody has agreed to. */
export const consentsOf = (tx: Tx, personId: string): Promise<Accepted[]> =>
  tx.rows(sql<Accepted>`
    select c.document, c.version::text as version from consent c where c.person_id = ${personId}`)
