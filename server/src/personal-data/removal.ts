import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { Receipt, RemovalPreview } from '@clear-to-post/contract/removals'
import { refusal } from '@clear-to-post/contract/errors'
import { reasonsToStay, type ReasonToStay } from '@clear-to-post/domain/personal-data'
import { type Role, hasDuty, servesAll } from '@clear-to-post/domain/roles'
import type { RemovedPerson, ErasureTargets } from '../kernel/personal-data.ts'
import { systemCaller, type Caller, type Tx } from '../kernel/database.ts'
import { asService, holdSession } from '../kernel/tenancy.ts'
import { enqueue, type Jobs } from '../kernel/queue.ts'
import type { JobContext } from '../kernel/work.ts'
import { addressSince, formerlyOf } from '../audit/actions.ts'
import { sendMail } from '../mail/actions.ts'
import { closeProjectsOf, countOpenOf } from '../projects/actions.ts'
import { endAllowed } from '../publishing/actions.ts'
import { rolesAt } from '../reports/actions.ts'
import { payerChanged } from '../subscriptions/actions.ts'
import { personalData } from './rooms.ts'
import {
  addRemoval,
  enqueueGrants,
  finishRemoval,
  grantOf,
  grantsOf,
  lockRemoval,
  ofEverybody,
  reasonsOf,
  saveWork,
  type RemovalRow,
  type Work,
} from './removal-store.ts'
import {
  awaitCallsOf,
  findPerson,
  isAdmin,
  keepAnAdmin,
  lockAdmins,
  lockPerson,
  tellAdmins,
  type PersonRow,
} from '../accounts/actions.ts'
import { mayName } from '@clear-to-post/domain/access'

/**
 * Removes a person: the caller, or as an ADMIN somebody in reach. Personal data is erased at once, files and outside
 * services by a job; the record of work stays without a name (docs/decisions/0270). Answers the receipt as the caller may
 * read it; all of it is mailed. Throws account.not-found, account.last-admin.
 */
export const removePerson = async (
  tx: Tx,
  caller: Caller,
  userId: string | undefined,
  now: Date,
): Promise<RemovalRow> => {
  if (!mayName(caller, 'user.remove', userId ?? caller.id)) throw refusal('account.not-found')
  const id = userId ?? caller.id
  // Nobody but an admin waits for admins who leave.
  const wasAdmin = await isAdmin(tx, id)
  if (wasAdmin) {
    await lockAdmins(tx)
    await holdSession(tx, caller)
  }
  await awaitCallsOf(tx, id)
  const person = await lockPerson(tx, caller, id)
  if (!person) throw refusal('account.not-found')
  // Whoever became one in this very moment: of two that then wait for each other one runs again.
  if (!wasAdmin && (await isAdmin(tx, id))) await lockAdmins(tx)
  await asService(tx, () => keepAnAdmin(tx, caller, person, { isDisabled: true }))
  await closeProjectsOf(tx, caller, person.id, now)
  return asService(tx, async () => {
    // Their own plan is ended with what else is theirs.
    if (person.tenant_id !== null && wasAdmin) await payerChanged(tx, { tenantId: person.tenant_id }, now)
    const leaving = await leavingOf(tx, person)
    // Without a name: it would outlive them.
    if (wasAdmin && person.id !== caller.id)
      await tellAdmins(tx, person.tenant_id, {
        kind: 'admin-ended',
        by: caller.id,
        title: 'An admin was removed',
        happened: (company) => `The account of an admin of ${company} was removed.`,
        wayBack: 'Invite them again under People',
      })
    const traces: ErasureTargets = {
      projectIds: [],
      causes: [],
      assetIds: [],
      renderIds: [],
      mailIds: [],
      customerIds: [],
      subscriptionIds: [],
      exportIds: [],
      grants: [],
    }
    await eraseRows(tx, leaving, traces)
    if (hasDuty(person.role, 'serve')) await enqueue(tx, 'left-work', { userId: person.id, tenantId: person.tenant_id })
    const receipt = await receiptFor(tx, leaving)
    // Their company's ADMIN reads it in the list.
    const kept = person.tenant_id === null ? receipt : await receiptFor(tx, leaving, person.tenant_id)
    const removal = await addRemoval(tx, {
      number: newNumber(),
      personId: person.id,
      tenantId: person.tenant_id,
      byRole: caller.role,
      now,
      ...kept,
      work: { leaving, traces, done: [] },
    })
    await enqueue(tx, 'erase', { removalId: removal.id })
    await sendMail(tx, {
      key: `removal:${removal.id}`,
      to: person.email,
      template: 'removed',
      data: { number: removal.number, ...receipt },
      uselessAt: new Date(now.getTime() + 3 * 86_400_000),
      isForgotten: true,
    })
    return companyOf(caller, person.id) === undefined ? { ...removal, ...receipt } : removal
  })
}

/** What removing somebody would erase, keep and cancel, as the caller may read it. Reach as above. Throws account.not-found. */
export const previewRemoval = async (
  tx: Tx,
  caller: Caller,
  userId: string | undefined,
): Promise<z.input<typeof RemovalPreview>> => {
  if (!mayName(caller, 'user.remove', userId ?? caller.id)) throw refusal('account.not-found')
  const person = await findPerson(tx, caller, userId ?? caller.id)
  if (!person) throw refusal('account.not-found')
  const company = companyOf(caller, person.id)
  return asService(tx, async () => ({
    ...(await receiptFor(tx, await leavingOf(tx, person), company)),
    canceled: await countOpenOf(tx, person.id, company),
  }))
}

