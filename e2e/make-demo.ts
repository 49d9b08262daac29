// node e2e/make-demo.ts FOLDER: makes the demo that the journeys begin with, beside other work, which goes first.
import { setPriority } from 'node:os'
import { makeDemo } from './product.ts'

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1))
setPriority(19)
await makeDemo(process.argv[2]!)
