import type { z } from 'zod'
import type { Connection, Post, PostFigures } from '@clear-to-post/contract/publishing'
import { figureNames } from '@clear-to-post/domain/figures'
import { networks as limits } from '@clear-to-post/domain/networks'
import { connectionActionsFor, mayEver } from '@clear-to-post/domain/access'
import { commentActionsFor } from '@clear-to-post/domain/post-comments'
import { hasEnded, postActionsFor } from '@clear-to-post/domain/posting'
import type { Caller } from '../kernel/database.ts'
import { isPage } from '../outside/networks/linkedin.ts'
import { networks } from '../outside/networks/networks.ts'
import { wayOn } from './move.ts'
import type { ConnectionRow } from './connection-store.ts'
import type { PostHistory, ShownPost } from './shown-store.ts'

/** A connection without its keys: they never leave the service. */
export const presentConnection = (
  row: ConnectionRow,
  caller: Pick<Caller, 'id' | 'role' | 'tenantId'>,
): z.input<typeof Connection> => ({
  id: row.id,
  network: row.network,
  name: row.name,
  state: row.state === 'active' ? 'active' : 'needs-sign-in',
  connectedAt: row.connected_at.toISOString(),
  ...(row.ends_at ? { endsAt: row.ends_at.toISOString() } : {}),
  isStandIn: networks().of(row.network)?.keys.isStandIn ?? false,
  ...(row.network === 'linkedin' ? { kind: isPage(row.account_id) ? ('page' as const) : ('profile' as const) } : {}),
  owner: row.tenant_id === null ? 'person' : 'company',
  actions: [...connectionActionsFor(caller, { userId: row.user_id, tenantId: row.tenant_id })],
})

const presentFigures = ({ at, ...row }: NonNullable<ShownPost['figures']>): z.input<typeof PostFigures> => ({
  at: new Date(at).toISOString(),
  ...Object.fromEntries(figureNames.flatMap((name) => (row[name] === null ? [] : [[name, row[name]]]))),
})

export const presentPost = (
  row: ShownPost & { history?: PostHistory | null },
  caller: Pick<Caller, 'id' | 'role'>,
): z.input<typeof Post> => ({
  id: row.id,
  projectId: row.project_id,
  projectTitle: row.project_title,
  network: row.network,
  ...(row.account === null || row.connection_id === null
    ? {}
    : { account: row.account, connectionId: row.connection_id }),
  words: row.words,
  ...(row.title === null ? {} : { title: row.title }),
  dueAt: row.due_at.toISOString(),
  ...(row.scheduled_at === null ? {} : { videoAt: row.scheduled_at.toISOString() }),
  state: row.state,
  ...(row.failure === null
    ? {}
    : { failure: { kind: row.failure, words: `${row.failure_words ?? ''} ${wayOn[row.failure]}`.trim() } }),
  ...(row.next_at === null || hasEnded(row.state) ? {} : { nextAt: row.next_at.toISOString() }),
  ...(row.privacy === null ? {} : { privacy: row.privacy }),
  ...(row.cover_ms === null ? {} : { coverMs: row.cover_ms }),
  ...(row.captions === null ? {} : { captions: row.captions }),
  ...(row.tiktok === null
    ? {}
    : { tiktok: { ...row.tiktok, allows: [...row.tiktok.allows], discloses: [...row.tiktok.discloses] } }),
  ...(row.fit === null ? {} : { isFitted: true }),
  ...(remarksOf(row).length === 0 ? {} : { remarks: remarksOf(row) }),
  ...(row.address === null ? {} : { address: row.address }),
  ...(row.live_at === null ? {} : { liveAt: row.live_at.toISOString() }),
  ...(row.figures === null ? {} : { figures: presentFigures(row.figures) }),
  ...(row.history
    ? {
        history: row.history.map(({ event, at, due_at: dueAt, changed }) => ({
          event,
          at: new Date(at).toISOString(),
          ...(dueAt === null ? {} : { dueAt }),
          ...(changed === null ? {} : { changed }),
        })),
      }
    : {}),
  actions: actionsFor(row, caller),
  ...(row.comment === null ? {} : { comment: presentComment(row.comment) }),
})

const presentComment = ({ words, state, failure, failure_words: why }: NonNullable<ShownPost['comment']>) => ({
  words,
  state,
  ...(failure === null ? {} : { failure: { kind: failure, words: `${why ?? ''} ${commentWayOn[failure]}`.trim() } }),
})
const commentWayOn = {
  ...wayOn,
  retry: 'Try again here.',
  permanent: 'Write it there yourself, or try again.',
  limit: 'The network takes no more for now. Try again tomorrow.',
  policy: 'Look at the account for a message of the network’s.',
} as const

/** What its network did not take of it, with the way on. */
const remarksOf = ({ network, handles }: ShownPost): string[] => {
  const { name } = limits[network]
  return [
    ...(handles['cover'] === 'refused'
      ? [`${name} did not take the cover. Set it there, or ask ${name} for the right to set covers.`]
      : []),
    ...(handles['captions'] === 'refused' ? [`${name} did not take the captions. Add them there.`] : []),
  ]
}

/** Nothing is offered that would be refused: the officer's own, and what a company's ADMIN does with its accounts. */
const actionsFor = (row: ShownPost, { id, role }: Pick<Caller, 'id' | 'role'>) => {
  const actions = postActionsFor(row.state, {
    isApproved: row.is_approved,
    isRecut: row.approved_file_id !== null && !row.is_approved,
    isScheduled: row.scheduled_at !== null,
    isUsable: row.account !== null,
    isLatest: row.is_latest,
    canTakeDown: limits[row.network].canTakeDown && row.remote_id !== null && row.is_removable,
  })
  const ofComment =
    row.comment === null || row.state !== 'live'
      ? []
      : commentActionsFor(row.comment.state, { isUsable: row.account !== null })
  const isAnswer = (action: string) => row.state === 'unconfirmed' && (action === 'confirm' || action === 'deny')
  return [...actions, ...ofComment].filter((action) => {
    if (action === 'remove') return mayEver(role, 'post.remove')
    return row.user_id === id || (isAnswer(action) && row.is_orphan && mayEver(role, 'post.answer'))
  })
}
