import inspector from 'node:inspector'
import { Worker } from 'node:worker_threads'

/**
 * Ends this process by SIGKILL when its one thread has stood still for a minute: a loop without an end answers nobody and
 * hears no SIGTERM, so only whoever restarts the service can help, and they wait for its end. Another thread looks; how often
 * it looked in vain counts, not the time, so that a machine that slept wakes up in peace. Never while somebody debugs.
 */
export const watchThread = ({ everyMs = 5000, looks = 12 }: { everyMs?: number; looks?: number } = {}): void => {
  if (inspector.url() !== undefined) return
  const beats = new Int32Array(new SharedArrayBuffer(4))
  setInterval(() => Atomics.add(beats, 0, 1), everyMs / 5).unref()
  new Worker(new URL('watchdog-thread.ts', import.meta.url), { env: {}, workerData: { beats, everyMs, looks } }).unref()
}
