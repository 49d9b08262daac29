import { readFile } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { heldSources } from '@clear-to-post/edit/commands/steady'
import type { Fps } from '@clear-to-post/edit/frames'
import type { Recipe } from '@clear-to-post/edit/recipe'
import type { ToneLoop } from '@clear-to-post/edit/room-tone'
import { besideItsWay, type Shake, type SteadyPath } from '@clear-to-post/edit/steady'
import { MediaTrouble } from '@clear-to-post/media/ffmpeg'
import { playedLouder } from '@clear-to-post/media/ingest'
import { roomOf, toneFile, toneFrom } from '@clear-to-post/media/room-tone'
import { shakeOf } from '@clear-to-post/media/shake'
import { keepMeasured, type Original } from '../assets/actions.ts'
import type { JobContext } from '../kernel/work.ts'
import type { Copies } from '../outside/storage.ts'

/** What is known of the takes of a recipe beside what every file is asked: each is measured once, by whoever needs it first. */
export type Measured = { steady?: SteadyPath | undefined; tone?: ToneLoop | undefined }

type Context = Pick<JobContext, 'database' | 'signal'> & { local: Copies }

/**
 * How the frames of those takes are moved that a recipe holds steady, and whose rooms are heard in it, by the asset's id; what was
 * measured now is kept, and the preview is told of it. A take that cannot be measured stays as it was filmed.
 */
export const measuredOf = async (
  context: Context,
  recipe: Recipe,
  materials: ReadonlyMap<string, Original>,
): Promise<Map<string, Measured>> => {
  const { fps } = recipe.output
  const held = assetsOf(recipe, new Set(heldSources(recipe)))
  const heard = recipe.sound.tone ? assetsOf(recipe, new Set(recipe.keep.map(({ source }) => source))) : []
  const found = new Map<string, Measured>()
  for (const [id, original] of materials) {
    const steady = held.includes(id) ? await steadyFor(context, original, fps) : undefined
    const tone = heard.includes(id) ? await toneFor(context, original) : null
    found.set(id, { steady, tone: tone ?? undefined })
  }
  return found
}

/**
 * Ways that were counted from what was measured, by its file, which never changes; the last used is the last. Of an hour one is a
 * second of work and 5 MB, and each render and each turn of what is rendered ahead asks for the same ones. So much is remembered,
 * and not so many: the takes of a project are all of it, however many they are. Sixteen hours at thirty frames a second.
 */
const counted = new Map<string, SteadyPath>()
const mostFrames = 16 * 3600 * 30
let frames = 0
const forget = (key: string) => {
  frames -= counted.get(key)?.x.length ?? 0
  counted.delete(key)
}

const steadyFor = async (context: Context, original: Original, fps: Fps): Promise<SteadyPath | undefined> => {
  const { id, shake: known } = original
  const isKnown = known?.fps.num === fps.num && known.fps.den === fps.den && known.path !== null
  const key = isKnown ? `${id} ${known.path}` : undefined
  const before = key === undefined ? undefined : counted.get(key)
  const shake = before ? null : await shakeFor(context, original, fps)
  const path = before ?? (shake ? await pathOf(shake) : undefined)
  if (key === undefined || path === undefined) return path
  forget(key)
  counted.set(key, path)
  frames += path.x.length
  for (const oldest of counted.keys()) if (frames > mostFrames && oldest !== key) forget(oldest)
  return path
}

/** As `steadyPath`; others have their turn between. */
const pathOf = async ({ fps, x, y, turn }: Shake): Promise<SteadyPath> => {
  const across = besideItsWay(x, fps)
  await setImmediate()
  const down = besideItsWay(y, fps)
  await setImmediate()
  return { x: across, y: down, turn: besideItsWay(turn, fps) }
}

const shakeFor = async (context: Context, { id, path, probe, shake: known }: Original, fps: Fps) => {
  const isKnown = known?.fps.num === fps.num && known.fps.den === fps.den
  if (isKnown && known.path === null) return null
  const kept = isKnown ? await bytesOf(context, id, known.path) : null
  if (kept) return JSON.parse(kept.toString('utf8')) as Shake
  const shake = await unlessTooMuch(shakeOf(path, probe, { fps, signal: context.signal }))
  // Named by its rate: a browser keeps what it once had of an address.
  const file = shake && { name: `shake-${fps.num}-${fps.den}.json`, bytes: JSON.stringify(shake) }
  await keepMeasured(context.database, id, 'shake', { fps, file })
  return shake
}

const toneFor = async (context: Context, { id, path, probe, tone: known }: Original): Promise<ToneLoop | null> => {
  if (known?.path === null) return null
  const kept = await bytesOf(context, id, known?.path)
  if (kept) return toneFrom(kept)
  const tone = await unlessTooMuch(roomOf(path, probe, context.signal))
  const bytes = tone && toneFile(tone)
  await keepMeasured(context.database, id, 'tone', {
    louder: playedLouder(probe),
    file: bytes && { name: 'tone.wav', bytes },
  })
  // As it is kept, so that the same sound is rendered each time.
  return bytes && toneFrom(bytes)
}

const assetsOf = ({ sources }: Recipe, wanted: ReadonlySet<string>): string[] =>
  sources.flatMap(({ id, assetId }) => (wanted.has(id) ? assetId : []))

const bytesOf = async ({ local }: Context, id: string, name: string | null | undefined): Promise<Buffer | null> => {
  const path = name ? await local.of(id, name) : undefined
  return path === undefined ? null : readFile(path)
}

/** What takes too long is not tried again with each revision. */
const unlessTooMuch = <T>(measuring: Promise<T | null>): Promise<T | null> =>
  measuring.catch((error: unknown) => {
    if (error instanceof MediaTrouble && (error.reason === 'timeout' || error.reason === 'memory')) return null
    throw error
  })
