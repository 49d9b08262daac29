import type { CodeLimits } from '../kernel/config.ts'
import { accounts } from '@clear-to-post/contract/accounts'
import { refusal } from '@clear-to-post/contract/errors'
import { page } from '../kernel/page.ts'
import type { Tx } from '../kernel/database.ts'
import { asService } from '../kernel/tenancy.ts'
import { on, onOpen, type Context, type Mounted, type OpenContext } from '../kernel/call.ts'
import { networkOf } from '../kernel/network.ts'
import {
  findHandOver,
  issueHandOver,
  originOf,
  type HandOver,
  type Identity,
  type Origin,
} from '../identity/actions.ts'
import { logIn, openAccount, resetSecondFactorOf } from './actions.ts'
import { changeEmail, changePassword, sendCode, validateCode, verifyEmail } from './codes.ts'
import { presentProfile, presentUser } from './present.ts'
import { setUp, updatePerson } from './profile.ts'
import { boundSelect, findPerson, isTaken, personById, searchColumns, searchSelect } from './store.ts'

type Options = { identity: Pick<Identity, 'passwordPolicy' | 'cookie'>; publicUrl: string; codeLimits: CodeLimits }

export const accountsCalls = ({
  identity: { passwordPolicy, cookie },
  publicUrl,
  codeLimits: limits,
}: Options): Mounted[] => [
  onOpen(accounts.login, async ({ body }, { database }) => ({ token: await logIn(database, body) })),
  onOpen(accounts.create, async ({ body }, { database, request, now, log }) => ({
    token: await openAccount(database, passwordPolicy, body, { network: networkOf(request.ip), limits, now, log }),
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
  on(accounts.resetSecondFactor, async ({ body }, { tx, caller }) => {
    await resetSecondFactorOf(tx, caller, body.userId)
    return success
  }),
  onOpen(accounts.createToken, async (_input, context) =>
    presentHandOver(await carrying(context, cookie, issueHandOver), publicUrl),
  ),
  onOpen(accounts.getToken, async (_input, context) => {
    const found = await carrying(context, cookie, findHandOver)
    if (!found) throw refusal('account.no-token')
    return presentHandOver(found, publicUrl)
  }),
  onOpen(accounts.sendCode, async ({ query }, { database, request, now, log }) => {
    await sendCode(database, { email: query.email, network: networkOf(request.ip), limits, now, log })
    return success
  }),
  onOpen(accounts.verifyEmail, async ({ body }, { database, caller, request }) => {
    await verifyEmail(database, caller!, { ...body, network: networkOf(request.ip) })
    return success
  }),
  onOpen(accounts.validateCode, async ({ query }, { database, request }) => ({
    isValid: await validateCode(database, { ...query, network: networkOf(request.ip) }),
  })),
  onOpen(accounts.changePassword, async ({ body }, { database, request }) => ({
    ...success,
    ...(await changePassword(database, passwordPolicy, { ...body, network: networkOf(request.ip) })),
  })),
  onOpen(accounts.changeEmail, async ({ body }, { database, caller, request, now }) =>
    presentUser(await changeEmail(database, caller!, { ...body, network: networkOf(request.ip) }), caller!, now),
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

/** What is carried to another device ends with the session it comes from. */
const carrying = <T>(
  { database, caller, request }: OpenContext,
  cookie: Identity['cookie'],
  work: (tx: Tx, personId: string, origin: Origin) => Promise<T>,
): Promise<T> =>
  database.inTenant(caller!, (tx) =>
    asService(tx, async () => work(tx, caller!.id, await originOf(tx, caller!, cookie.read(request)))),
  )

// Behind the # it stands in no server's log.
const presentHandOver = ({ token, endsAt }: HandOver, publicUrl: string) => ({
  token,
  url: `${publicUrl}/login#token=${token}`,
  endsAt: endsAt.toISOString(),
})
