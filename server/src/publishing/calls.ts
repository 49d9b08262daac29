import { publishing } from '@clear-to-post/contract/publishing'
import { refusal } from '@clear-to-post/contract/errors'
import { orderedSlots } from '@clear-to-post/domain/post-slots'
import { connectsFor } from '@clear-to-post/domain/access'
import { networks as limits } from '@clear-to-post/domain/networks'
import { on, onOpen, onRead, type Mounted } from '../kernel/call.ts'
import type { Config } from '../kernel/config.ts'
import type { Caller, Tx } from '../kernel/database.ts'
import { networks } from '../outside/networks/networks.ts'
import {
  confirmComment,
  confirmPost,
  denyPost,
  moveOnePost,
  repeatComment,
  repeatPost,
  takeDownPost,
  withdrawPost,
} from './actions.ts'
import { connectWithPassword, disconnect, finishConnecting, shownConnections, startConnecting } from './connect.ts'
import { presentConnection, presentPost } from './present.ts'
import { saveSlots, slotsShown } from './slots.ts'
import { bestTimeShown } from './figures.ts'
import { letOfficerPost, officersShown, stopOfficer } from './officers.ts'
import { captionsOfFile } from './plan.ts'
import { rewordPost } from './reword.ts'
import { measuredOf, ownPost, postsBetween, reachesProject, shownPosts } from './shown-store.ts'
import { approvedFile } from './store.ts'

/** `publicUrl`: where networks lead back to. */
export const publishingCalls = ({ publicUrl }: Pick<Config, 'publicUrl'>): Mounted[] => [
  onRead(publishing.connections, async (_input, { tx, caller }) => ({
    networks: (connectsFor(caller) === null ? [] : networks().offered).map((network) => ({
      network,
      name: limits[network].name,
      isStandIn: networks().of(network)!.keys.isStandIn,
      ...(networks().of(network)!.keys.hasPages ? { hasPages: true } : {}),
      signIn: networks().of(network)!.adapter.signIn ? ('app-password' as const) : ('browser' as const),
    })),
    items: (await shownConnections(tx, caller)).map((row) => presentConnection(row, caller)),
  })),
  on(publishing.connect, async ({ body }, { tx, caller, now }) => ({
    address: await startConnecting(tx, caller, body.network, { publicUrl, now }),
  })),
  onOpen(publishing.finishConnecting, async ({ body }, { database, caller, now }) => {
    const connected = await finishConnecting(database, caller!, body, { publicUrl, now })
    return { items: connected.map((row) => presentConnection(row, caller!)) }
  }),
  onOpen(publishing.connectWithPassword, async ({ body }, { database, caller, now }) => {
    const connected = await connectWithPassword(database, caller!, { ...body, server: body.server }, now)
    return { items: connected.map((row) => presentConnection(row, caller!)) }
  }),
  onOpen(publishing.disconnect, async ({ params: { connectionId } }, { database, caller, now }) => ({
    isRevoked: await disconnect(database, caller!, connectionId, now),
  })),
  onRead(publishing.officers, async ({ params: { connectionId }, query }, { tx, caller }) => ({
    items: await officersShown(tx, caller, connectionId, query.search ?? ''),
  })),
  on(publishing.letOfficer, ({ params: { connectionId, userId } }, { tx, caller, now }) =>
    letOfficerPost(tx, caller, connectionId, userId, now),
  ),
  on(publishing.stopOfficer, ({ params: { connectionId, userId } }, { tx, caller, now }) =>
    stopOfficer(tx, caller, connectionId, userId, now),
  ),
  onRead(publishing.posts, async ({ params: { projectId } }, { tx, caller }) => {
    if (!(await reachesProject(tx, caller, projectId))) throw refusal('project.not-found')
    return { items: (await shownPosts(tx, caller, projectId)).map((row) => presentPost(row, caller)) }
  }),
  // As the service it looks at how the file was rendered.
  on(publishing.captions, async ({ params: { projectId } }, { tx, caller }) => {
    if (!(await reachesProject(tx, caller, projectId))) throw refusal('project.not-found')
    const approved = await approvedFile(tx, caller, projectId)
    return { languages: approved ? await captionsOfFile(tx, approved.asset_id) : [] }
  }),
  onRead(publishing.calendar, async ({ query: { from, to } }, { tx, caller }) => ({
    items: (await postsBetween(tx, caller, new Date(from), new Date(to))).map((row) => presentPost(row, caller)),
  })),
  onRead(publishing.figures, async (_input, { tx, caller, now }) => ({
    items: (await measuredOf(tx, caller, daysBefore(now, 90))).map((row) => presentPost(row, caller)),
    bestTime: await bestTimeShown(tx, caller, now),
  })),
  onRead(publishing.slots, (_input, { tx, caller, now }) => slotsShown(tx, caller, now)),
  on(publishing.setSlots, async ({ body: { items } }, { tx, caller, now }) => {
    await saveSlots(tx, caller, orderedSlots(items), now)
    return slotsShown(tx, caller, now)
  }),
  on(publishing.repeat, async ({ params: { postId } }, { tx, caller, now }) => {
    await repeatPost(tx, caller, postId, now)
    return shown(tx, caller, postId)
  }),
  on(publishing.confirm, async ({ params: { postId }, body }, { tx, caller, now }) =>
    presentPost(await confirmPost(tx, caller, postId, body.address ?? null, now), caller),
  ),
  on(publishing.deny, async ({ params: { postId } }, { tx, caller, now }) =>
    presentPost(await denyPost(tx, caller, postId, now), caller),
  ),
  on(publishing.move, async ({ params: { postId }, body }, { tx, caller, now }) => {
    await moveOnePost(tx, caller, postId, new Date(body.dueAt), now)
    return shown(tx, caller, postId)
  }),
  on(publishing.reword, async ({ params: { postId }, body }, { tx, caller, now }) => {
    await rewordPost(tx, caller, postId, body, now)
    return shown(tx, caller, postId)
  }),
  on(publishing.repeatComment, async ({ params: { postId } }, { tx, caller, now }) => {
    await repeatComment(tx, caller, postId, now)
    return shown(tx, caller, postId)
  }),
  on(publishing.confirmComment, async ({ params: { postId } }, { tx, caller, now }) => {
    await confirmComment(tx, caller, postId, now)
    return shown(tx, caller, postId)
  }),
  on(publishing.withdraw, async ({ params: { postId } }, { tx, caller, now }) => {
    await withdrawPost(tx, caller, postId, now)
    return shown(tx, caller, postId)
  }),
  onOpen(publishing.takeDown, async ({ params: { postId } }, { database, caller, now }) =>
    presentPost(await takeDownPost(database, caller!, postId, now), caller!),
  ),
]

const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * 86_400_000)

const shown = async (tx: Tx, caller: Caller, postId: string) =>
  presentPost((await ownPost(tx, caller, postId))!, caller)
