import { isDeepStrictEqual } from 'node:util'
import { refusal } from '@clear-to-post/contract/errors'
import { mayRenderAgain } from '@clear-to-post/domain/crashes'
import { editActionsFor, isEditAtRest, type EditAction } from '@clear-to-post/domain/edits'
import { outcomeNames, refusedScript } from '@clear-to-post/domain/first-cut'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { differenceOf } from '@clear-to-post/edit/difference'
import { readRecipe } from '@clear-to-post/edit/read-recipe'
import { filesNamed, type Recipe } from '@clear-to-post/edit/recipe'
import { lengthProblems } from '@clear-to-post/edit/render-length'
import { outcomesOf } from '@clear-to-post/edit/rule-outcomes'
import { timelineOf } from '@clear-to-post/edit/timeline'
import { assetsById, picturesAmong } from '../assets/actions.ts'
import { clipsOffered, noteClipUse } from '../clips/actions.ts'
import type { Caller, Reader, Tx } from '../kernel/database.ts'
import { enqueueInTurn } from '../kernel/enqueue-in-turn.ts'
import { asService } from '../kernel/tenancy.ts'
import { textOf } from './first-cut.ts'
import { enqueueFirstCut, recordedMs } from './first-cut-queue.ts'
import { queueRenderAhead } from './queue-ahead.ts'
import {
  addRender,
  awaitFirstCut,
  crashesOf,
  findEdit,
  findRender,
  firstCutOf,
  forgetOldRenders,
  keepAuthor,
  lastRendered,
  lockProjectInReach,
  outcomesSince,
  videosSince,
  holdGlossary,
  holdOfficerInReach,
  projectInReach,
  recipeOfRender,
  renderShowing,
  saveRecipe,
  isRendered,
  isRendering,
  stopRender,
  stopFirstCutOf,
  stopRendersOf,
  writeGlossary,
  type EditedProject,
  type Entry,
} from './store.ts'

export { enqueueFirstCut } from './first-cut-queue.ts'
export { kitOf, type Kit } from './kit.ts'
export { moveGlossary } from './store.ts'
export { captionLanguages, captionsIn, captionsToRead, type Captions } from './caption-files.ts'

/** What the domain reads of an edit's project. */
export const factsOf = ({ editor_id: editorId, status }: EditedProject) => ({ editorId, status })

/** Throws project.not-found. */
export const requireProject = async (tx: Reader, caller: Caller, projectId: string): Promise<EditedProject> => {
  const project = await projectInReach(tx, caller, projectId)
  if (!project) throw refusal('project.not-found')
  return project
}

/**
 * Saves a recipe that was made from `revision`. Throws project.not-found, edit.not-yours, edit.at-rest, edit.invalid with a sentence
 * for each problem, asset.not-found for files that are not the project's, edit.changed.
 */
export const saveEdit = async (
  tx: Tx,
  caller: Caller,
  projectId: string,
  { recipe: document, revision }: { recipe: unknown; revision: number },
  now: Date,
): Promise<number> => {
  const project = await requireAction(tx, caller, projectId, 'save')
  const { recipe, problems } = readRecipe(document)
  if (!recipe)
    throw refusal(
      'edit.invalid',
      `This edit cannot be used. ${problems[0]?.text ?? ''}`,
      problems.map(({ where, text }) => ({ path: `body.recipe.${where}`, message: text })),
    )
  await requireFiles(tx, project, recipe, (await findEdit(tx, caller, projectId))?.recipe)
  const saved = await saveRecipe(tx, projectId, { recipe, revision, by: caller.id, now })
  if (!saved) throw refusal('edit.changed')
  await keepAuthor(tx, project, caller.id, now)
  await noteClipUse(tx, { id: projectId, tenantId: project.tenant_id }, filesNamed(recipe))
  await queueRenderAhead(tx, project, saved.revision, now)
  return saved.revision
}

/** Has the words found and the first cut made again. Throws project.not-found, edit.not-yours, edit.at-rest, edit.script-too-long. */
export const makeFirstCut = async (
  tx: Tx,
  caller: Caller,
  projectId: string,
  script: string | undefined,
  now: Date,
): Promise<void> => {
  const project = await requireAction(tx, caller, projectId, 'make')
  const tooLong = script === undefined ? null : refusedScript(textOf(script), await recordedMs(tx, projectId))
  if (tooLong) throw refusal('edit.script-too-long', tooLong)
  await awaitFirstCut(tx, project, script ?? null, now)
  await keepAuthor(tx, project, caller.id, now)
  await enqueueFirstCut(tx, project)
}

