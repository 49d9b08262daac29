import fc from 'fast-check'
import { expect, it } from 'vitest'
import { brand, take } from '../test/take.ts'
import { abutted, cutsOf, framesOf, placed, recut, type CutItem, type Cuts } from './cuts.ts'
import { readEdl, writeEdl } from './edl.ts'
import { readFcpxml, writeFcpxml } from './fcpxml.ts'
import { writeOtio } from './otio.ts'
import { readOtio } from './read-otio.ts'
import { wholeRecipe, type Recipe } from './recipe.ts'
import { timelineOf } from './timeline.ts'

const size = { width: 1080, height: 1920 }
const names = ['take 1.mov', 'Küche & “Bad” <2>.mp4']
const clip = fc.record({
  kind: fc.constant('clip' as const),
  media: fc.constantFrom(...names),
  from: fc.nat(5000),
  long: fc.integer({ min: 80, max: 900 }),
  fade: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 30 })),
})
const gap = fc.record({
  kind: fc.constant('gap' as const),
  name: fc.constantFrom('End card', 'Black & more'),
  frames: fc.integer({ min: 1, max: 90 }),
})
const lists = fc
  .record({
    fps: fc.constantFrom(
      { num: 30, den: 1 },
      { num: 30000, den: 1001 },
      { num: 24000, den: 1001 },
      { num: 60, den: 1 },
    ),
    items: fc.array(fc.oneof({ weight: 6, arbitrary: clip }, { weight: 1, arbitrary: gap }), {
      minLength: 1,
      maxLength: 12,
    }),
    jobCode: fc.constantFrom('CTP-7QK2', null),
  })
  .map(({ fps, items, jobCode }): Cuts => {
    const list = items.map((item, i): CutItem => {
      if (item.kind === 'gap') return item
      const { long, ...rest } = item
      return { ...rest, to: item.from + long, fade: items[i - 1]?.kind === 'clip' ? item.fade : 0 }
    })
    const used = [...new Set(list.flatMap((item) => (item.kind === 'clip' ? [item.media] : [])))]
    const media = used.map((name) => ({ id: name, name, frames: 6000, hasSound: true }))
    return { title: 'Rates & dates', jobCode, fps, size: { width: 1080, height: 1920 }, media, items: list }
  })

it('clips laid end to end keep every frame', () => {
  fc.assert(
    fc.property(lists, (cuts) => {
      const laid = abutted(cuts.items)
      expect(laid.reduce((sum, { from, to }) => sum + to - from, 0)).toBe(framesOf(cuts))
      expect(laid.every(({ from, to }) => to > from)).toBe(true)
    }),
  )
})

it('a cut list written as OTIO, FCPXML or CMX 3600 reads back the same', () => {
  fc.assert(
    fc.property(lists, (cuts) => {
      expect(readOtio(writeOtio(cuts))).toEqual(cuts)
      expect(readFcpxml(writeFcpxml(cuts))).toEqual(cuts)
      const { title, jobCode, items } = readEdl(writeEdl(cuts), cuts.fps)!
      expect({ title, jobCode, items }).toEqual({ title: cuts.title, jobCode: cuts.jobCode, items: cuts.items })
    }),
    { numRuns: 150 },
  )
})

it('FCPXML holds no sign that XML may not hold, whatever a video is called', () => {
  const cuts: Cuts = {
    title: 'Rates\uFFFE\u0007\uFFFF',
    jobCode: null,
    fps: { num: 30, den: 1 },
    size,
    media: [],
    items: [],
  }
  expect(writeFcpxml(cuts)).toContain('<project name="Rates ">')
})

