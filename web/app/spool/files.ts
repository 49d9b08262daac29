import type { Answered, Asked } from './files-worker.ts'
import type { TakeBytes } from './take.ts'

/** Takes as files of the origin, kept by a worker. */
export const openFiles = (worker: Worker): TakeBytes => {
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>()
  let last = 0
  let isOver = false
  const fail = () => {
    isOver = true
    for (const { reject } of waiting.values()) reject(new Error('The worker that writes takes has ended'))
    waiting.clear()
  }
  worker.addEventListener('message', ({ data }: MessageEvent<Answered>) => {
    const asked = waiting.get(data.n)
    waiting.delete(data.n)
    if (data.error) asked?.reject(new DOMException(data.error.message, data.error.name))
    else asked?.resolve(data.value as never)
  })
  worker.addEventListener('error', fail)
  const ask = <T>(request: DistributiveOmit<Asked, 'n'>, moved: Transferable[] = []): Promise<T> =>
    new Promise((resolve, reject) => {
      if (isOver) return reject(new Error('The worker that writes takes has ended'))
      const n = ++last
      waiting.set(n, { resolve, reject })
      worker.postMessage({ n, ...request }, moved)
    })
  return {
    place: 'files',
    tryOut: () => ask<void>({ do: 'try-out' }),
    append: (id, at, bytes) => ask<number>({ do: 'append', id, at, bytes }, [bytes]),
    read: (id, from, most) => ask<ArrayBuffer>({ do: 'read', id, from, most }),
    close: (id) => ask<void>({ do: 'close', id }),
    drop: (id) => ask<void>({ do: 'drop', id }),
    hasRoom: () => ask<boolean>({ do: 'has-room' }),
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
