import { mostCrashes } from './crashes.ts'
import { Status } from './workflow.ts'

/** Is an edit rendered before anybody asks for it? Only while it is somebody's work: else nobody changes or renders it soon. */
export const isRenderedAhead = ({ editorId, status }: { editorId: string | null; status: Status }): boolean =>
  editorId !== null && status === Status.inProgress

/**
 * May an edit be rendered ahead whose worker died so often over this revision, and over all since one was finished? Nobody
 * asked for it, so every new revision would otherwise cost two workers more.
 */
export const mayRenderAhead = (crashes: number, crashesInAll: number): boolean =>
  crashes < mostCrashes && crashesInAll < 2 * mostCrashes

/**
 * For how long nothing has been saved before a part of the video is made. What lies before the last change is done with,
 * as people work from the start to the end; what comes after it will mostly be changed first.
 */
export const quietMs = { before: 3000, after: 20_000 } as const

/** A run lets others take their turn after this long. */
export const turnMs = 20_000

/** A stretch of the video, in frames from its start. */
type Stretch = { at: number; frames: number }

/** Chunks that are made at once are no longer than this together, in seconds: what is stopped loses little. */
export const atOnceSeconds = 4

/**
 * What is made next: chunks that follow each other, by their places, or the sound; or for how long to wait, because it may
 * yet change. Null when all is ready. `changedTo`: the frame up to which the last change reached, null when everything
 * changed; `mostFrames`: how long chunks that are made at once may be together.
 */
export const nextParts = (
  chunks: readonly Stretch[],
  ready: { chunks: readonly boolean[]; sound: boolean },
  { changedTo, quietForMs, mostFrames }: { changedTo: number | null; quietForMs: number; mostFrames: number },
): { make: number[] | 'sound' } | { waitMs: number } | null => {
  const first = ready.chunks.indexOf(false)
  if (first < 0 && ready.sound) return null
  const isBefore = (place: number) => place >= 0 && chunks[place]!.at < (changedTo ?? 0)
  const waitMs = (isBefore(first) ? quietMs.before : quietMs.after) - quietForMs
  if (waitMs > 0) return { waitMs }
  if (first < 0) return { make: 'sound' }
  const make = [first]
  let frames = chunks[first]!.frames
  for (let next = first + 1; ready.chunks[next] === false; next++) {
    frames += chunks[next]!.frames
    if (frames > mostFrames || (quietForMs < quietMs.after && !isBefore(next))) break
    make.push(next)
  }
  return { make }
}

/**
 * Up to which frame the last change reached, by the names of the chunks before and now. Null where most of them are new:
 * another look, or a first save. Where chunks only went, the change before counts.
 */
export const changedTo = (
  chunks: readonly Stretch[],
  { names, namesBefore, before }: { names: readonly string[]; namesBefore: readonly string[]; before: number | null },
): number | null => {
  const known = new Set(namesBefore)
  const changed = chunks.filter((_, i) => !known.has(names[i]!))
  if (changed.length > chunks.length / 2) return null
  const last = changed.at(-1)
  return last ? last.at + last.frames : before
}
