// npm run bench:scale: what a video costs in core-seconds on footage of a phone's bitrates, how many jobs a second one, two and
// four workers take, and what that comes to for every loan officer of the country (docs/operations.md).
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { timelineOf } from '@clear-to-post/edit/timeline'
import type { Material } from '@clear-to-post/media/chunks'
import { runFfmpeg } from '@clear-to-post/media/ffmpeg'
import { ingest } from '@clear-to-post/media/ingest'
import { probe } from '@clear-to-post/media/probe'
import { plan, run } from '@clear-to-post/media/render'
import { transcribe } from '@clear-to-post/speech/transcribe'
import { painting } from '../server/src/edits/painting.ts'
import { readConfig } from '../server/src/kernel/config.ts'
import { openDatabase, sql } from '../server/src/kernel/database.ts'
import { enqueueAllInTurn } from '../server/src/kernel/enqueue-in-turn.ts'
import { openQueue } from '../server/src/kernel/queue.ts'
import { openMigratedDatabase } from '../server/src/main/database.ts'
import { startProcess } from '../server/test/processes.ts'
import { capacity, planned, type Spent } from './capacity.ts'
import { measured, type Cost } from './cost.ts'
import { drawLogo, ownClip, standardJob, type Take } from './standard-job.ts'

const { values: flags } = parseArgs({
  options: {
    /** So much is filmed, in seconds. */
    seconds: { type: 'string', default: '60' },
    /** Mbit/s of what is filmed. */
    rates: { type: 'string', default: '8,12,20' },
    /** Jobs that each number of workers takes. */
    jobs: { type: 'string', default: '3000' },
    /** Leaves out one half: `videos` or `jobs`. */
    only: { type: 'string' },
  },
})
const rates = flags.rates.split(',').map(Number)
const seconds = Number(flags.seconds)
const folder = await mkdtemp(join(tmpdir(), 'bench-scale-'))
const load = () => `load ${loadavg()[0]!.toFixed(1)} on ${cpus().length} cores`

