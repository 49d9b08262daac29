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
  for (;;) {
    const claimed = await database.asSystem((tx) => claimUntold(tx))
    for (const { id, name, email } of claimed) {
      if (signal?.aborted) return
      try {
        await payments().updateCustomer(id, { name, email })
        await database.asSystem((tx) => noteTold(tx, id, { name, email }))
      } catch (error) {
        // Nobody answers: the others are told at the next round.
        if (error instanceof PaymentAway) throw error
        failures.push(error)
      }
    }
    if (claimed.length < atOnce) break
  }
  if (failures.length > 0) throw new Error(`${failures.length} customers were not taken`, { cause: failures[0] })
}

/** So many that each is told, or given up, before an hour is over. */
const atOnce = 50

/** Customers that the provider knows as somebody else than they are; nobody else takes them for an hour. */
const claimUntold = (tx: Tx) =>
  tx.rows(sql<{ id: string; name: string; email: string }>`
    update customer set try_after = now() + interval '1 hour' from (
      select c.id, coalesce(p.name, t.name) as name, coalesce(p.email, ${emailOfCompany}) as email
      from customer c left join person p on p.id = c.user_id left join tenant t on t.id = c.tenant_id
      where c.try_after <= now()
        and c.told is distinct from ${sumOf(sql`coalesce(p.name, t.name)`, sql`coalesce(p.email, ${emailOfCompany})`)}
      order by c.try_after, c.id limit ${atOnce} for update of c skip locked) who
    where customer.id = who.id returning customer.id, who.name, who.email`)

const noteTold = (tx: Tx, id: string, { name, email }: { name: string; email: string }) =>
  tx.count(sql`
    update customer set told = ${sumOf(sql`${name}::text`, sql`${email}::text`)}, try_after = '-infinity' where id = ${id}`)

// Says whether they changed, and keeps neither.
const sumOf = (name: ReturnType<typeof sql>, email: ReturnType<typeof sql>) =>
  sql`hashtextextended(${name} || chr(10) || ${email}, 0)`
