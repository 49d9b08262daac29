import { open } from 'node:fs/promises'
import type { Fps } from '@clear-to-post/edit/frames'
import { options, sumOf } from './input.ts'
import type { Size } from './picture.ts'

/** A place in the frame, in whole pixels. */
export type Box = { x: number; y: number } & Size

/**
 * What is seen of something painted (a caption with one word lit, a card) from a frame of the video up to another.
 * `what` is the painter's own; two states with the same `key` look the same, so the key must hold everything that the
 * painter makes of it: words, place, colours, fonts, the painter's version.
 */
export type State<P> = { key: string; from: number; to: number; box: Box; what: P }

/** The states of one track within one chunk, without gaps: a `state` of null is a clear picture. */
export type Band<P> = { box: Box; states: { state: State<P> | null; frames: number }[] }

/** Paints a state; answers straight (not premultiplied) RGBA, `width × height × 4` bytes, of that part of the frame. */
export type Paint<P> = (what: P, box: Box) => Uint8Array | Promise<Uint8Array>

/** The part of a track that a stretch of the video shows, in the smallest box around it; null where nothing is seen. */
export function bandOf<P>(track: readonly State<P>[], at: number, frames: number, frame: Size): Band<P> | null {
  const seen = track.filter((state) => state.from < at + frames && state.to > at && state.to > state.from)
  if (seen.length === 0) return null
  const states: Band<P>['states'] = []
  let done = at
  for (const state of seen.toSorted((a, b) => a.from - b.from)) {
    const from = Math.max(state.from, done)
    const to = Math.min(state.to, at + frames)
    if (to <= from) continue
    if (from > done) states.push({ state: null, frames: from - done })
    const last = states.at(-1)
    if (last?.state?.key === state.key && from === done) last.frames += to - from
    else states.push({ state, frames: to - from })
    done = to
  }
  if (done < at + frames) states.push({ state: null, frames: at + frames - done })
  return {
    box: around(
      seen.map(({ box }) => box),
      frame,
    ),
    states,
  }
}

/**
 * The pictures that `paintBand` wrote, read as fast as they are shown on the average, so that few of them wait. Use it with
 * `eof_action=pass`: where one ends that stays, ffmpeg copies every picture below whole instead of painting into it.
 */
export function bandInput(file: string, { box, states }: Band<unknown>, { num, den }: Fps): string[] {
  const shown = states.reduce((sum, { frames }) => sum + frames, 0)
  const size = `${box.width}x${box.height}`
  const each = `${(states.length + 1) * num}/${shown * den}`
  return options(`-f rawvideo -pix_fmt rgba -video_size ${size} -framerate ${each} -i file:${file}`)
}

/** Filters that give every state its size, its time and the colours of ordinary video. */
export function bandFilters({ states }: Band<unknown>, { width, height }: Size, { num, den }: Fps): string[] {
  const starts = states.map(({ frames }, i) => `gte(N,${i + 1})*${frames}`)
  return [
    `scale=w=${width}:h=${height}:flags=bilinear:out_color_matrix=bt709:out_range=tv`,
    'format=yuva420p',
    // A sum of what lies before each puts it in its place.
    `settb=${den}/${num},setpts='${sumOf(starts)}'`,
  ]
}

/** On multiples of four, so that it is even (as pictures want whose colours have half the points) at half the size too. */
function around(boxes: readonly Box[], frame: Size): Box {
  const low = (value: number) => Math.max(0, 4 * Math.floor(value / 4))
  const high = (value: number, most: number) => Math.min(most, 4 * Math.ceil(value / 4))
  const x = low(Math.min(...boxes.map((box) => box.x)))
  const y = low(Math.min(...boxes.map((box) => box.y)))
  const right = high(Math.max(...boxes.map((box) => box.x + box.width)), frame.width)
  const bottom = high(Math.max(...boxes.map((box) => box.y + box.height)), frame.height)
  return { x, y, width: Math.max(4, right - x), height: Math.max(4, bottom - y) }
}

/**
 * Paints every state of a band into a file, one after the other, and the last once more, where it ends: what went before
 * lasts until then. Stops at an abort with the signal's reason.
 */
export async function paintBand<P>(
  file: string,
  { box, states }: Band<P>,
  paint: Paint<P>,
  signal: AbortSignal | undefined,
): Promise<void> {
  await using handle = await open(file, 'w')
  const bytes = box.width * box.height * 4
  let painted: Uint8Array = new Uint8Array(bytes)
  for (const { state } of states) {
    signal?.throwIfAborted()
    painted = state ? await paint(state.what, box) : new Uint8Array(bytes)
    if (painted.length !== bytes) throw new Error(`A painted picture has ${painted.length} bytes instead of ${bytes}`)
    await handle.writeFile(painted)
  }
  await handle.writeFile(painted)
}
