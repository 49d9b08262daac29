import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'

/** The thread that looks whether the service's own one goes on: `watchdog.ts`. */
const { beats, everyMs, looks } = workerData as { beats: Int32Array; everyMs: number; looks: number }
const nothing = new Int32Array(new SharedArrayBuffer(4))
for (let [seen, still] = [-1, 0]; still < looks;) {
  Atomics.wait(nothing, 0, 0, everyMs)
  const now = Atomics.load(beats, 0)
  still = now === seen ? still + 1 : 0
  seen = now
}
const msg = 'the service stood still and ended itself: start it again'
writeSync(2, `${JSON.stringify({ level: 60, time: Date.now(), pid: process.pid, msg })}\n`)
process.kill(process.pid, 'SIGKILL')
