// npm run bench:ahead: from the press on Render to the finished file, after a quiet bench, after a changed word and after a
// session of editing, through the product's own service, queue and worker; beside a plain transcode of the same length.
import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { edits } from '../contract/src/edits.ts'
import { projects } from '../contract/src/projects.ts'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { timelineOf } from '@clear-to-post/edit/timeline'
import { probe, type Probe } from '@clear-to-post/media/probe'
import { renderAheadJob, renderJob } from '../server/src/edits/jobs.ts'
import { chunks } from '../server/src/edits/render.ts'
import { sql } from '../server/src/kernel/database.ts'
import { openQueue } from '../server/src/kernel/queue.ts'
import { work, type Job } from '../server/src/kernel/work.ts'
import { onDisk } from '../server/test/on-disk.ts'
import { setup } from '../server/test/database.ts'
import { makeEdit } from '../server/test/make-edit.ts'
import { callAs, makeOfficer, makePerson, makeVideo, openService } from '../server/test/service.ts'
import { modelled } from './ahead-model.ts'
import { measured } from './cost.ts'
import { corrections, pauses } from './session.ts'
import { changedWord, drawLogo, fromKit, ownClip, standardJob, transcode } from './standard-job.ts'

const { values: flags } = parseArgs({
  options: {
    /** The footage kit's folder. Without it the bench draws a clip of a minute. */
    footage: { type: 'string' },
    /** Films the kit anew with a key frame every second, as phones do. */
    phone: { type: 'boolean', default: false },
    /** Only what a session comes to, on a clock of its own: in a minute, and the same on every machine. */
    model: { type: 'boolean', default: false },
    /** Leaves out the session, which takes four minutes. */
    short: { type: 'boolean', default: false },
  },
})

