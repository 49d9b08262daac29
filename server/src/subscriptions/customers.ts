import { sql, type Database, type Tx } from '../kernel/database.ts'
import { PaymentAway, payments } from '../outside/payments/payments.ts'
import { emailOfCompany } from './store.ts'

/**
 * Tells the provider who its customers are now, wherever it was told otherwise or never, whatever changed it: it mails
 * receipts and invoices by itself. One that it does not take keeps none of the others waiting, and is tried again in an hour.
 */
export const tellOfPayers = async (database: Database, signal?: AbortSignal): Promise<void> => {
  if (payments().kind === 'closed') return
  const failures: unknown[] = []
  for (let isMore = true; isMore && !signal?.aborted;) {
    const claimed = await database.asSystem((tx) => claimUntold(tx))
    isMore = claimed.length === atOnce
    try {
      while (claimed.length > 0 && !signal?.aborted)
        await tellOf(database, claimed.shift()!).catch((error: unknown) => {
          // Nobody answers: the others are told at the next round.
          if (error instanceof PaymentAway) throw error
          failures.push(error)
        })
    } finally {
      if (claimed.length > 0) await database.asSystem((tx) => letGo(tx, claimed))
    }
  }
  if (failures.length > 0) throw new Error(`${failures.length} customers were not taken`, { cause: failures[0] })
}

type Known = { id: string; name: string; email: string }

const tellOf = async (database: Database, { id, name, email }: Known): Promise<void> => {
  await payments().updateCustomer(id, { name, email })
  await database.asSystem((tx) => noteTold(tx, id, { name, email }))
}

/** So many that each is told, or given up, before an hour is over. */
const atOnce = 50

/** Customers that the provider knows as somebody else than they are; nobody else takes them for an hour. */
const claimUntold = (tx: Tx) =>
  tx.rows(sql<Known>`
    update customer set try_after = now() + interval '1 hour' from (
      select c.id, coalesce(p.name, t.name) as name, coalesce(p.email, ${emailOfCompany}) as email
      from customer c left join person p on p.id = c.user_id left join tenant t on t.id = c.tenant_id
      where c.try_after <= now()
        and c.told is distinct from ${sumOf(sql`coalesce(p.name, t.name)`, sql`coalesce(p.email, ${emailOfCompany})`)}
      order by c.try_after, c.id limit ${atOnce} for update of c skip locked) who
    where customer.id = who.id returning customer.id, who.name, who.email`)

/** Those that were claimed and not tried wait for nothing. */
const letGo = (tx: Tx, claimed: readonly Known[]) =>
  tx.count(sql`update customer set try_after = '-infinity' where id = any(${claimed.map(({ id }) => id)}::text[])`)

const noteTold = (tx: Tx, id: string, { name, email }: Omit<Known, 'id'>) =>
  tx.count(sql`
    update customer set told = ${sumOf(sql`${name}::text`, sql`${email}::text`)}, try_after = '-infinity' where id = ${id}`)

// Says whether they changed, and keeps neither.
const sumOf = (name: ReturnType<typeof sql>, email: ReturnType<typeof sql>) =>
  sql`hashtextextended(${name} || chr(10) || ${email}, 0)`
