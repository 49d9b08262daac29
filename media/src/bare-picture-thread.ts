import { parentPort } from 'node:worker_threads'
import { barePicture } from './bare-picture.ts'
import type { Container } from './sniff-format.ts'

// A thread that reads a picture from a stranger, for mend.ts: whatever its bytes make of that, the service goes on answering.
parentPort!.on('message', ({ file, container }: { file: Uint8Array; container: Container }) => {
  const bare = barePicture(Buffer.from(file.buffer, file.byteOffset, file.byteLength), container)
  parentPort!.postMessage(bare)
})
