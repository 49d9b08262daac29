import { askWorker } from '../offline.ts'
import { startUpload, uploadNamed } from './uploads.ts'

/**
 * Takes up the videos that other apps shared with this one and that the service worker keeps. Each stays there until a copy
 * lies among the files on their way; one that could be copied nowhere is sent from there again by the next page.
 */
export const takeUpShared = async (): Promise<void> => {
  if (!('serviceWorker' in navigator)) return
  const worker = (await navigator.serviceWorker.getRegistration())?.active
  const takeUp = async () => {
    const shared = (await askWorker<{ key: string; file: File }[]>(worker, { kind: 'shared' })) ?? []
    for (const { key, file } of shared) {
      if (uploadNamed(key) !== undefined) continue
      const isKept = await new Promise<boolean>((onKept) => startUpload(file, { key, onKept }))
      if (isKept) await askWorker(worker, { kind: 'shared-taken', key })
    }
  }
  // Two tabs would each send it.
  if ('locks' in navigator) await navigator.locks.request('shared videos', takeUp)
  else await takeUp()
}
