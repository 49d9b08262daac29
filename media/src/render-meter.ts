export type RenderStage = 'picture' | 'sound' | 'join' | 'poster'

/** `done` from 0 to 1 over the whole, never less than before; `secondsLeft` is null until it can be told. */
export type RenderProgress = { stage: RenderStage; done: number; secondsLeft: number | null }

export type RenderMeter = ReturnType<typeof renderMeter>

/** Counts work as it is done. `chunks` are the sizes of those to be made, `frames` the length of the whole video. */
export function renderMeter(
  chunks: readonly number[],
  frames: number,
  tell: ((progress: RenderProgress) => void) | undefined,
  now: () => number = () => performance.now(),
) {
  const began = now()
  // What the rest costs beside a frame of picture, as measured.
  const rest = { sound: 0.04 * frames, join: 0.01 * frames, poster: 0.01 * frames }
  const all = chunks.reduce((sum, size) => sum + size, 0) + rest.sound + rest.join + rest.poster
  const done = chunks.map(() => 0)
  let others = 0
  let told = 0
  const say = (stage: RenderStage) => {
    const made = done.reduce((sum, part, i) => sum + part * (chunks[i] ?? 0), 0) + others
    told = Math.max(told, Math.min(1, made / all))
    const seconds = (now() - began) / 1000
    const secondsLeft = told > 0.03 ? Math.ceil((seconds / told) * (1 - told)) : null
    tell?.({ stage, done: told, secondsLeft })
  }
  return {
    chunk: (index: number) => (part: number) => {
      done[index] = part
      say('picture')
    },
    sound() {
      others += rest.sound
      say('sound')
    },
    join() {
      others += rest.join
      say('join')
    },
    done() {
      others += rest.poster
      say('poster')
    },
  }
}
