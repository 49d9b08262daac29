import { parentPort, workerData } from 'node:worker_threads'
import type { Fps } from '@clear-to-post/edit/frames'
import type { Size } from './picture.ts'
import { shakeMeter } from './shake-meter.ts'

// A thread that measures how a camera shook, for shake.ts: it is handed what ffmpeg puts out, and at its end says what it found.
const { size, fps } = workerData as { size: Size; fps: Fps }
const meter = shakeMeter(size, fps)
const bytes = size.width * size.height
let rest: Buffer = Buffer.alloc(0)
parentPort!.on('message', (chunk: Uint8Array | 'end') => {
  if (chunk === 'end') return parentPort!.postMessage(meter.done())
  rest = Buffer.concat([rest, chunk])
  for (; rest.length >= bytes; rest = rest.subarray(bytes)) meter.take(rest.subarray(0, bytes))
  parentPort!.postMessage(null)
})
