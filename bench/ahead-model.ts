import { atOnceSeconds, changedTo, nextParts } from '../domain/src/render-ahead.ts'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { plan } from '@clear-to-post/media/render'
import { painting } from '../server/src/edits/painting.ts'
import { corrections, pauses } from './session.ts'
import { drawLogo, standardJob, type Take } from './standard-job.ts'

/** What a session comes to, in seconds of video. */
type Session = { ahead: number; atPress: number; thrownAway: number }

/**
 * The session on a clock of its own: the product's chunks and the product's order, encoded at `speed` times the video's own
 * pace, with pauses `slower` times as long. It encodes nothing, so no load of the machine changes it.
 */
export async function modelled(
  take: Take,
  logo: Awaited<ReturnType<typeof drawLogo>>,
  { speed, slower }: { speed: number; slower: number },
): Promise<Session> {
  const made = new Map<string, number>()
  let recipe = standardJob(take)
  let names: string[] = []
  let reached: number | null = null
  let chunks = await chunksOf(recipe)
  for (const [i, pause] of pauses.entries()) {
    recipe = corrections(i)(recipe)
    chunks = await chunksOf(recipe)
    const fresh = chunks.map(({ key }) => key)
    reached = changedTo(chunks, { names: fresh, namesBefore: names, before: reached })
    names = fresh
    for (let quietForMs = 0; quietForMs < pause * 1000 * slower;) {
      const ready = { chunks: names.map((name) => made.has(name)), sound: true }
      const next = nextParts(chunks, ready, { changedTo: reached, quietForMs, mostFrames: 30 * atOnceSeconds })
      if (!next) break
      if ('waitMs' in next) quietForMs += next.waitMs
      else for (const place of next.make as number[]) quietForMs += (make(place) / 30 / speed) * 1000
    }
  }
  const ahead = sum(made)
  chunks.forEach((_, place) => make(place))
  const used = sum(new Map(chunks.map(({ key, frames }) => [key, frames])))
  return { ahead: ahead / 30, atPress: (sum(made) - ahead) / 30, thrownAway: 1 - used / sum(made) }

  function make(place: number): number {
    const { key, frames } = chunks[place]!
    if (made.has(key)) return 0
    made.set(key, frames)
    return frames
  }
  async function chunksOf(what: Recipe) {
    const { painted } = await painting(what, logo.bitmap)
    const materials = new Map([
      ['take', { hash: 'take', probe: take.probe }],
      ['logo', { hash: logo.hash, probe: logo.probe }],
    ])
    return plan(what, { materials, painted }).chunks
  }
}

function sum(frames: ReadonlyMap<string, number>): number {
  return frames.values().reduce((all, one) => all + one, 0)
}
