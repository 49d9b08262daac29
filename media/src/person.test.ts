// @module-tag long
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { firstCut } from '@clear-to-post/edit/first-cut'
import type { Person } from '@clear-to-post/edit/person'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { ffmpeg, scratch } from '../test/footage.ts'
import { isLong } from '../test/long.ts'
import { headOf, stage } from './clip-scene.ts'
import { makeClip, placeOf, type DrawnPerson } from './make-clip.ts'
import { findPerson, looksAt } from './person.ts'
import { probe, type Probe } from './probe.ts'
import { plan, run } from './render.ts'

// Drawn people, whose heads are where they were drawn. The detector takes them for faces as it does with people's.

const { path, bin } = scratch()
afterAll(bin)

const wide = { width: 640, height: 360 }

/** The head of somebody who stands there, as parts of the picture. */
const headIn = ({ width, height }: typeof wide, standing: DrawnPerson) => {
  const head = headOf(placeOf(stage(width, height), standing))
  return {
    x: head.x / width,
    y: head.y / height,
    halfWidth: head.halfWidth / width,
    halfHeight: head.halfHeight / height,
  }
}

async function seen(file: string): Promise<Probe> {
  const found = await probe(file)
  if (!found.ok) throw new Error(found.reason)
  return found
}

type Take = { people: DrawnPerson[]; seed: number; seconds?: number; size?: typeof wide }

async function filmed(name: string, { people, seed, seconds = 2, size = wide }: Take) {
  const file = path(`${name}.mp4`)
  await makeClip({ out: file, seconds, ...size, hue: 30 * seed, seed, people, voice: false })
  return { file, probe: await seen(file) }
}

const encoder = '-an -c:v libx264 -preset ultrafast'

