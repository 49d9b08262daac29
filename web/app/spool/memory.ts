import type { Take, TakeBytes, TakeNotes } from './take.ts'

/** Of takes in memory the notes lie there, too; the others stay where they are kept, whatever becomes of new ones. */
export const besideMemory = (memory: TakeNotes, kept: TakeNotes): TakeNotes => ({
  put: (take) => (take.place === 'memory' ? memory : kept).put(take),
  change: async (id, part) => (await memory.change(id, part)) ?? kept.change(id, part),
  find: async (id) => (await memory.find(id)) ?? kept.find(id),
  all: async () => [...(await memory.all()), ...(await kept.all())],
  drop: async (id) => ((await memory.find(id)) ? memory : kept).drop(id),
})

/** Where a browser keeps nothing (a private window, no room): a take lives as long as its page. */
export const inMemory = (): { notes: TakeNotes; parts: TakeBytes } => {
  const takes = new Map<string, Take>()
  const bytesOf = new Map<string, Uint8Array<ArrayBuffer>[]>()
  const whole = async (id: string) => new Uint8Array(await new Blob(bytesOf.get(id) ?? []).arrayBuffer())
  return {
    notes: {
      put: async (take) => void takes.set(take.id, take),
      change: async (id, part) => {
        const take = takes.get(id)
        if (!take) return undefined
        takes.set(id, { ...take, ...part })
        return takes.get(id)
      },
      find: async (id) => takes.get(id),
      all: async () => [...takes.values()],
      drop: async (id) => void takes.delete(id),
    },
    parts: {
      place: 'memory',
      tryOut: async () => undefined,
      append: async (id, at, bytes) => {
        const kept = bytesOf.get(id) ?? []
        const length = kept.reduce((sum, part) => sum + part.length, 0)
        bytesOf.set(
          id,
          length === at ? [...kept, new Uint8Array(bytes)] : [(await whole(id)).subarray(0, at), new Uint8Array(bytes)],
        )
        return at + bytes.byteLength
      },
      read: async (id, from, most) => (await whole(id)).slice(from, from + most).buffer,
      close: async () => undefined,
      drop: async (id) => void bytesOf.delete(id),
    },
  }
}
