// node e2e/make-demo.ts FOLDER: makes the demo that the journeys begin with, for every run with JOURNEY_DEMO=FOLDER.
import { makeDemo } from './product.ts'

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1))
await makeDemo(process.argv[2]!)
