export type RenderStage = 'picture' | 'sound' | 'join' | 'poster'

/** `done` from 0 to 1 over the whole, never less than before; `secondsLeft` is null until it can be told. */
export type RenderProgress = { stage: RenderStage; done: number; secondsLeft: number | null }

export type RenderMeter = ReturnType<typeof renderMeter>

/** Counts work as it is done. `chunks` are the sizes of those to be made, `frames` the length of the whole video. */
export function renderMeter(
  chunks: readonly number[],
  frames: number,
  report: ((progress: RenderProgress) => void) | undefined,
  now: () => number = () => performance.now(),
) {
  const began = now()
  // What the rest costs beside a frame of picture, as measured.
  const rest = { sound: 0.04 * frames, join: 0.01 * frames, poster: 0.01 * frames }
  const all = chunks.reduce((sum, size) => sum + size, 0) + rest.sound + rest.join + rest.poster
  const done = chunks.map(() => 0)
  let others = 0
  let reportedAt = 0
  const reportStage = (stage: RenderStage) => {
    const made = done.reduce((sum, part, i) => sum + part * (chunks[i] ?? 0), 0) + others
    reportedAt = Math.max(reportedAt, Math.min(1, made / all))
    const seconds = (now() - began) / 1000
    const secondsLeft = reportedAt > 0.03 ? Math.ceil((seconds / reportedAt) * (1 - reportedAt)) : null
    report?.({ stage, done: reportedAt, secondsLeft })
  }
  return {
    chunk: (index: number) => (part: number) => {
      done[index] = part
      reportStage('picture')
    },
    sound() {
      others += rest.sound
      reportStage('sound')
    },
    join() {
      others += rest.join
      reportStage('join')
    },
    done() {
      others += rest.poster
      reportStage('poster')
    },
  }
}