/**
 * Asks for the finished file of the recipe as saved at `revision`. Who has many open renders goes behind who has few.
 * Answers the render's id, that of the newest finished one where it shows this recipe already; throws project.not-found, edit.not-yours, edit.at-rest, edit.changed, edit.empty, edit.too-long,
 * render.crashed, render.running.
 */
export const startRender = async (
  tx: Tx,
  caller: Caller,
  projectId: string,
  revision: number,
  now: Date,
): Promise<string> => {
  const project = await requireAction(tx, caller, projectId, 'render')
  if (await isRendering(tx, projectId)) throw refusal('render.running')
  const edit = await findEdit(tx, caller, projectId)
  if (!edit?.recipe || edit.revision !== revision) throw refusal('edit.changed')
  const { recipe } = readRecipe(edit.recipe)
  if (recipe && timelineOf(recipe).pieces.length === 0) throw refusal('edit.empty')
  return queueRender(tx, caller, project, { revision, stored: edit.recipe, recipe }, now)
}

/** Stops a render. One that has ended stays as it is. Throws render.not-found, edit.not-yours, edit.at-rest. */
export const cancelRender = async (tx: Tx, caller: Caller, renderId: string, now: Date): Promise<void> => {
  const render = (await findRender(tx, caller, renderId)) ?? noRender()
  await requireAction(tx, caller, render.project_id, 'render')
  await stopRender(tx, renderId, now)
}

/**
 * Stops the open renders of a project that loses its right, under the project's lock, and answers whether one had been
 * finished before. As the service: officers see no renders.
 */
export const stopRenders = (tx: Tx, projectId: string, now: Date): Promise<{ isRendered: boolean }> =>
  asService(tx, async () => {
    // One that is being finished is waited for: it is done then, and counts.
    await stopRendersOf(tx, projectId, now)
    return { isRendered: await isRendered(tx, projectId) }
  })

/** Stops the first cut that is just being made; one that waits is not begun while the video is canceled. */
export const stopFirstCut = (tx: Tx, projectId: string, now: Date) =>
  asService(tx, () => stopFirstCutOf(tx, projectId, now))

/** Renders the same recipe again and answers the new render's id. Throws render.not-found, edit.not-yours, edit.at-rest, edit.too-long, render.crashed, render.running. */
export const retryRender = async (tx: Tx, caller: Caller, renderId: string, now: Date): Promise<string> => {
  const render = (await findRender(tx, caller, renderId)) ?? noRender()
  const project = await requireAction(tx, caller, render.project_id, 'render')
  if (await isRendering(tx, project.id)) throw refusal('render.running')
  const stored = (await recipeOfRender(tx, caller, renderId)) ?? noRender()
  const { recipe } = readRecipe(stored)
  return queueRender(tx, caller, project, { revision: render.revision, stored, recipe }, now)
}

/**
 * Removes and adds words of an officer, or of their company; all others stay, whoever added them meanwhile. Throws
 * account.not-found, tenant.none, glossary.there, glossary.too-many.
 */
export const changeGlossary = async (
  tx: Tx,
  caller: Caller,
  userId: string,
  {
    whose,
    add = [],
    remove = [],
  }: { whose: 'own' | 'company'; add?: readonly Entry[] | undefined; remove?: readonly string[] | undefined },
  now: Date,
): Promise<void> => {
  const officer = await holdOfficerInReach(tx, caller, userId)
  if (!officer) throw refusal('account.not-found')
  if (whose === 'company' && officer.tenant_id === null)
    throw refusal('tenant.none', 'This officer belongs to no company. Keep the words as their own.')
  const id = whose === 'own' ? userId : officer.tenant_id!
  const kept = await holdGlossary(tx, { id, tenantId: officer.tenant_id }, now)
  const removed = new Set(remove.map(inAnyCase))
  const entries = kept.filter(({ term }) => !removed.has(inAnyCase(term)))
  for (const entry of add) {
    const there = entries.find(({ term }) => inAnyCase(term) === inAnyCase(entry.term))
    if (!there) entries.push(entry)
    else if (!isDeepStrictEqual(there, entry))
      throw refusal(
        'glossary.there',
        `“${there.term}” is there already, written or sounding otherwise. Remove it first, then add it as it should be.`,
      )
  }
  if (entries.length > mostKept.words) throw refusal('glossary.too-many')
  await writeGlossary(
    tx,
    id,
    entries.toSorted((a, b) => a.term.localeCompare(b.term)),
  )
}

