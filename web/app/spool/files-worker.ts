import { takeFiles, type SyncFile } from './take-files.ts'

/** A page's worker that keeps takes in the origin's own file system: only there a file says when it is flushed. */

export type Asked =
  | { n: number; do: 'append'; id: string; at: number; bytes: ArrayBuffer }
  | { n: number; do: 'read'; id: string; from: number; most: number }
  | { n: number; do: 'close' | 'drop'; id: string }
  | { n: number; do: 'try-out' | 'has-room' }
export type Answered = { n: number; value?: number | boolean | ArrayBuffer; error?: { name: string; message: string } }

const folder = async () => (await navigator.storage.getDirectory()).getDirectoryHandle('takes', { create: true })

const files = takeFiles({
  open: async (id) => {
    const file = await (await folder()).getFileHandle(id, { create: true })
    return (file as unknown as { createSyncAccessHandle: () => Promise<SyncFile> }).createSyncAccessHandle()
  },
  remove: async (id) => (await folder()).removeEntry(id).catch(() => undefined),
  // Half a minute in full HD: what is still in the recorder when the disk is full.
  reserveBytes: 24 * 1024 * 1024,
})

const work = async (asked: Asked): Promise<number | boolean | ArrayBuffer | undefined> => {
  switch (asked.do) {
    case 'append':
      return files.append(asked.id, asked.at, asked.bytes)
    case 'read':
      return files.read(asked.id, asked.from, asked.most)
    case 'close':
      return files.close(asked.id).then(() => undefined)
    case 'drop':
      return files.drop(asked.id).then(() => undefined)
    case 'has-room':
      return files.hasRoom!()
    case 'try-out':
      return files.tryOut().then(() => undefined)
  }
}

addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  const answer = (answered: Omit<Answered, 'n'>, moved: Transferable[] = []) =>
    postMessage({ n: data.n, ...answered } satisfies Answered, { transfer: moved })
  work(data).then(
    (value) => answer(value === undefined ? {} : { value }, value instanceof ArrayBuffer ? [value] : []),
    (error: unknown) => {
      const { name, message } =
        error instanceof Error || error instanceof DOMException ? error : new Error(String(error))
      answer({ error: { name, message } })
    },
  )
})
