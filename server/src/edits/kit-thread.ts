import { parentPort } from 'node:worker_threads'
import { writeCaptions } from './caption-texts.ts'
import type { ThreadSource } from './kit-line.ts'
import { writeKit } from './kit-texts.ts'

// A thread that writes the texts of kits and captions, one after the other, for kit-line.ts.
parentPort!.on('message', (source: ThreadSource) => {
  const written = 'captionsOf' in source ? writeCaptions(source) : writeKit(source)
  // What was written is handed over, not copied.
  parentPort!.postMessage(written, written ? written.texts.map(({ text }) => text.buffer as ArrayBuffer) : [])
})