const inAnyCase = (term: string) => term.toLowerCase()

/** Locks the project, so that it still has its right when the transaction ends: see docs/decisions/0416. */
const requireAction = async (tx: Tx, caller: Caller, projectId: string, action: EditAction): Promise<EditedProject> => {
  const project = await lockProjectInReach(tx, caller, projectId)
  if (!project) throw refusal('project.not-found')
  if (editActionsFor(caller, factsOf(project)).includes(action)) return project
  throw isEditAtRest(factsOf(project)) ? refusal('edit.at-rest') : refusal('edit.not-yours')
}

const queueRender = async (
  tx: Tx,
  caller: Caller,
  project: EditedProject,
  { revision, stored, recipe }: { revision: number; stored: unknown; recipe: Recipe | undefined },
  now: Date,
): Promise<string> => {
  const { id: projectId, tenant_id: tenantId } = project
  const rendered = await renderShowing(tx, projectId, { recipe: stored, revision })
  if (rendered) return rendered.id
  const [tooLong] = recipe ? lengthProblems(recipe) : []
  if (tooLong) throw refusal('edit.too-long', tooLong.text)
  if (!mayRenderAgain(caller.role, await crashesOf(tx, projectId, stored))) throw refusal('render.crashed')
  const last = await lastRendered(tx, projectId)
  const before = last && readRecipe(last).recipe
  // Said here once: whoever reads the list of renders waits for no comparison.
  const changes = before && recipe ? differenceOf(before, recipe) : []
  const made = await firstCutOf(tx, projectId)
  const first = made && readRecipe(made).recipe
  const outcomes = first && recipe ? outcomesOf(first, recipe) : null
  const added = { projectId, tenantId, revision, recipe: stored, changes, outcomes, by: caller.id, now }
  const render = await addRender(tx, added)
  if (!render) throw refusal('render.running')
  await asService(tx, () => forgetOldRenders(tx, projectId, mostKept.endedRenders))
  await enqueueInTurn(tx, 'render', { renderId: render.id }, { owner: project.user_id, company: tenantId ?? undefined })
  return render.id
}

/**
 * What a recipe newly names has to be there, and to be the project's, a logo of its officer or their company, or a clip of
 * their company's B-roll library or the service's. Where `before` cannot be read, all that it names is new.
 */
const requireFiles = async (tx: Tx, project: EditedProject, recipe: Recipe, before: unknown): Promise<void> => {
  const stored = before ? readRecipe(before).recipe : undefined
  const known = new Set(stored ? filesNamed(stored) : [])
  const ids = filesNamed(recipe).filter((id) => !known.has(id))
  const found = await assetsById(tx, ids)
  const shownPictures = await picturesAmong(
    tx,
    [project.user_id, project.tenant_id].filter((id) => id !== null),
    ids,
  )
  const clips = await clipsOffered(tx, project.tenant_id, ids)
  for (const id of ids) {
    const row = found.get(id)
    if (!row || !(row.project_id === project.id || shownPictures.has(id) || clips.has(id)))
      throw refusal('asset.not-found')
    if (row.state !== 'ready') throw refusal('asset.not-ready')
  }
}

const noRender = (): never => {
  throw refusal('render.not-found')
}

/** What editors made of the first cut's rules in the videos that were sent in the last days, rule by rule. */
export const ruleFigures = async (tx: Reader, caller: Caller, days: number, now: Date) => {
  const since = new Date(now.getTime() - days * 86_400_000)
  const sums = new Map((await outcomesSince(tx, caller, since)).map((one) => [one.rule, one]))
  return {
    since: since.toISOString(),
    videos: await videosSince(tx, caller, since),
    items: outcomeNames.map((rule) => ({ kept: 0, undone: 0, added: 0, ...sums.get(rule), rule })),
  }
}