describe('where the person of a recording is', { timeout: 120_000 }, () => {
  const takes: [name: string, standing: DrawnPerson, seed: number, size?: typeof wide][] = [
    ['left', { x: 0.16, size: 0.8 }, 1],
    ['right', { x: 0.8 }, 2],
    ['far', { x: 0.66, size: 0.5 }, 4],
    ['upright', { x: 0.6, size: 0.9 }, 5, { width: 360, height: 640 }],
  ]

  it('is within the head, of its size, and the same place all the time, at any place and distance', async () => {
    for (const [name, standing, seed, size = wide] of takes) {
      const person = await findPerson(await filmed(name, { people: [standing], seed, size }))
      expect([name, person?.doubts, person?.holds.length]).toEqual([name, [], 1])
      const [hold] = person!.holds
      const head = headIn(size, standing)
      expect(Math.abs(hold!.x - head.x)).toBeLessThan(head.halfWidth / 2)
      expect(Math.abs(hold!.y - head.y)).toBeLessThan(head.halfHeight / 2)
      expect(hold!.height / (2 * head.halfHeight)).toBeGreaterThan(0.8)
      expect(hold!.height / (2 * head.halfHeight)).toBeLessThan(1.3)
    }
  })

  it('is nowhere in a house tour, and in doubt where two people stand', async () => {
    expect(await findPerson(await filmed('house', { people: [], seed: 6 }))).toBeNull()
    const two = await filmed('two', { people: [{ x: 0.25 }, { x: 0.75, seed: 8 }], seed: 3 })
    expect((await findPerson(two))?.doubts.map(({ kind }) => kind)).toEqual(['two'])
  })

  it('is found by the proxy as by the recording, in a thread that a signal ends', async () => {
    const { file, probe } = await filmed('proxied', { people: [{ x: 0.7 }], seed: 7 })
    const proxy = path('proxy.mp4')
    withKeyFrames(file, proxy)
    const [whole, small] = [await findPerson({ file, probe }), await findPerson({ file: 'nowhere', proxy, probe })]
    expect(small?.holds).toHaveLength(1)
    expect(Math.abs(small!.holds[0]!.x - whole!.holds[0]!.x)).toBeLessThan(0.02)
    const stop = new AbortController()
    const looking = findPerson({ file, probe, signal: stop.signal })
    stop.abort(new Error('enough'))
    await expect(looking).rejects.toThrow('enough')
  })

  it(`is found in ${isLong ? 'turned, odd and single' : 'turned'} pictures`, async () => {
    const { file, probe: plain } = await filmed('plain', { people: [{ x: 0.3 }], seed: 9 })
    const place = (await findPerson({ file, probe: plain }))!.holds[0]!
    const found = async (name: string, ...args: Parameters<typeof ffmpeg>) => {
      ffmpeg(...args)
      const person = await findPerson({ file: path(name), probe: await seen(path(name)) })
      expect([name, person?.doubts, person?.holds.length]).toEqual([name, [], 1])
      return person!.holds[0]!
    }
    // As a phone films that is held across: the picture stands on its side, and a matrix turns it upright.
    ffmpeg(`-i @ -vf transpose=2 ${encoder} @`, file, path('side.mp4'))
    const matrix = '-i @ -c copy -metadata:s:v:0 rotate=270 @'
    const turned = await found('turned.mp4', matrix, path('side.mp4'), path('turned.mp4'))
    const odd = `-i @ -vf scale=321:181,format=yuv444p ${encoder} @`
    const single = `-i @ -vf fps=1 -frames:v 1 ${encoder} @`
    const places = [
      turned,
      ...(isLong
        ? [
            await found('odd.mp4', odd, file, path('odd.mp4')),
            await found('single.mp4', single, file, path('single.mp4')),
          ]
        : []),
    ]
    for (const { x, y } of places) {
      expect(Math.abs(x - place.x)).toBeLessThan(0.03)
      expect(Math.abs(y - place.y)).toBeLessThan(0.05)
    }
  })

  // The proxies that are looked at have a key frame each second: this is for a recording that has none yet.
  it('is followed where one key frame is all that there is', async () => {
    const walks = { x: 0.78, from: 3, to: 5 }
    const take = await filmed('goes', { people: [{ x: 0.2, walks }], seed: 2, seconds: 8 })
    ffmpeg(`-i @ ${encoder} -g 600 -keyint_min 600 -sc_threshold 0 @`, take.file, path('keyless.mp4'))
    const followed = await findPerson({ file: path('keyless.mp4'), probe: take.probe })
    expect(followed?.holds.map(({ x }) => Math.round(x * 20) / 20)).toEqual([0.2, 0.8])
  })

  it('is followed to another place, and the upright render has the whole head in the frame all the time', async () => {
    const walks = { x: 0.78, from: 3, to: 5 }
    const standing: DrawnPerson = { x: 0.2, size: 0.8, walks }
    const take = await filmed('walk', { people: [standing], seed: 2, seconds: 8 })
    const person = await findPerson(take)
    expect(person?.doubts).toEqual([])
    expect(person?.holds.map(({ x }) => Math.round(x * 20) / 20)).toEqual([0.2, 0.8])
    const finished = await upright(take, person!)
    // Looks are a second apart, as the picture's ways are long: a second time from the middle of one.
    const later = path('later.mp4')
    withKeyFrames(finished[0].file, later, '-ss 0.7')
    const laterProbe = await seen(later)
    const inBetween = await looksAt({ file: later, proxy: later, probe: laterProbe }, laterProbe.video!)
    const heads = [...(await looksAt(...finished)), ...inBetween.map((look) => ({ ...look, at: look.at + 700 }))]
    expect(heads).toHaveLength(8 + 8)
    for (const { at, faces } of heads) {
      const [face] = faces
      // While the picture follows the head is on its way through the frame; where it stays it is in the middle.
      const isHeld = at < 3000 || at > 5500
      expect([at, face && Math.abs(face.x - 0.5) < (isHeld ? 0.1 : 0.35)]).toEqual([at, true])
    }
  })
})

/** The first cut of a take as an upright video of the least size, with a person where it was found. */
async function upright({ file, probe: found }: { file: string; probe: Probe }, person: Person) {
  const source = { id: 's', assetId: 'A', name: '', durationMs: found.durationMs, ...wide, fps: { num: 30, den: 1 } }
  const made = firstCut({
    sources: [{ ...source, hasSound: false }],
    words: [],
    silences: [],
    people: new Map([['s', person]]),
    brand: { primary: '#000000', secondary: '#000000', logo: null, name: '', line: '', legal: '' },
    style: 1,
  })
  const recipe: Recipe = { ...made, close: null, output: { ...made.output, shortSide: 180 } }
  const planned = plan<never>(recipe, {
    materials: new Map([['A', { hash: file, probe: found }]]),
    painted: { tracks: [], cards: [] },
  })
  const outDir = path('upright')
  mkdirSync(outDir)
  const answer = await run(planned, {
    files: new Map([['A', file]]),
    paint: () => new Uint8Array(),
    cacheDir: path('chunks'),
    outDir,
  })
  if (!answer.ok) throw new Error(answer.reason)
  const video = join(outDir, answer.file)
  const rendered = await seen(video)
  const proxy = path('upright.mp4')
  withKeyFrames(video, proxy)
  return [{ file: video, proxy, probe: rendered }, rendered.video!] as const
}

/** The same with a key frame every second, as proxies have it. */
const withKeyFrames = (file: string, proxy: string, from = '') =>
  ffmpeg(`${from} -i @ -an -c:v libx264 -preset ultrafast -g 30 -keyint_min 30 -sc_threshold 0 @`.trim(), file, proxy)
