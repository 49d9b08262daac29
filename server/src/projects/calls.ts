import { projects } from '@clear-to-post/contract/projects'
import { refusal } from '@clear-to-post/contract/errors'
import { assetsById, sourcesUrl } from '../assets/actions.ts'
import { captionLanguages } from '../edits/actions.ts'
import type { Caller, Reader } from '../kernel/database.ts'
import { on, onOpen, onRead, type Context } from '../kernel/call.ts'
import {
  answer,
  assign,
  comment,
  deny,
  requestRevision,
  reschedule,
  schedule,
  sendToApproval,
  startEdition,
} from './actions.ts'
import { answerComment, deleteComment, editComment, tickComment } from './comments.ts'
import { advance } from './advance.ts'
import { allowanceByMonth, mayUseFreeVideo } from './allowance.ts'
import { createProject } from './create.ts'
import { presentComment, presentCut } from './present.ts'
import { listProjects, readCaptions, readProject, projectsOfUser } from './read.ts'
import { commentsOf } from './comment-store.ts'
import { cutsOf, decisionsOf, editorFor, isVisible, nextFor, officerFor, poolSize, triageOf } from './store.ts'
import { mayName } from '@clear-to-post/domain/access'

export const projectsCalls = [
  onRead(projects.list, ({ query }, { tx, caller, now }) => listProjects(tx, caller, query, now)),
  onRead(projects.history, ({ params, query }, { tx, caller, now }) =>
    projectsOfUser(tx, caller, own(caller, params.userId), query, now),
  ),
  onRead(projects.find, ({ params }, { tx, caller, now }) => readProject(tx, caller, params.projectId, now)),
  onRead(projects.next, async ({ params: { userId } }, { tx, caller, now }) => {
    if (!mayName(caller, 'project.next', userId)) throw refusal('account.not-found')
    const editor = userId === caller.id ? caller : await editorFor(tx, caller, userId)
    if (!editor) throw refusal('account.not-found')
    const next = await nextFor(tx, editor, userId, { lock: false })
    if (!next) throw refusal('project.queue-empty')
    return readProject(tx, caller, next.id, now)
  }),
  on(projects.create, async ({ body }, { tx, caller, now }) =>
    readProject(tx, caller, await createProject(tx, caller, body, now), now),
  ),
  on(projects.start, async ({ body }, { tx, caller, now }) =>
    readProject(tx, caller, await startEdition(tx, caller, body?.projectId, now), now),
  ),
  on(projects.reorder, ({ body: { projectId, position } }, context) =>
    moved(projectId, context, advance(context.tx, context.caller, projectId, 'reorder', { position }, context.now)),
  ),
  on(projects.send, ({ params, body }, context) =>
    moved(params.projectId, context, sendToApproval(context.tx, context.caller, params.projectId, body, context.now)),
  ),
  on(projects.approve, ({ params, body }, context) =>
    moved(
      params.projectId,
      context,
      advance(
        context.tx,
        context.caller,
        params.projectId,
        'approve',
        { publishAt: utc(body?.publishAt), cut: body?.cut },
        context.now,
        {
          seq: body?.seq,
          ...(body?.publishAt
            ? { metadata: { publishAt: utc(body.publishAt) }, changes: { destinations: ['download'] } }
            : {}),
        },
      ),
    ),
  ),
  on(projects.deny, ({ params, body }, context) =>
    moved(params.projectId, context, deny(context.tx, context.caller, params.projectId, body, context.now)),
  ),
  on(projects.review, ({ params, body }, context) =>
    moved(params.projectId, context, requestRevision(context.tx, context.caller, params.projectId, body, context.now)),
  ),
  on(projects.schedule, ({ params, body }, context) =>
    moved(params.projectId, context, schedule(context.tx, context.caller, params.projectId, body, context.now)),
  ),
  on(projects.reschedule, ({ params, body }, context) =>
    moved(params.projectId, context, reschedule(context.tx, context.caller, params.projectId, body, context.now)),
  ),
  on(projects.cancel, ({ params: { projectId }, query: { seq } }, context) =>
    moved(projectId, context, advance(context.tx, context.caller, projectId, 'cancel', {}, context.now, { seq })),
  ),
  ...(['unschedule', 'rollback'] as const).map((verb) =>
    on(projects[verb], ({ params: { projectId }, body }, context) =>
      moved(
        projectId,
        context,
        advance(context.tx, context.caller, projectId, verb, {}, context.now, { seq: body?.seq }),
      ),
    ),
  ),
  on(projects.assign, ({ params, body }, context) =>
    moved(params.projectId, context, assign(context.tx, context.caller, params.projectId, body, context.now)),
  ),
  on(projects.free, async (_, { tx, caller, now }) => ({ canCreate: await mayUseFreeVideo(tx, caller, now) })),
  on(projects.allowance, async (_, { tx, caller, now }) => ({ months: await allowanceByMonth(tx, caller.id, now) })),
  on(projects.allowanceOf, async ({ params: { userId } }, { tx, caller, now }) => {
    if (!(await officerFor(tx, caller, userId))) throw refusal('account.not-found')
    return { months: await allowanceByMonth(tx, userId, now) }
  }),
  onRead(projects.pool, async (_, { tx, caller }) => ({ size: await poolSize(tx, caller) })),
  // As the service it looks at how cuts were rendered.
  on(projects.cuts, async ({ params: { projectId } }, { tx, caller, now }) => {
    await requireVisible(tx, caller, projectId)
    const cuts = await cutsOf(tx, caller, projectId)
    const assets = await assetsById(
      tx,
      cuts.map(({ asset_id }) => asset_id),
    )
    const posted = cuts.filter(({ verdict }) => verdict === 'waiting' || verdict === 'approved')
    const captions = await captionLanguages(
      tx,
      posted.map(({ asset_id }) => asset_id),
    )
    return {
      items: cuts.map((cut) => presentCut(cut, assets.get(cut.asset_id)!, captions.get(cut.asset_id), now)),
    }
  }),
  // Written in a thread: no transaction stays open meanwhile.
  onOpen(projects.captions, async ({ params }, { database, caller }) => ({
    items: await readCaptions(database, caller!, params),
  })),
  onRead(projects.comments, async ({ params: { projectId } }, { tx, caller }) => {
    await requireVisible(tx, caller, projectId)
    return { items: (await commentsOf(tx, caller, projectId)).map((row) => presentComment(row, caller)) }
  }),
  on(projects.comment, async ({ params, body }, { tx, caller, now }) =>
    presentComment(await comment(tx, caller, params.projectId, body, now), caller),
  ),
  on(projects.tickComment, async ({ params, body }, { tx, caller, now }) =>
    presentComment(await tickComment(tx, caller, params, body.isDone, now), caller),
  ),
  on(projects.answerComment, async ({ params, body }, { tx, caller, now }) =>
    presentComment(await answerComment(tx, caller, params, body.text, now), caller),
  ),
  on(projects.editComment, async ({ params, body }, { tx, caller, now }) =>
    presentComment(await editComment(tx, caller, params, body.text, now), caller),
  ),
  on(projects.deleteComment, async ({ params }, { tx, caller, now }) =>
    presentComment(await deleteComment(tx, caller, params, now), caller),
  ),
  onRead(projects.triage, async ({ query }, { tx, caller, now }) => {
    const found = await triageOf(tx, caller, now, new Date(query.until))
    return {
      late: found.late,
      dueSoon: found.due_soon,
      unassigned: found.unassigned,
      ...(found.turnaround_hours === null ? {} : { turnaroundHours: found.turnaround_hours }),
    }
  }),
  onRead(projects.decided, async (_, { tx, caller }) => ({
    items: (await decisionsOf(tx, caller)).map((row) => ({
      projectId: row.project_id,
      title: row.title,
      userName: row.user_name,
      ...(row.tenant_name === null ? {} : { tenantName: row.tenant_name }),
      verdict: row.verb === 'approve' ? ('approved' as const) : ('denied' as const),
      ...(row.cut === null ? {} : { cut: row.cut }),
      at: row.at.toISOString(),
      byName: row.by_name,
      isOwn: row.actor_id === caller.id,
      isUndone: row.is_undone,
    })),
  })),
  on(projects.answer, ({ params: { projectId }, body }, context) =>
    moved(projectId, context, answer(context.tx, context.caller, projectId, body, context.now)),
  ),
  onRead(projects.sources, async ({ params: { projectId } }, { tx, caller, now }) => {
    await requireVisible(tx, caller, projectId)
    return { url: sourcesUrl(projectId, caller, now) }
  }),
]

const moved = async (projectId: string, { tx, caller, now }: Context, step: Promise<void>) => {
  await step
  return readProject(tx, caller, projectId, now)
}

const own = (caller: Caller, userId: string): string => {
  if (!mayName(caller, 'project.history', userId)) throw refusal('account.not-found')
  return userId
}

const requireVisible = async (tx: Reader, caller: Caller, projectId: string) => {
  if (!(await isVisible(tx, caller, projectId))) throw refusal('project.not-found')
}

// Times may come with any offset; they are kept and told in UTC.
const utc = <T extends string | undefined>(time: T): T =>
  (time === undefined ? undefined : new Date(time).toISOString()) as T