it('a file’s name is an address of its own in OTIO and FCPXML, whatever signs it has', () => {
  const name = 'Take #2? 100% & more.mov'
  const cuts: Cuts = {
    title: 'Rates',
    jobCode: null,
    fps: { num: 30, den: 1 },
    size,
    media: [{ id: name, name, frames: 6000, hasSound: true }],
    items: [{ kind: 'clip', media: name, from: 0, to: 90, fade: 0 }],
  }
  const address = 'Take%20%232%3F%20100%25%20%26%20more.mov'
  expect(writeFcpxml(cuts)).toContain(`src="./${address}"`)
  expect(writeOtio(cuts)).toContain(`"target_url": "${address}"`)
  expect(readFcpxml(writeFcpxml(cuts))).toEqual(cuts)
  expect(readOtio(writeOtio(cuts))).toEqual(cuts)
})

it('a file that is no cut list is refused by all three readers', () => {
  for (const text of ['', 'hello', '{}', '<a/>', '[1]'])
    expect([readOtio(text), readFcpxml(text), readEdl(text, { num: 30, den: 1 })]).toEqual([null, null, null])
})

it('a CMX 3600 list has the exact text that other programs expect', () => {
  const cuts: Cuts = {
    title: 'Rates',
    jobCode: 'CTP-1',
    fps: { num: 30000, den: 1001 },
    size: { width: 1080, height: 1920 },
    media: [{ id: 'a', name: 'a.mov', frames: 900, hasSound: true }],
    items: [
      { kind: 'clip', media: 'a', from: 0, to: 60, fade: 0 },
      { kind: 'clip', media: 'a', from: 90, to: 150, fade: 15 },
      { kind: 'gap', name: 'End card', frames: 90 },
    ],
  }
  expect(writeEdl(cuts)).toBe(`TITLE: Rates
FCM: NON-DROP FRAME
* JOB CODE: CTP-1

001  AX       B     C        00:00:00:00 00:00:01:15 01:00:00:00 01:00:01:15
* FROM CLIP NAME: a.mov
002  AX       B     C        00:00:01:15 00:00:01:15 01:00:01:15 01:00:01:15
002  AX       B     D    015 00:00:03:00 00:00:05:00 01:00:01:15 01:00:03:15
* FROM CLIP NAME: a.mov
* TO CLIP NAME: a.mov
003  BL       B     C        00:00:00:00 00:00:03:00 01:00:03:15 01:00:06:15
* FROM CLIP NAME: End card
`)
})

it('a recipe exported and imported again gives the same video', () => {
  const source = (id: string, name: string) => take(60_000, { id, assetId: id, name })
  const cutAt = fc.record({
    source: fc.constantFrom('a', 'b'),
    start: fc.nat(50_000),
    long: fc.integer({ min: 40, max: 4000 }),
    fade: fc.nat(500),
  })
  fc.assert(
    fc.property(
      fc.array(cutAt, { maxLength: 10 }),
      fc.constantFrom({ num: 30, den: 1 }, { num: 30000, den: 1001 }),
      (cuts, fps) => {
        const whole = wholeRecipe([source('a', 'IMG_1.MOV'), source('b', 'IMG_1.MOV')], brand)
        const recipe: Recipe = {
          ...whole,
          output: { ...whole.output, fps },
          removed: cuts.map((cut, i) => ({
            id: `r${i}`,
            source: cut.source,
            start: cut.start,
            end: cut.start + cut.long,
            reason: 'by-hand',
            by: 'person',
            why: '',
            on: true,
          })),
          joints: cuts.map((cut, i) => ({
            id: `j${i}`,
            source: cut.source,
            at: cut.start,
            kind: 'crossfade',
            lengthMs: cut.fade,
          })),
        }
        const out = cutsOf(recipe, { title: 'x', jobCode: 'CTP-1' })
        const back = recut(recipe, readFcpxml(writeFcpxml(out))!)
        expect(back.unknown).toEqual([])
        const shown = (one: Recipe) =>
          timelineOf(one).pieces.map(({ source, from, to, at, fadeIn }) => ({ source, from, to, at, fadeIn }))
        expect(shown(back.recipe)).toEqual(shown(recipe))
        expect(placed(out.items).at(-1)!.at + placed(out.items).at(-1)!.frames).toBe(timelineOf(recipe).frames)
      },
    ),
    { numRuns: 80 },
  )
})
