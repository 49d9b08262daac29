import type { CodeLimits } from '../kernel/config.ts'
import { accounts } from '@clear-to-post/contract/accounts'
import type { PageRules } from '@clear-to-post/contract/call'
import { refusal } from '@clear-to-post/contract/errors'
import type { Caller } from '../kernel/database.ts'
import { page } from '../kernel/page.ts'
import { on, onOpen, onRead, type Context, type Mounted } from '../kernel/call.ts'
import { networkOf } from '../kernel/network.ts'
import { makeHandOver, readHandOver, type Identity } from '../identity/actions.ts'
import { isFree, logIn, openAccount, resetSecondFactorOf } from './actions.ts'
import { ownsConnections } from '../publishing/actions.ts'
import { acceptTerms, consentsOf } from './terms.ts'
import { changeEmail, changePassword, sendCode, validateCode, verifyEmail } from './codes.ts'
import { presentHandOver, presentPerson, presentProfile, presentUser } from './present.ts'
import { setUp, updatePerson } from './profile.ts'
import { boundSelect, findPerson, findPersonWithNames, personById, searchColumns, searchSelect } from './store.ts'
import { mayName, sees } from '@clear-to-post/domain/access'

type Options = { identity: Pick<Identity, 'passwordPolicy' | 'cookie'>; publicUrl: string; codeLimits: CodeLimits }
import { consentColumns, consentsSelect, presentConsents } from './consents.ts'

export const accountsCalls = ({
  identity: { passwordPolicy, cookie },
  publicUrl,
  codeLimits: limits,
}: Options): Mounted[] => [
  onOpen(accounts.login, async ({ body }, { database, request, log }) => ({
    token: await logIn(database, body, { network: networkOf(request.ip), log }),
  })),
  onOpen(accounts.create, async ({ body }, { database, request, now, log }) => ({
    token: await openAccount(database, passwordPolicy, body, { ip: request.ip, limits, now, log }),
  })),
  on(accounts.info, async (_input, { tx, caller, now }) => {
    const person = await personById(tx, caller.id)
    if (!person) throw refusal('session.ended')
    const [accepted, ownsAccounts] = [await consentsOf(tx, caller.id), await ownsConnections(tx, caller)]
    return presentProfile(person, caller, { now, accepted, ownsAccounts })
  }),
  on(accounts.update, async ({ body }, context) =>
    shown(
      context,
      await updatePerson(context.tx, context.caller, body, { now: context.now, session: cookie.read(context.request) }),
    ),
  ),
  on(accounts.setup, async ({ body }, context) =>
    shown(context, await setUp(context.tx, context.caller, body, context.now)),
  ),
  on(accounts.resetSecondFactor, async ({ body }, { tx, caller }) => {
    await resetSecondFactorOf(tx, caller, body.userId)
    return success
  }),
  onOpen(accounts.createToken, async (_input, { database, caller, request }) =>
    presentHandOver(await makeHandOver(database, caller!, cookie.read(request)), publicUrl),
  ),
  onOpen(accounts.getToken, async (_input, { database, caller, request }) =>
    presentHandOver(await readHandOver(database, caller!, cookie.read(request)), publicUrl),
  ),
  onOpen(accounts.sendCode, async ({ query }, { database, caller, request, now, log }) => {
    await sendCode(database, { email: query.email, ip: request.ip, callerId: caller?.id ?? null, limits, now, log })
    return success
  }),
  onOpen(accounts.verifyEmail, async ({ body }, { database, caller, request, now }) => {
    await verifyEmail(database, caller!, { ...body, network: networkOf(request.ip), now })
    return success
  }),
  onOpen(accounts.validateCode, async ({ query }, { database, request }) => ({
    isValid: await validateCode(database, { ...query, network: networkOf(request.ip) }),
  })),
  onOpen(accounts.changePassword, async ({ body }, { database, request, now }) => ({
    ...success,
    ...(await changePassword(database, passwordPolicy, { ...body, network: networkOf(request.ip), now })),
  })),
  onOpen(accounts.changeEmail, async ({ body }, { database, caller, request, now }) =>
    presentUser(await changeEmail(database, caller!, { ...body, network: networkOf(request.ip), now }), caller!, now),
  ),
  on(accounts.acceptTerms, async ({ body }, { tx, caller }) => {
    await acceptTerms(tx, caller, body.documents)
    return success
  }),
  on(accounts.available, async ({ query }, { tx }) => ({ isValid: await isFree(tx, query.email) })),
  on(accounts.bound, async ({ query: { editorId = undefined, ...query } }, { tx, caller, now }) => {
    if (editorId !== undefined && editorId !== caller.id)
      if (!mayName(caller, 'user.bound', editorId) || !(await findPerson(tx, caller, editorId)))
        throw refusal('account.not-found')
    const { rows, nextCursor } = await page(tx, accounts.bound.page, searchColumns, query, (parts) =>
      boundSelect(caller, editorId ?? caller.id, parts),
    )
    return { items: rows.map((row) => presentUser(row, caller, now)), nextCursor }
  }),
  onRead(accounts.person, async ({ params: { userId } }, { tx, caller, now }) => {
    const person = await findPersonWithNames(tx, caller, userId)
    if (!person) throw refusal('account.not-found')
    return presentPerson(person, caller, now)
  }),
  onRead(accounts.consents, async ({ query }, { tx, caller }) => {
    const { rows, nextCursor } = await page(tx, accounts.consents.page, consentColumns, query, (parts) =>
      consentsSelect(caller, parts),
    )
    return { items: rows.map(presentConsents), nextCursor }
  }),
  on(accounts.search, async ({ query }, { tx, caller, now }) => {
    const { rows, nextCursor } = await page(tx, searchRules(caller), searchColumns, query, (parts) =>
      searchSelect(caller, parts),
    )
    return { items: rows.map((row) => presentUser(row, caller, now)), nextCursor }
  }),
]

/** Whoever is not shown who is shut out may not find it out by a filter either. */
const searchRules = ({ role }: Caller): PageRules => {
  const { isDisabled, ...filters } = accounts.search.page.filters
  return { ...accounts.search.page, filters: sees(role, 'user.isDisabled') ? { isDisabled, ...filters } : filters }
}

const success = { success: true as const }

const shown = async ({ tx, caller, now }: Context, id: string) =>
  presentUser((await findPerson(tx, caller, id))!, caller, now)
