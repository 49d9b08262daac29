import { parentPort } from 'node:worker_threads'
import { writeKit, type KitSource } from './kit-texts.ts'

// A thread that writes the texts of kits, one after the other, for kit-line.ts.
parentPort!.on('message', (source: KitSource) => {
  const written = writeKit(source)
  // What was written is handed over, not copied.
  parentPort!.postMessage(written, written ? written.texts.map(({ text }) => text.buffer as ArrayBuffer) : [])
})
