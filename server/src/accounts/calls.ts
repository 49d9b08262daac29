import { accounts } from '@clear-to-post/contract/accounts'
import { refusal } from '@clear-to-post/contract/errors'
import type { PasswordPolicy } from '@clear-to-post/domain/passwords'
import { page } from '../db/page.ts'
import { sql } from '../db/tenant.ts'
import { on, onOpen, type Mounted } from '../http/mount.ts'
import { logIn, openAccount } from './actions.ts'
import { presentProfile, presentUser } from './present.ts'
import { peopleVisibleTo, personById, searchColumns, type PersonRow } from './store.ts'

export const accountsCalls = ({ passwordPolicy }: { passwordPolicy: PasswordPolicy }): Mounted[] => [
  onOpen(accounts.login, async ({ body }, { database }) => ({ token: await logIn(database, body) })),
  onOpen(accounts.create, async ({ body }, { database }) => ({
    token: await openAccount(database, passwordPolicy, body),
  })),
  on(accounts.info, async (_input, { tx, caller }) => {
    const person = await personById(tx, caller.id)
    if (!person) throw refusal('session.ended')
    return presentProfile(person)
  }),
  on(accounts.search, async ({ query }, { tx, caller }) => {
    const { rows, nextCursor } = await page(
      tx,
      accounts.search.page,
      searchColumns,
      query,
      ({ where, tail, keys }) =>
        sql<
          PersonRow & { page_key: string; page_id: string }
        >`select p.*, ${keys} from person p where ${peopleVisibleTo(caller)} and ${where} ${tail}`,
    )
    return { items: rows.map(presentUser), nextCursor }
  }),
]
