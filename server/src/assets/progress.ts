import type { Stage } from '@clear-to-post/media/ingest'
import { sql } from '../kernel/database.ts'
import type { Run } from './ingest.ts'

/** What is being made, as people read it. */
export const stageWords = {
  check: 'checking',
  poster: 'cover picture',
  peaks: 'waveform',
  proxy: 'playback copy',
  filmstrip: 'filmstrip',
} as const satisfies Record<Stage | 'check', string>

/**
 * Writes how far a run is, at most three times a second and never two writes at once. `onLost` hears when the row no
 * longer belongs to this run. After `end` nothing more is written.
 */
export const progressWriter = (run: Run, onLost: () => void) => {
  let next: { stage: string; progress: number } | undefined
  let writing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let ended = false

  const flush = async () => {
    const written = next
    next = undefined
    if (!written || ended) return
    const kept = await run.database.asSystem((tx) =>
      tx.count(sql`
        update asset set stage = ${written.stage}, progress = ${written.progress}, modified_at = now()
        where id = ${run.id} and attempt = ${run.attempt}`),
    )
    if (kept === 0) onLost()
  }
  const due = () => {
    timer = undefined
    writing = flush()
      .catch((error: unknown) => run.log.warn({ err: error, assetId: run.id }, 'progress was not noted'))
      .then(() => {
        writing = undefined
        if (next && !ended) timer ??= setTimeout(due, restMs)
      })
  }
  return {
    report: (stage: string, progress: number) => {
      next = { stage, progress }
      if (!ended && !timer && !writing) timer = setTimeout(due, restMs)
    },
    end: async () => {
      ended = true
      clearTimeout(timer)
      await writing
    },
  }
}

const restMs = 330
