// npm run prove -- image: builds deploy/Dockerfile without Docker and runs each host of deploy/compose.yaml from it;
// server/test/image-proof.ts says how. KEEP=yes uses the base images of before again.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'

const program = resolve(import.meta.dirname, '../../server/test/image-proof.ts')
const child = spawn(process.execPath, [program, ...process.argv.slice(2)], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
const [code] = (await once(child, 'exit')) as [number | null]
process.exitCode = code ?? 1
