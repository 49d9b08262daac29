// node e2e/make-demo.ts FOLDER: makes the demo that the journeys begin with, for every run with JOURNEY_DEMO=FOLDER.
import { existsSync } from 'node:fs'
import { copyFile, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeClip } from '../media/src/make-clip.ts'
import { readConfig } from '../server/src/kernel/config.ts'
import { openDatabase, sql } from '../server/src/kernel/database.ts'
import { openQueue } from '../server/src/kernel/queue.ts'
import { openMigratedDatabase } from '../server/src/main/database.ts'
import { seed } from '../server/src/main/seed.ts'
import { putOnce } from '../server/test/ready-file.ts'
import { startProduct } from './product.ts'

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1))

/**
 * A data folder with the whole demo, for others to be copied from. The product that runs over it has ended again; its videos
 * are drawn a quarter as wide and high as the demo's own, in a fifth of the time, and of its cuts all are the first.
 */
const dataDir = process.argv[2]!
await mkdir(dataDir, { recursive: true })
const product = await startProduct(dataDir, { seed: 'none' })
const config = readConfig({ DATA_DIR: dataDir, SEED: 'demo', PUBLIC_URL: product.url })
const { appUrl } = await openMigratedDatabase(config, { log: () => {}, share: true })
const queue = await openQueue(appUrl)
const database = openDatabase(appUrl, { queue, max: 2 })
const cut = join(dataDir, 'cut.mp4')
const draw: typeof makeClip = async (clip) => {
  const small = { ...clip, width: clip.width / 4, height: clip.height / 4 }
  if (!clip.finished) return makeClip(small)
  if (!existsSync(cut)) await makeClip({ ...small, out: cut })
  await copyFile(cut, clip.out)
}
const put = putOnce(config, { cutsAlone: true })
await seed({ database, config, log: { ...console, info: () => {} }, draw, put, report: console.log })
// Journeys connect what they need, and fill the library: accounts and clips of the demo's own would stand in their way.
await database.asSystem((tx) => tx.count(sql`insert into seeded (step) values ('clips'), ('posts')`))
await rm(cut)
await database.close()
await queue.close()
await product.stop()
