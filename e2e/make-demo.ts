// node e2e/make-demo.ts FOLDER: makes the demo that the journeys begin with, for every run with JOURNEY_DEMO=FOLDER.
import { mkdir } from 'node:fs/promises'
import { makeClip } from '../media/src/make-clip.ts'
import { readConfig } from '../server/src/kernel/config.ts'
import { openDatabase } from '../server/src/kernel/database.ts'
import { openQueue } from '../server/src/kernel/queue.ts'
import { openMigratedDatabase } from '../server/src/main/database.ts'
import { seed } from '../server/src/main/seed.ts'
import { startProduct } from './product.ts'

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1))

/**
 * A data folder with the whole demo, for others to be copied from. The product that runs over it has ended again; its videos
 * are drawn a quarter as wide and high as the demo's own, in a fifth of the time.
 */
const dataDir = process.argv[2]!
await mkdir(dataDir, { recursive: true })
const product = await startProduct(dataDir, { seed: 'none' })
const config = readConfig({ DATA_DIR: dataDir, SEED: 'demo', PUBLIC_URL: product.url })
const { appUrl } = await openMigratedDatabase(config, { log: () => {}, share: true })
const queue = await openQueue(appUrl)
const database = openDatabase(appUrl, { queue, max: 2 })
const draw: typeof makeClip = (clip) => makeClip({ ...clip, width: clip.width / 4, height: clip.height / 4 })
await seed({ database, config, log: { ...console, info: () => {} }, draw, report: console.log })
await database.close()
await queue.close()
await product.stop()
