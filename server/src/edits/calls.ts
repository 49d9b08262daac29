import { edits } from '@clear-to-post/contract/edits'
import { refusal } from '@clear-to-post/contract/errors'
import { jobCodeOf } from '@clear-to-post/domain/job-code'
import { filesOf, kitUrl } from '../assets/actions.ts'
import { clipsForWords } from '../clips/actions.ts'
import type { Caller, Reader } from '../kernel/database.ts'
import { on, onRead, type Mounted } from '../kernel/call.ts'
import {
  cancelRender,
  changeGlossary,
  makeFirstCut,
  requireProject,
  ruleFigures,
  retryRender,
  saveEdit,
  startRender,
} from './actions.ts'
import { presentAhead, presentEdit, presentRenders } from './present.ts'
import { findEdit, findRender, findRenderAhead, glossaryOf, officerInReach, rendersOf } from './store.ts'

export const editsCalls: Mounted[] = [
  onRead(edits.find, async ({ params: { projectId } }, { tx, caller, now }) =>
    presentEdit(tx, caller, await requireProject(tx, caller, projectId), now),
  ),
  on(edits.save, async ({ params: { projectId }, body }, { tx, caller, now }) => ({
    revision: await saveEdit(tx, caller, projectId, body, now),
    modified: now.toISOString(),
  })),
  on(edits.make, async ({ params: { projectId }, body }, { tx, caller, now }) => {
    await makeFirstCut(tx, caller, projectId, body.script, now)
    return presentEdit(tx, caller, await requireProject(tx, caller, projectId), now)
  }),
  onRead(edits.clips, async ({ params: { projectId }, query }, { tx, caller, now }) => {
    const { tenant_id } = await requireProject(tx, caller, projectId)
    return clipsForWords(tx, caller, tenant_id, query, now)
  }),
  onRead(edits.renders, async ({ params: { projectId } }, { tx, caller, now }) => {
    const project = await requireProject(tx, caller, projectId)
    return { items: await presentRenders(tx, caller, project, await rendersOf(tx, caller, projectId), now) }
  }),
  onRead(edits.ahead, async ({ params: { projectId } }, { tx, caller, now }) => {
    const project = await requireProject(tx, caller, projectId)
    return presentAhead(project, await findRenderAhead(tx, caller, projectId), await filesOf(tx, projectId), now)
  }),
  on(edits.render, async ({ params: { projectId }, body }, { tx, caller, now }) =>
    readRender(tx, caller, await startRender(tx, caller, projectId, body.revision, now), now),
  ),
  on(edits.cancelRender, async ({ params: { renderId } }, { tx, caller, now }) => {
    await cancelRender(tx, caller, renderId, now)
    return readRender(tx, caller, renderId, now)
  }),
  on(edits.retryRender, async ({ params: { renderId } }, { tx, caller, now }) =>
    readRender(tx, caller, await retryRender(tx, caller, renderId, now), now),
  ),
  onRead(edits.handOver, async ({ params: { projectId } }, { tx, caller, now }) => {
    await requireProject(tx, caller, projectId)
    if (!(await findEdit(tx, caller, projectId))?.recipe) throw refusal('edit.none')
    return { url: kitUrl(projectId, caller, now), jobCode: jobCodeOf(projectId) }
  }),
  onRead(edits.rules, ({ query: { days } }, { tx, caller, now }) => ruleFigures(tx, caller, days, now)),
  onRead(edits.glossary, ({ params: { userId } }, { tx, caller }) => readGlossary(tx, caller, userId)),
  on(edits.changeGlossary, async ({ params: { userId }, body }, { tx, caller, now }) => {
    await changeGlossary(tx, caller, userId, body, now)
    return readGlossary(tx, caller, userId)
  }),
]

const readRender = async (tx: Reader, caller: Caller, renderId: string, now: Date) => {
  const row = (await findRender(tx, caller, renderId))!
  return (await presentRenders(tx, caller, await requireProject(tx, caller, row.project_id), [row], now))[0]!
}

const readGlossary = async (tx: Reader, caller: Caller, userId: string) => {
  const officer = await officerInReach(tx, caller, userId)
  if (!officer) throw refusal('account.not-found')
  return { own: await glossaryOf(tx, userId), company: await glossaryOf(tx, officer.tenant_id) }
}