try {
  if (flags.only !== 'jobs') await videos()
  if (flags.only !== 'videos') await jobs()
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function videos(): Promise<void> {
  const drawn = await ownClip({ folder, seconds })
  const logo = await drawLogo(folder)
  const spent = new Map<number, Spent>()
  console.log(`${seconds} s filmed in 1080 × 1920; core-seconds of a filmed minute, and of a finished one`)
  console.log('| filmed at | size | check | first cut | finished | render | |\n|---|---|---|---|---|---|---|')
  for (const rate of rates) {
    const take = await filmedAt(drawn, rate)
    const outDir = join(folder, `checked-${rate}`)
    await mkdir(outDir)
    const checked = await measured(async () => {
      const found = await probe(take.file)
      if (!found.ok) throw new Error(found.reason)
      const made = await ingest({ source: take.file, outDir, probe: found })
      if (!made.ok) throw new Error(made.reason)
    })
    const script = take.words.map(({ text }) => text).join(' ')
    const heard = await measured(() => transcribe({ file: take.file, probe: take.probe, source: 's', script }))
    const recipe = standardJob(take, { seconds })
    const finished = timelineOf(recipe).frames / 30
    const rendered = await measured(() => render(recipe, take, `rendered-${rate}`))
    const { size } = await stat(take.file)
    const a = (cost: Cost, length: number) => (cost.cpu / length) * 60
    console.log(
      `| ${rate} Mbit/s | ${(size / 1e6).toFixed(0)} MB | ${a(checked, seconds).toFixed(1)} | ${a(heard, seconds).toFixed(1)} | ` +
        `${finished.toFixed(0)} s | ${a(rendered, finished).toFixed(1)} | ${load()} |`,
    )
    spent.set(rate, {
      ingest: (checked.cpu / seconds) * planned.filmed,
      speech: (heard.cpu / seconds) * planned.filmed,
      render: (rendered.cpu / finished) * planned.finished * planned.renders,
    })
  }
  for (const [rate, one] of spent) {
    const plan_ = capacity(one, rate)
    const costs = Object.entries(plan_.costs).map(
      ([what, dollars]) => `${what} $${(dollars / plan_.videos).toFixed(4)}`,
    )
    console.log(
      `\nat ${rate} Mbit/s: ${plan_.coreSeconds.toFixed(0)} core-seconds a video (check ${one.ingest.toFixed(0)}, first cut ` +
        `${one.speech.toFixed(0)}, renders ${one.render.toFixed(0)}); ${plan_.videos.toLocaleString('en')} videos a month, ` +
        `${plan_.mean.toFixed(2)} a second, ${plan_.peak.toFixed(2)} at peak: ${plan_.coresAtPeak.toFixed(0)} cores; ` +
        `${plan_.originalsTB.toFixed(0)} TB of originals and ${plan_.egressTB.toFixed(0)} TB played a month\n` +
        `  $${plan_.aVideo.toFixed(4)} a video at assumed prices: ${costs.join(', ')}; $${plan_.atListEgress.toFixed(4)} with a large cloud’s list price for what is played`,
    )
  }

  async function render(recipe: ReturnType<typeof standardJob>, take: Take, name: string) {
    const outDir = join(folder, name)
    await mkdir(outDir)
    const materials = new Map<string, Material>([
      ['take', { hash: take.file, probe: take.probe }],
      ['logo', { hash: logo.hash, probe: logo.probe }],
    ])
    const { painted, paint } = await painting(recipe, logo.bitmap)
    const files = new Map([
      ['take', take.file],
      ['logo', logo.file],
    ])
    const made = await run(plan(recipe, { materials, painted }), {
      files,
      cacheDir: join(folder, `chunks-${name}`),
      outDir,
      paint,
    })
    if (!made.ok) throw new Error(made.reason)
  }
}

/** The drawn clip as a phone films it: with a sensor's noise, a key frame each second, and all of the bits. */
async function filmedAt({ file, words }: Take, rate: number): Promise<Take> {
  const name = `filmed-${rate}.mp4`
  const bits = `-b:v ${rate}M -minrate ${rate}M -maxrate ${rate}M -bufsize ${rate}M -nal-hrd cbr`
  const args = `-vf noise=alls=14:allf=t -c:v libx264 -preset veryfast ${bits} -g 30 -bf 0 -c:a copy -y ${name}`.split(
    ' ',
  )
  const limits = { cpuSeconds: 7200, wallMs: 7_200_000 }
  const ran = await runFfmpeg({ args: ['-i', file, ...args], reads: [file], outDir: folder, limits })
  if (!ran.ok) throw new Error(ran.stderr)
  const found = await probe(join(folder, name))
  if (!found.ok) throw new Error(found.reason)
  return { file: join(folder, name), probe: found, words }
}

/** Short jobs, each a transaction of its own, taken by processes of their own as on hosts. */
async function jobs(): Promise<void> {
  const count = Number(flags.jobs)
  console.log('\n| workers | jobs a second | |\n|---|---|---|')
  for (const workers of [1, 2, 4]) {
    const dataDir = join(folder, `jobs-${workers}`)
    await mkdir(dataDir)
    const server = await openMigratedDatabase(readConfig({ DATA_DIR: dataDir, SEED: 'none' }), { log: () => {} })
    const { appUrl } = server
    const queue = await openQueue(appUrl)
    const database = openDatabase(appUrl, { queue, max: 4 })
    try {
      await database.asSystem((tx) =>
        enqueueAllInTurn(
          tx,
          'mail',
          Array.from({ length: count }, () => ({ data: { mailId: crypto.randomUUID() }, company: 'one' })),
        ),
      )
      const left = () =>
        database.asSystem(async (tx) =>
          Number((await tx.first(sql<{ n: number }>`select count(*) as n from pgboss.job where state <= 'active'`))!.n),
        )
      const running = await Promise.all(
        Array.from({ length: workers }, () =>
          startProcess('server/test/killed-server.ts', ['worker', appUrl, dataDir]),
        ),
      )
      const [began, first] = [performance.now(), await left()]
      let last = first
      while ((last = await left()) > count / 20) await new Promise((resolve) => setTimeout(resolve, 100))
      const taken = (first - last) / ((performance.now() - began) / 1000)
      console.log(`| ${workers} | ${taken.toFixed(0)} | ${load()} |`)
      await Promise.all(running.map((one) => one.end('SIGKILL')))
    } finally {
      await queue.close()
      await database.close()
      await server.close()
    }
  }
}
