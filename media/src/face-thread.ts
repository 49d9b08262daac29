import { parentPort } from 'node:worker_threads'
import { faceFinder } from './faces.ts'

// A thread that looks for faces in one picture after the other, for person.ts; it answers each with its faces.
const find = faceFinder()
parentPort!.on('message', (picture: Uint8Array) => parentPort!.postMessage(find(picture)))