/** Of which company alone the caller hears what somebody had and was; undefined: of all, theirs or the service's. */
const companyOf = (caller: Caller, personId: string): string | undefined =>
  caller.id === personId || servesAll(caller) ? undefined : caller.tenantId!

/**
 * Does what is left of a removal: rows that were written in its very moment, files, outside services. What is done is
 * noted step by step, so it may be killed at any moment and run again.
 */
export const finishErasing = async ({ database }: JobContext, removalId: string): Promise<void> => {
  const rows = await database.asSystem(async (tx) => {
    const work = await lockRemoval(tx, removalId)
    if (!work) return null
    if (work.leaving && !work.done.includes('rows')) {
      // One whose cancellation was undone in that very moment.
      await closeProjectsOf(tx, systemCaller, work.leaving.id, new Date())
      await eraseRows(tx, work.leaving, work.traces)
      work.done.push('rows')
      work.leaving = null
      await saveWork(tx, removalId, work)
      await enqueueGrants(tx, removalId, work)
    }
    return work
  })
  if (!rows) return
  const failed: unknown[] = []
  for (const [room, { eraseOutside }] of personalData) {
    if (!eraseOutside || rows.done.includes(room)) continue
    try {
      await eraseOutside(rows.traces, database)
    } catch (error) {
      // Whoever does not answer keeps nothing else waiting.
      failed.push(error)
      continue
    }
    // A grant may have ended meanwhile: what was read before says nothing of it.
    await database.asSystem((tx) => changeWork(tx, removalId, (work) => void work.done.push(room)))
  }
  if (failed.length > 0) throw failed[0]
  await database.asSystem((tx) => changeWork(tx, removalId, () => {}))
}

/**
 * Asks the network to end one grant of a removed person's, in a job of its own: it may be somebody's own server, and silent for
 * days. Throws SilentNetwork while it is to be asked again.
 */
export const endGrantOf = async (
  { database }: JobContext,
  { removalId, connectionId }: Jobs['end-grant'],
): Promise<void> => {
  const grant = await database.asSystem((tx) => grantOf(tx, removalId, connectionId))
  if (!grant) return
  await endAllowed(database, grant, new Date())
  await database.asSystem((tx) =>
    changeWork(tx, removalId, ({ traces }) => {
      traces.grants = traces.grants?.filter(({ accounts }) => accounts[0]?.connectionId !== connectionId)
    }),
  )
}

/** The rooms whose part is done outside the database, as `done` names them. */
export const stepsOutside: readonly string[] = personalData.flatMap(([room, { eraseOutside }]) =>
  eraseOutside ? [room] : [],
)

/** Changes what is left of a removal; with its last step it is over. */
const changeWork = async (tx: Tx, removalId: string, change: (work: Work) => void): Promise<void> => {
  const work = await lockRemoval(tx, removalId)
  if (!work) return
  change(work)
  if (grantsOf(work).length === 0 && stepsOutside.every((step) => work.done.includes(step)))
    await finishRemoval(tx, removalId)
  else await saveWork(tx, removalId, work)
}

/**
 * What is erased, in words for somebody who has this role or had it, and what stays of them. For a company's ADMIN: as that
 * company knows them, and nothing of what they were or had elsewhere. As the service.
 */
const receiptFor = async (tx: Tx, { id, role, formerly }: RemovedPerson, companyId?: string) => {
  const former = companyId === undefined ? (formerly?.roles ?? []) : await rolesAt(tx, id, companyId)
  const roles = [role, ...former]
  const isFor = (entry: { for?: readonly Role[] }) => !entry.for || entry.for.some((one) => roles.includes(one))
  const staying = await reasonsOf(tx, id, personalData, companyId)
  const stays = (reason: ReasonToStay): boolean =>
    ofEverybody.includes(reason) ||
    // A library does not say who wrote it.
    (reason === 'company' && roles.some((one) => hasDuty(one, 'serve'))) ||
    staying.has(reason)
  return {
    erased: personalData.flatMap(([, { words }]) => words.filter(isFor).map(({ text }) => text)),
    stays: (Object.keys(reasonsToStay) as ReasonToStay[]).filter(stays).map((reason) => reasonsToStay[reason]),
  }
}

export const presentRemoval = (row: RemovalRow): z.input<typeof Receipt> => ({
  number: row.number,
  removedAt: row.removed_at.toISOString(),
  finishedAt: row.finished_at?.toISOString() ?? null,
  isByAdmin: hasDuty(row.by_role as Role, 'administer'),
  erased: row.erased,
  stays: row.stays,
})

const eraseRows = async (tx: Tx, leaving: RemovedPerson, traces: ErasureTargets): Promise<void> => {
  for (const [, { erase }] of personalData) await erase?.(tx, leaving, traces)
  for (const key of ['projectIds', 'causes', 'assetIds', 'renderIds', 'mailIds', 'customerIds', 'exportIds'] as const)
    traces[key] = [...new Set(traces[key])]
  if (traces.subscriptionIds) traces.subscriptionIds = [...new Set(traces.subscriptionIds)]
}

/** To be asked before anything is erased: the log forgets who they were. As the service. */
const leavingOf = async (
  tx: Tx,
  { id, email, name, tenant_id, role, email_verified_at }: PersonRow,
): Promise<RemovedPerson> => ({
  id,
  email,
  name,
  tenantId: tenant_id,
  role,
  since: await addressSince(tx, { id, email }),
  isConfirmed: email_verified_at !== null,
  formerly: await formerlyOf(tx, id),
})

// Letters that nobody mistakes for each other when they read them out.
const newNumber = (): string =>
  `R-${[...randomBytes(8)].map((byte) => '23456789ABCDEFGHJKMNPQRSTVWXYZ'[byte % 30]).join('')}`
