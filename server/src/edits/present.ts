import type { Edit, Render, RenderAhead } from '@clear-to-post/contract/edits'
import { editActionsFor, renderActionsFor } from '@clear-to-post/domain/edits'
import { isRenderedAhead } from '@clear-to-post/domain/render-ahead'
import { clipsNamed, upgrade, type Recipe } from '@clear-to-post/edit/recipe'
import { assetsById, filesOf, fileUrl, namedFiles, presentAsset, type AssetRow } from '../assets/actions.ts'
import { clipsShown } from '../clips/actions.ts'
import type { Caller, Reader } from '../kernel/database.ts'
import { factsOf } from './actions.ts'
import { findEdit, type EditedProject, type RenderAheadRow, type ShownRender } from './store.ts'

/** The edit of a project that the caller may see, with its files. */
export const presentEdit = async (tx: Reader, caller: Caller, project: EditedProject, now: Date): Promise<Edit> => {
  const edit = await findEdit(tx, caller, project.id)
  const own = (await filesOf(tx, project.id)).filter(({ state }) => state === 'ready')
  // The brand's logo is no file of the project, but the edit shows it.
  const { logo, clips } = namesIn(edit?.recipe)
  const brought =
    logo && !own.some(({ id }) => id === logo) ? await namedFiles(tx, [logo], project.id) : new Map<string, AssetRow>()
  const assets = [...own, ...[...brought.values()].filter((row) => row.project_id === null)]
  return {
    projectId: project.id,
    state: edit?.state ?? 'none',
    revision: edit?.revision ?? 0,
    script: edit?.script || (project.caption_suggestion ?? ''),
    actions: [...editActionsFor(caller, factsOf(project))],
    assets: assets.map((row) => presentAsset(row, now)),
    clips: await clipsShown(tx, caller, clips, now),
    ...optional('stage', edit?.stage),
    ...optional('progress', edit?.progress),
    ...optional('reason', edit?.reason),
    ...optional('recipe', edit?.recipe as Edit['recipe']),
    ...optional('firstCut', edit?.first_cut as Edit['firstCut']),
    ...optional('transcript', edit?.transcript),
    ...optional('modified', edit?.modified_at.toISOString()),
  }
}

/** What a saved recipe names, without reading it whole again: that takes many times as long as answering it. */
const namesIn = (document: unknown): { logo: string | null | undefined; clips: string[] } => {
  const { document: recipe } = upgrade(document) as { document?: Recipe }
  return { logo: recipe?.brand.logo, clips: recipe ? clipsNamed(recipe) : [] }
}

export const presentRenders = async (
  tx: Reader,
  caller: Caller,
  project: EditedProject,
  rows: readonly ShownRender[],
  now: Date,
): Promise<Render[]> => {
  const assets = await assetsById(
    tx,
    rows.flatMap(({ asset_id }) => asset_id ?? []),
  )
  return rows.map((row) => ({
    ...presentRender(row, assets.get(row.asset_id ?? ''), now),
    actions: renderActionsFor(caller, factsOf(project), row),
  }))
}

/** What is ready is of the revision that was looked at last; where its successor is given up, nothing is. */
export const presentAhead = (
  project: EditedProject,
  row: Pick<RenderAheadRow, 'revision' | 'state' | 'chunks_of' | 'length_ms' | 'ready'> | undefined,
  files: readonly AssetRow[],
  now: Date,
): RenderAhead => {
  const isKnown = row !== undefined && (row.chunks_of === row.revision || row.state !== 'stopped')
  return {
    revision: (isKnown ? row.chunks_of : row?.revision) ?? 0,
    state: isRenderedAhead(factsOf(project)) ? (row?.state ?? 'waiting') : 'off',
    length: (isKnown && row.length_ms) || 0,
    ready: isKnown ? row.ready.map(([from, to]) => ({ from, to })) : [],
    cleaned: files.flatMap(({ id: assetId, derived: { cleanedBy: louder } }) =>
      louder === undefined ? [] : { assetId, louder },
    ),
    shakes: files.flatMap(({ id: assetId, derived: { shake } }) =>
      shake ? { assetId, fps: shake.fps, url: shake.path === null ? null : fileUrl(assetId, shake.path, now) } : [],
    ),
    tones: files.flatMap(({ id: assetId, derived: { tone } }) =>
      tone ? { assetId, louder: tone.louder, url: tone.path === null ? null : fileUrl(assetId, tone.path, now) } : [],
    ),
  }
}

const presentRender = (row: ShownRender, asset: AssetRow | undefined, now: Date): Omit<Render, 'actions'> => ({
  id: row.id,
  projectId: row.project_id,
  revision: row.revision,
  state: row.state,
  changes: row.changes ?? [],
  askedAt: row.asked_at.toISOString(),
  ...optional('stage', row.stage),
  ...optional('progress', row.progress),
  ...optional('secondsLeft', row.seconds_left),
  ...optional('reason', row.reason),
  ...optional('asset', asset && presentAsset(asset, now)),
})

const optional = <Key extends string, Value>(key: Key, value: Value | null | undefined): { [K in Key]?: Value } =>
  value === null || value === undefined ? {} : ({ [key]: value } as { [K in Key]?: Value })