const folder = await mkdtemp(join(tmpdir(), 'bench-ahead-'))
if (flags.model) {
  try {
    await model()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  process.exit()
}
const dropDatabase = await setup()
const service = await openService()
const queue = await openQueue(service.urls.appUrl, { supervise: true })
try {
  const take = await taken()
  const logo = await drawLogo(folder)
  const officer = await makeOfficer(service)
  const editor = await makePerson(service, 'Editor', { tenantId: officer.tenantId })
  const as = callAs(service, editor)
  await work([renderAheadJob, renderJob] as unknown as Job[], {
    queue,
    database: service.database,
    log: { info: () => {}, warn: console.error, error: console.error },
  })

  const quiet = await begin()
  const seconds = timelineOf(quiet.recipe).frames / 30
  console.log(
    `${flags.footage ? `The footage kit${flags.phone ? ', a key frame every second' : ''}` : 'A clip of its own'}, ` +
      `${seconds.toFixed(0)} s finished; ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}`,
  )
  await quiet.save((recipe) => recipe)
  await sleep(seconds * 1000)
  const ready = await quiet.ready()
  const afterQuiet = await quiet.press()
  await quiet.save(changedWord)
  const afterWord = await quiet.press()
  const plain = (await measured(() => transcode(take, seconds, folder))).wall
  const share = (wall: number) => `${wall.toFixed(1)} s: ${(wall / seconds).toFixed(3)} × the video’s length`
  console.log(`\n| from the press to the finished file | |\n|---|---|`)
  console.log(`| quiet for the video’s length (${Math.round(ready * 100)} % made ahead) | ${share(afterQuiet)} |`)
  console.log(`| after one changed word | ${share(afterWord)} |`)
  console.log(`| a plain transcode | ${share(plain)} |`)

  if (!flags.short) {
    const edited = await begin()
    for (const [i, pause] of pauses.entries()) {
      await edited.save(corrections(i))
      await sleep(pause * 1000)
    }
    const before = await edited.framesMade()
    const pressed = await edited.press()
    const made = await edited.framesMade()
    const used = timelineOf(edited.recipe).frames
    const total = pauses.reduce((sum, pause) => sum + pause, 0)
    console.log(`| after a session of ${pauses.length} corrections in ${total} s | ${share(pressed)} |`)
    console.log(
      `\nIn the session ${(before / 30).toFixed(0)} s of video were encoded ahead, at the press ${((made - before) / 30).toFixed(0)} s; ` +
        `the file shows ${(used / 30).toFixed(0)} s: ${Math.round((1 - used / made) * 100)} % were thrown away.`,
    )
  }
  console.log(`Load at the end: ${loadavg()[0]?.toFixed(1)}.`)

  /** A started project with the standard job as its edit, and what an editor does with it. */
  async function begin() {
    const source = await makeVideo(service, officer)
    const picture = await makeVideo(service, officer)
    const { id } = await callAs(service, officer)(projects.create, {
      body: { title: 'Bench', assets: [source, picture] },
    })
    await put(source, take.file, take.probe)
    await put(picture, logo.file, logo.probe)
    const project = await as(projects.start, { body: { projectId: id } })
    await makeEdit(service, project, source)
    const at = { params: { projectId: id } }
    let revision = 1
    return {
      recipe: standardJob(take, { takeId: source, logoId: picture }),
      async save(change: (recipe: Recipe) => Recipe) {
        this.recipe = change(this.recipe)
        revision = (await as(edits.save, { ...at, body: { revision, recipe: this.recipe } })).revision
      },
      async ready() {
        const { ready: made, length } = await as(edits.ahead, at)
        return made.reduce((sum, { from, to }) => sum + to - from, 0) / Math.max(1, length)
      },
      /** Seconds on the clock. */
      async press() {
        const began = performance.now()
        const { id: render } = await as(edits.render, { ...at, body: { revision } })
        for (;;) {
          const [row] = await service.database.asSystem((tx) =>
            tx.rows(
              sql<{ state: string; reason: string | null }>`select state, reason from render where id = ${render}`,
            ),
          )
          if (row?.state === 'done') return (performance.now() - began) / 1000
          if (row?.state === 'failed') throw new Error(row.reason ?? 'failed')
          await sleep(20)
        }
      },
      /** Frames of all chunks that were ever kept of it. */
      async framesMade() {
        const place = await chunks().folder(id)
        const names = (await readdir(place)).filter((name) => /^[0-9a-f]+\.mp4$/.test(name))
        const lengths = names.map(async (name) => {
          const found = await probe(join(place, name))
          if (!found.ok) throw new Error(found.reason)
          return Math.round((found.durationMs * 30) / 1000)
        })
        return (await Promise.all(lengths)).reduce((sum, frames) => sum + frames, 0)
      },
    }
  }

  /** The file of an asset, as if it had been uploaded and checked. */
  async function put(assetId: string, file: string, found: Probe) {
    const path = onDisk().path(assetId, 'original.bin')
    await mkdir(dirname(path), { recursive: true })
    await copyFile(file, path)
    await service.database.asSystem((tx) =>
      tx.count(sql`
        update asset set sha256 = ${assetId.replaceAll('-', '').repeat(2)}, probe = ${JSON.stringify(found)},
          derived = jsonb_build_object('original', 'original.bin') where id = ${assetId}`),
    )
  }
} finally {
  await queue.close()
  await service.close()
  await dropDatabase()
  await rm(folder, { recursive: true, force: true })
}

function taken() {
  return flags.footage ? fromKit(flags.footage, { folder, phone: flags.phone }) : ownClip({ folder, seconds: 60 })
}

async function model() {
  const [take, logo] = [await taken(), await drawLogo(folder)]
  console.log('| encoded at, pauses | made ahead | at the press | thrown away |\n|---|---|---|---|')
  for (const speed of [2, 1])
    for (const slower of [0.5, 1, 2]) {
      const { ahead, atPress, thrownAway } = await modelled(take, logo, { speed, slower })
      console.log(
        `| ${speed} × the video’s pace, ${slower} × | ${ahead.toFixed(0)} s | ${atPress.toFixed(0)} s | ${Math.round(thrownAway * 100)} % |`,
      )
    }
}
