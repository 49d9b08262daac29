import { accounts } from '@clear-to-post/contract/accounts'
import { refusal } from '@clear-to-post/contract/errors'
import type { PasswordPolicy } from '@clear-to-post/domain/passwords'
import { page } from '../db/page.ts'
import { asService } from '../db/tenant.ts'
import { on, onOpen, type Context, type Mounted } from '../http/mount.ts'
import { findHandOver, issueHandOver, type HandOver } from '../identity/actions.ts'
import { logIn, openAccount, resetSecondFactorOf } from './actions.ts'
import { changeEmail, changePassword, sendCode, validateCode } from './codes.ts'
import { presentProfile, presentUser } from './present.ts'
import { setUp, updatePerson } from './profile.ts'
import { removePerson } from './removal.ts'
import { boundSelect, findPerson, isTaken, personById, searchColumns, searchSelect } from './store.ts'

type Options = { passwordPolicy: PasswordPolicy; publicUrl: string }

export const accountsCalls = ({ passwordPolicy, publicUrl }: Options): Mounted[] => [
  onOpen(accounts.login, async ({ body }, { database }) => ({ token: await logIn(database, body) })),
  onOpen(accounts.create, async ({ body }, { database }) => ({
    token: await openAccount(database, passwordPolicy, body),
  })),
  on(accounts.info, async (_input, { tx, caller, now }) => {
    const person = await personById(tx, caller.id)
    if (!person) throw refusal('session.ended')
    return presentProfile(person, caller, now)
  }),
  on(accounts.update, async ({ body }, context) =>
    shown(context, await updatePerson(context.tx, context.caller, body, context.now)),
  ),
  on(accounts.setup, async ({ body }, context) =>
    shown(context, await setUp(context.tx, context.caller, body, context.now)),
  ),
  on(accounts.remove, async ({ query }, { tx, caller, now }) => {
    await removePerson(tx, caller, query.userId, now)
    return success
  }),
  on(accounts.resetSecondFactor, async ({ body }, { tx, caller }) => {
    await resetSecondFactorOf(tx, caller, body.userId)
    return success
  }),
  on(accounts.createToken, async (_input, { tx, caller }) =>
    presentHandOver(await asService(tx, () => issueHandOver(tx, caller.id)), publicUrl),
  ),
  on(accounts.getToken, async (_input, { tx, caller }) => {
    const found = await asService(tx, () => findHandOver(tx, caller.id))
    if (!found) throw refusal('account.no-token')
    return presentHandOver(found, publicUrl)
  }),
  onOpen(accounts.sendCode, async ({ query }, { database, now }) => {
    await sendCode(database, query.email, now)
    return success
  }),
  onOpen(accounts.validateCode, async ({ query }, { database }) => ({ isValid: await validateCode(database, query) })),
  onOpen(accounts.changePassword, async ({ body }, { database }) => {
    await changePassword(database, passwordPolicy, body)
    return success
  }),
  onOpen(accounts.changeEmail, async ({ body }, { database, caller, now }) =>
    presentUser(await changeEmail(database, caller!, body), caller!, now),
  ),
  // As the service, whoever asks: the address may be somebody's whom the caller may not see.
  on(accounts.available, async ({ query }, { tx }) => ({
    isValid: !(await asService(tx, () => isTaken(tx, query.email))),
  })),
  on(accounts.bound, async ({ query: { editorId = undefined, ...query } }, { tx, caller, now }) => {
    const isOther = editorId !== undefined && editorId !== caller.id
    if (isOther && (caller.role !== 'ADMIN' || !(await findPerson(tx, caller, editorId))))
      throw refusal('account.not-found')
    const { rows, nextCursor } = await page(tx, accounts.bound.page, searchColumns, query, (parts) =>
      boundSelect(caller, editorId ?? caller.id, parts),
    )
    return { items: rows.map((row) => presentUser(row, caller, now)), nextCursor }
  }),
  on(accounts.search, async ({ query }, { tx, caller, now }) => {
    const { rows, nextCursor } = await page(tx, accounts.search.page, searchColumns, query, (parts) =>
      searchSelect(caller, parts),
    )
    return { items: rows.map((row) => presentUser(row, caller, now)), nextCursor }
  }),
]

const success = { success: true as const }

const shown = async ({ tx, caller, now }: Context, id: string) =>
  presentUser((await findPerson(tx, caller, id))!, caller, now)

// Behind the # it stands in no server's log.
const presentHandOver = ({ token, endsAt }: HandOver, publicUrl: string) => ({
  token,
  url: `${publicUrl}/login#token=${token}`,
  endsAt: endsAt.toISOString(),
})
