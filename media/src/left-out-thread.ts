import { parentPort, workerData } from 'node:worker_threads'
import { leftOutMeter, type Packets } from './left-out-meter.ts'

// A thread that adds up what an edit list leaves out, for left-out.ts: it is handed what ffprobe puts out, and at its end says how much.
const meter = leftOutMeter(workerData as number[])
parentPort!.on('message', (told: [Packets, Uint8Array] | 'end') => {
  if (told === 'end') return parentPort!.postMessage(meter.done())
  meter.take(told[0], Buffer.from(told[1]))
  parentPort!.postMessage(0)
})
