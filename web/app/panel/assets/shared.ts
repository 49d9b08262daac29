import { useEffect, useState } from 'react'
import { askWorker } from '../offline.ts'
import { startUpload, uploadNamed } from './uploads.ts'

/** A video that another app shared with this one; the service worker keeps it until its person has said what becomes of it. */
export type Shared = { key: string; file: File; at: number }

/**
 * What other apps have shared. Any site can send something here, so nothing of it is used before somebody says so. `use` puts one
 * among the files on their way, `drop` throws it away.
 */
export const useShared = () => {
  const [shared, setShared] = useState<readonly Shared[]>([])
  useEffect(() => {
    let isGone = false
    void sharedVideos().then((found) => isGone || setShared(found))
    return () => void (isGone = true)
  }, [])
  const settle = async (one: Shared, work: () => Promise<void>) => {
    setShared((before) => before.filter(({ key }) => key !== one.key))
    await alone(async () => {
      // Another tab may have settled it.
      if ((await sharedVideos()).some(({ key }) => key === one.key)) await work()
    })
  }
  return {
    shared,
    use: (one: Shared) => settle(one, () => takeUp(one)),
    drop: (one: Shared) => settle(one, () => letGo(one)),
  }
}

/** The oldest first. */
const sharedVideos = async (): Promise<Shared[]> => {
  const found = (await askWorker<Shared[]>(await worker(), { kind: 'shared' })) ?? []
  return found.toSorted((a, b) => a.at - b.at)
}

/** It stays with the worker until a copy lies among the files on their way; where none could be kept, the next page asks again. */
const takeUp = async ({ key, file }: Shared): Promise<void> => {
  if (uploadNamed(key) !== undefined) return
  const isKept = await new Promise<boolean>((onKept) => startUpload(file, { key, onKept }))
  if (isKept) await letGo({ key })
}

const letGo = async ({ key }: Pick<Shared, 'key'>): Promise<void> => {
  await askWorker(await worker(), { kind: 'shared-taken', key })
}

const worker = async (): Promise<ServiceWorker | null | undefined> =>
  'serviceWorker' in navigator ? (await navigator.serviceWorker.getRegistration())?.active : undefined

const alone = async (work: () => Promise<void>): Promise<void> => {
  if ('locks' in navigator) await navigator.locks.request('shared videos', work)
  else await work()
}
