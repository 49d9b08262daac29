/** What the service worker (public/worker.js) does for people who send videos in. */

/** Has it keep the recorder's page, so that it opens without a network, too. False where this browser keeps none. */
export const keepRecorderPage = async (): Promise<boolean> => {
  if (!('serviceWorker' in navigator)) return false
  await navigator.serviceWorker.register('/worker.js')
  const { active } = await navigator.serviceWorker.ready
  return (await askWorker<boolean>(active, { kind: 'keep-recorder' })) ?? false
}

/** What the worker answers; undefined where there is none, or where it is silent for a minute. */
export const askWorker = <T>(worker: ServiceWorker | null | undefined, message: object): Promise<T | undefined> =>
  new Promise((resolve) => {
    if (!worker) return resolve(undefined)
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }: MessageEvent<T>) => resolve(data)
    setTimeout(() => resolve(undefined), 60_000)
    worker.postMessage(message, [port2])
  })
