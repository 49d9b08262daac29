import { sql, type Tx } from '../../kernel/database.ts'
import { addObject, findObject, lockObject, saveObject } from './objects.ts'

/** The sandbox's present: ours, moved ahead by whoever plays with it. */
export const sandboxNow = async (tx: Tx, now: Date): Promise<Date> =>
  new Date(now.getTime() + ((await findObject(tx, 'clock', 'clock'))?.body.aheadMs ?? 0))

export const moveClock = async (tx: Tx, byMs: number): Promise<void> => {
  await addObject(tx, {
    id: 'clock',
    kind: 'clock',
    customerId: null,
    createdAt: new Date(0),
    body: { aheadMs: 0 },
  })
  const clock = (await lockObject(tx, 'clock', 'clock'))!
  await saveObject(tx, { ...clock, body: { aheadMs: clock.body.aheadMs + byMs } })
}

/** Until the transaction ends nobody else does anything in the sandbox: its few objects are locked in every order. */
export const oneAtATime = (tx: Tx) => tx.rows(sql`select pg_advisory_xact_lock(4172665022)`)
