import { join } from 'node:path'
import type { Fit } from '@clear-to-post/domain/network-fits'
import { coverFile, fitFile, makeCover, makeFit } from '@clear-to-post/media/fit'
import { probe, type Probe } from '@clear-to-post/media/probe'
import { namePostedFile } from '../assets/actions.ts'
import { isOfTheMachine, runAttempt, unlessOvertaken } from '../kernel/attempt.ts'
import { sql, type Database, type Tx } from '../kernel/database.ts'
import { hashFile } from '../kernel/hash-file.ts'
import { enqueue } from '../kernel/queue.ts'
import type { JobContext } from '../kernel/work.ts'
import { storage } from '../outside/storage.ts'

/** What is made of an approved file: the same video within bounds, or one of its pictures. */
export type FileRecipe = { fit: Fit } | { coverMs: number }

/** A file that was made of an approved one: which bytes it was made of, and which came of them. */
export type PostFileRow = {
  id: string
  asset_id: string
  parent_sha256: string
  recipe: FileRecipe
  sha256: string | null
  bytes: number | null
  width: number | null
  height: number | null
  name: string | null
  problem: string | null
}
const columns = sql`
  f.id, f.asset_id, f.parent_sha256, f.recipe, f.sha256, f.bytes::float8 as bytes, f.width, f.height, f.name, f.problem`

export const postFileById = (tx: Tx, id: string) =>
  tx.first(sql<PostFileRow>`select ${columns} from post_file f where f.id = ${id}`)

/** The file that is made of this one, made once for all posts that want the same; its job is enqueued where none waits or runs. */
export const wantFile = async (
  tx: Tx,
  wanted: { assetId: string; sha256: string; recipe: FileRecipe; owner: string },
): Promise<PostFileRow> => {
  const { assetId, sha256 } = wanted
  const recipe = JSON.stringify(wanted.recipe)
  await tx.count(sql`
    insert into post_file (asset_id, parent_sha256, recipe) values (${assetId}, ${sha256}, ${recipe}::jsonb) on conflict do nothing`)
  const row = (await tx.first(sql<PostFileRow & { is_enqueued: boolean }>`
    select ${columns}, exists (
      select from pgboss.job j where j.name = 'post-file' and j.state < 'completed' and j.data ->> 'fileId' = f.id::text) as is_enqueued
    from post_file f where f.asset_id = ${assetId} and f.parent_sha256 = ${sha256} and f.recipe = ${recipe}::jsonb for update`))!
  if (row.sha256 === null && row.problem === null && !row.is_enqueued)
    await enqueue(tx, 'post-file', { fileId: row.id }, { owner: wanted.owner })
  return row
}

/** What could not be made is tried again where its officer posts again. */
export const forgetProblems = (tx: Tx, assetId: string) =>
  tx.count(
    sql`update post_file set problem = null, crashes = 0, is_running = false where asset_id = ${assetId} and problem is not null`,
  )

type Run = JobContext & { id: string; asset_id: string; parent_sha256: string; recipe: FileRecipe; attempt: number }

/**
 * Makes one such file. The bytes that it is made of are hashed first, and so are those that came of them; both stand in its record,
 * and whatever posts it compares them again. Of two runs the newest counts. Throws what is worth another try.
 */
export const makePostFile = async (context: JobContext, fileId: string): Promise<void> => {
  const row = await context.database.asSystem((tx) =>
    tx.first(sql<Pick<Run, 'id' | 'asset_id' | 'parent_sha256' | 'recipe' | 'attempt'> & { crashes: number }>`
      update post_file set attempt = attempt + 1, crashes = crashes + is_running::integer, is_running = true
      where id = ${fileId} and sha256 is null and problem is null
      returning id, asset_id, parent_sha256, recipe, attempt, crashes`),
  )
  if (!row) return
  const run: Run = { ...context, ...row }
  await runAttempt(run, {
    about: { fileId },
    crashes: row.crashes,
    work: () => make(run),
    isWorthAnotherTry: (why) => !run.lastAttempt || isOfTheMachine(why),
    pause: async () => {
      await write(run, sql`is_running = false`)
      return false
    },
    giveUp: () => refuse(run),
  })
}

/** Did it run when its worker died? */
export const postFileCrashed = async (database: Database, fileId: string): Promise<boolean> =>
  (await database.asSystem((tx) =>
    tx.count(sql`select from post_file where id = ${fileId} and is_running and sha256 is null`),
  )) === 1

const make = async (run: Run): Promise<void> => {
  const { id, asset_id: assetId, recipe, signal } = run
  await storage().requireRoom('work')
  const parent = await run.database.asSystem((tx) =>
    tx.first(sql<{ name: string; probe: Probe | null }>`
      select derived ->> 'original' as name, probe from asset where id = ${assetId} and derived ? 'original'`),
  )
  await using local = storage().copies(signal)
  const source = parent && (await local.of(assetId, parent.name))
  if (!source) return refuse(run)
  // Made of these bytes and no others: the record says which, and the post compares it with what was approved.
  if ((await hashFile(source, signal)).sha256 !== run.parent_sha256) return refuse(run)
  const found = parent.probe ?? (await probe(source, { signal }))
  if (!found.ok) return refuse(run)
  const folder = folderOf(run)
  const outDir = await storage().makeFolder(assetId, folder)
  const job = { source, outDir, probe: found, signal }
  const made =
    'fit' in recipe ? await makeFit({ ...job, fit: recipe.fit }) : await makeCover({ ...job, atMs: recipe.coverMs })
  if (!made.ok) return refuse(run)
  const file = 'fit' in recipe ? fitFile : coverFile
  const path = join(outDir, file)
  const is = await probe(path, { signal })
  if (!is.ok) return refuse(run)
  const { sha256, bytes } = await hashFile(path, signal)
  const name = `${folder}/${file}`
  await storage().settle(assetId, name)
  await run.database.asSystem(async (tx) => {
    // The file's row names it in the same step: a file that is erased meanwhile stays erased.
    if ((await namePostedFile(tx, assetId, { id, name })) === 0) return
    unlessOvertaken(
      await tx.first(sql`
        update post_file set sha256 = ${sha256}, bytes = ${bytes}, width = ${is.video?.width ?? null},
          height = ${is.video?.height ?? null}, name = ${name}, made_at = now(), is_running = false
        where id = ${id} and attempt = ${run.attempt} returning id`),
    )
  })
}

/** Folders of a file's own work have small numbers; these are long ones, and no two are the same. */
const folderOf = ({ id, attempt }: Run): string =>
  `${BigInt(`0x1${id.replaceAll('-', '').slice(-12)}`)}${String(attempt).padStart(2, '0')}`

const refuse = (run: Run): Promise<void> =>
  write(
    run,
    sql`problem = 'No file that fits could be made of the approved one. Ask for another cut.', is_running = false`,
  )

const write = async (run: Run, changes: ReturnType<typeof sql>): Promise<void> => {
  unlessOvertaken(
    await run.database.asSystem((tx) =>
      tx.first(sql`update post_file set ${changes} where id = ${run.id} and attempt = ${run.attempt} returning id`),
    ),
  )
}
