import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { CallAnswer } from '@clear-to-post/contract/call'
import { edits } from '@clear-to-post/contract/edits'
import { projects, type Project } from '@clear-to-post/contract/projects'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { makeClip } from '@clear-to-post/media/make-clip'
import { putFile } from '../src/assets/actions.ts'
import { ingestAsset } from '../src/assets/ingest.ts'
import { sql } from '../src/kernel/database.ts'
import { prepareFirstCut } from '../src/edits/first-cut.ts'
import { manyChunks } from './recipes.ts'
import { callAs, makeOfficer, makePerson, type Person, type Service } from './service.ts'

/** An officer and an editor, and videos of theirs that are ready to be rendered. */
export const openRenders = async (service: Service) => {
  const folder = await mkdtemp(join(tmpdir(), 'clear-to-post-renders-'))
  const path = join(folder, 'take.mp4')
  await makeClip({ out: path, seconds: 4, width: 180, height: 320, hue: 40 })
  const officer = await makeOfficer(service)
  const editor = await makePerson(service, 'Editor', { tenantId: officer.tenantId })
  return {
    ...rendersOn(service, { path, officer, editor }),
    /** The same people and videos, on a service that began with a copy of this one. */
    on: (copy: Service) => rendersOn(copy, { path, officer, editor }),
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

const rendersOn = (service: Service, { path, officer, editor }: { path: string; officer: Person; editor: Person }) => {
  const context = {
    database: service.database,
    log: pino({ level: 'silent' }),
    signal: new AbortController().signal,
    attempt: 1,
    lastAttempt: true,
  }
  return {
    editor,
    /**
     * A started project whose saved recipe makes seven chunks, `shortSide` points narrow; another `shift` (ms) shares
     * none.
     */
    prepare: async (shift: number, shortSide = 180): Promise<{ project: Project; revision: number }> => {
      const source = await putFile(service.database, officer, { path }, context)
      await ingestAsset(context, source)
      const body = { title: 'Rates', assets: [source] }
      const { id } = await callAs(service, officer)(projects.create, { body })
      await prepareFirstCut(context, id)
      const project = await callAs(service, editor)(projects.start, { body: { projectId: id } })
      const at = { params: { projectId: id } }
      const { recipe, revision } = await callAs(service, editor)(edits.find, at)
      const longer = manyChunks(shift)(recipe as Recipe)
      const small = { ...longer, output: { ...longer.output, shortSide } }
      const saved = await callAs(service, editor)(edits.save, { ...at, body: { revision, recipe: small } })
      return { project, revision: saved.revision }
    },
    rendersOf: async ({ id }: Pick<Project, 'id'>): Promise<CallAnswer<typeof edits.renders>['items']> =>
      (await callAs(service, editor)(edits.renders, { params: { projectId: id } })).items,
    /** The ids of every file that is a cut of this project, sent or not. */
    cutsOf: async ({ id }: Pick<Project, 'id'>): Promise<string[]> =>
      (
        await service.database.asSystem((tx) =>
          tx.rows(sql<{ id: string }>`select id from asset where project_id = ${id} and purpose = 'cut'`),
        )
      ).map((row) => row.id),
  }
}
