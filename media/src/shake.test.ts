// @module-tag long
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { steadyPath, type Shake, type SteadyPath } from '@clear-to-post/edit/steady'
import { timelineOf } from '@clear-to-post/edit/timeline'
import { framesOf } from '../test/barcode.ts'
import { ffmpeg, quick, scratch } from '../test/footage.ts'
import { keeping } from '../test/recipes.ts'
import { ssim } from '../test/ssim.ts'
import { probe, type Probe } from './probe.ts'
import { plan, run } from './render.ts'
import { shakeOf } from './shake.ts'

const { path, bin } = scratch()
afterAll(bin)

const size = { width: 180, height: 320 }
const fps = { num: 30, den: 1 }
const seconds = 4
let found: Probe
let shake: Shake
let steady: SteadyPath

/** A still that a trembling hand films: to the sides, up and down, and turned. */
beforeAll(async () => {
  const waves = '128+60*sin(X*0.13)*cos(Y*0.11)+40*sin(X*0.031+Y*0.047)+20*sin(X*0.5+1)*sin(Y*0.43)'
  ffmpeg(`-f lavfi -i nullsrc=s=480x720:d=1,geq=lum='${waves}':cb=128:cr=128 -frames:v 1 @`, path('still.png'))
  const turned = "rotate=a='0.012*sin(n*1.3)':ow=iw:oh=ih"
  const moved = "crop=180:320:x='150+3*sin(n*1.7)+2*cos(n*0.9)':y='200+4*cos(n*1.1)':exact=1"
  ffmpeg(
    `-loop 1 -framerate 30 -t ${seconds} -i @ -vf ${turned},${moved} ${quick} -crf 12 -g 30 @`,
    path('still.png'),
    path('hand.mp4'),
  )
  const seen = await probe(path('hand.mp4'))
  if (!seen.ok) throw new Error(seen.code)
  found = seen
  shake = (await shakeOf(path('hand.mp4'), found, { fps }))!
  steady = steadyPath(shake)
}, 60_000)

it('a recording is measured by a thread of its own, and this one answers everybody meanwhile', async () => {
  const [here, everywhere] = [process.threadCpuUsage(), process.cpuUsage()]
  await shakeOf(path('hand.mp4'), found, { fps })
  const own = process.threadCpuUsage(here)
  const all = process.cpuUsage(everywhere)
  expect(own.user + own.system).toBeLessThan((all.user + all.system) / 2)
})

it('a measuring that is given up ends with its reason', async () => {
  const given = new AbortController()
  const measured = shakeOf(path('hand.mp4'), found, { fps, signal: given.signal })
  setTimeout(() => given.abort(new Error('given up')), 300)
  await expect(measured).rejects.toThrow('given up')
})

it('how a hand moved is measured frame by frame, in each direction', () => {
  expect(shake.x).toHaveLength(seconds * 30)
  const way = (at: number) => ({
    x: -(3 * Math.sin(at * 1.7) + 2 * Math.cos(at * 0.9)) / 180,
    y: -(4 * Math.cos(at * 1.1)) / 180,
    turn: 0.012 * Math.sin(at * 1.3),
  })
  for (let at = 1; at < shake.x.length; at++)
    for (const part of ['x', 'y', 'turn'] as const) {
      const step = shake[part][at]! / 131_072
      // Half a dot is what the crop rounds to on either side.
      expect(Math.abs(step - (way(at)[part] - way(at - 1)[part])), `${part} at ${at}`).toBeLessThan(
        part === 'turn' ? 0.002 : 1.3 / 180,
      )
    }
})

it('a picture held steady trembles by much less than it did, straightened and brought nearer too', async () => {
  const recipe = held(keeping('A', seconds * 1000, [[0, seconds * 1000]]))
  const plain = await rendered(recipe, 'plain')
  expect(await trembling(plain)).toBeLessThan(0.25 * spread(steady))
  // Straightened and brought nearer in one; what is nearer also trembles by so much more.
  const turned = recipe.keep.map((one) => ({ ...one, turn: 5 }))
  const near = { ...recipe, keep: turned, moves: [{ ...punch, kind: 'punch-in' as const }] }
  expect(await trembling(await rendered(near, 'near'))).toBeLessThan(0.4 * punch.scale * spread(steady))
  // What nobody measured, or nobody holds, is as it was filmed.
  const bare = await trembling(await rendered(recipe, 'bare', undefined))
  expect(bare).toBeGreaterThan(0.8 * spread(steady))
})

it('a part of a take is moved as the same part of all of it, wherever chunks are parted', async () => {
  const whole = held(keeping('A', seconds * 1000, [[0, seconds * 1000]]))
  const parts = held(
    keeping('A', seconds * 1000, [
      [1100, 1900],
      [2500, 3500],
    ]),
  )
  const [all, some] = [await rendered(whole, 'all'), await rendered(parts, 'some')]
  const [one, other] = [framesOf(all, size), framesOf(some, size)]
  const picture = (of: ReturnType<typeof framesOf>, frame: number) => {
    const bytes = Buffer.alloc(size.width * size.height * 3)
    for (let i = 0; i < bytes.length / 3; i++)
      bytes.fill(of.light(frame, i % size.width, Math.floor(i / size.width)), 3 * i, 3 * i + 3)
    return bytes
  }
  for (const { from, to, at } of timelineOf(parts).pieces)
    for (const frame of [from, from + 1, Math.floor((from + to) / 2), to - 1]) {
      const alike = ssim(picture(one, frame), picture(other, at + frame - from), size)
      expect(alike.light, `frame ${frame}`).toBeGreaterThan(0.95)
    }
})

it('a photograph, and a recording without a picture, are not measured', async () => {
  ffmpeg('-f lavfi -i sine=f=200:d=1 @', path('song.mp3'))
  for (const name of ['still.png', 'song.mp3']) {
    const seen = await probe(path(name))
    if (!seen.ok) throw new Error(seen.code)
    expect(await shakeOf(path(name), seen, { fps })).toBeNull()
  }
})

const punch = {
  id: 'm',
  source: 's',
  start: 0,
  end: 4000,
  scale: 1.3,
  focus: { x: 0.3, y: 0.6 },
  by: 'rule',
  why: '',
  on: true,
} as const

function held(recipe: Recipe): Recipe {
  return { ...recipe, keep: recipe.keep.map((one) => ({ ...one, steady: true as const })) }
}

async function rendered(
  recipe: Recipe,
  name: string,
  path_: SteadyPath | undefined = name === 'bare' ? undefined : steady,
) {
  const outDir = path(`out-${name}`)
  mkdirSync(outDir)
  const materials = new Map([['A', { hash: 'hand', probe: found, steady: path_ }]])
  const planned = plan<never>(recipe, { materials, painted: { tracks: [], cards: [] } })
  const paint = () => new Uint8Array()
  const made = await run(planned, { files: new Map([['A', path('hand.mp4')]]), cacheDir: path('cache'), outDir, paint })
  if (!made.ok) throw new Error(made.code)
  return join(outDir, 'video.mp4')
}

/** By how much the middle of a video stands beside its own smooth way, in parts of its width. */
async function trembling(file: string): Promise<number> {
  const seen = await probe(file)
  if (!seen.ok) throw new Error(seen.code)
  return spread(steadyPath((await shakeOf(file, seen, { fps }))!))
}

function spread({ x, y }: SteadyPath): number {
  const inner = [x, y].flatMap((way) => Array.from(way.slice(30, -30)))
  return Math.sqrt(inner.reduce((sum, value) => sum + value * value, 0) / inner.length)
}
