// npm run prove -- recording-figures: the figures of the recorder, as the README quotes them: what recording costs its page, how
// far picture and sound lie apart, and takes that ended at random moments. About ten minutes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

const root = resolve(import.meta.dirname, '../..')
const rows: string[] = []
let status = 0
for (const name of ['speed', 'clap', 'browsers']) {
  const proof = spawn(process.execPath, [join(root, 'bin/prove.mjs'), `recording-${name}`, ...process.argv.slice(2)], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  createInterface(proof.stdout).on('line', (line) => {
    console.log(line)
    if (/^\|.*\|$/.test(line)) rows.push(line)
  })
  const [code] = (await once(proof, 'close')) as [number | null]
  status ||= code ?? 1
}
console.log(`\nAt a load of ${loadavg()[1]!.toFixed(1)}:\n\n| | measured | goal |\n|---|---|---|\n${rows.join('\n')}`)
process.exitCode = status
