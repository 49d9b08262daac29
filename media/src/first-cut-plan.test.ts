import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decisionsOf, switchDecision } from '@clear-to-post/edit/decisions'
import { firstCut, type FirstCut } from '@clear-to-post/edit/first-cut'
import { readRecipe } from '@clear-to-post/edit/read-recipe'
import { removalReasons, wordMarks, type Source, type Span, type Word } from '@clear-to-post/edit/recipe'
import { timelineOf } from '@clear-to-post/edit/timeline'
import { plan } from './render.ts'
import type { Material } from './chunks.ts'

const brand = { primary: '#2647e0', secondary: '#ff5a3c', logo: null, name: 'Ann', line: 'Loans', legal: 'NMLS #1' }

const ms = (max: number) => fc.integer({ min: 0, max })
/** Now and then much too long, or nothing. */
const text = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.constantFrom(...'rates moved again this week. If 3.5 percent, thirty dollars now!'.split(' ')),
  },
  { weight: 4, arbitrary: fc.constantFrom('um', 'uh,', 'send', 'me', 'message', '…', 'we-', '$30,000') },
  { weight: 1, arbitrary: fc.string({ maxLength: 400 }) },
)

/** A word anywhere: in order or over others, of no length, up to and past the end of its source. */
const wordOf = (source: Source) =>
  fc.record({
    source: fc.constant(source.id),
    id: fc.oneof({ weight: 20, arbitrary: fc.uuid() }, { weight: 1, arbitrary: fc.constant('w1') }),
    text,
    start: fc.oneof(ms(source.durationMs), ms(source.durationMs + 3000)),
    long: fc.oneof(fc.constant(0), ms(500), ms(20_000)),
    confidence: fc.constant(1),
    origin: fc.constantFrom('script' as const, 'heard' as const, 'typed' as const),
    mark: fc.option(fc.constantFrom(...wordMarks), { nil: undefined, freq: 4 }),
  })

/** Words one after the other, as they are found; the last ones may lie past the end, because the take ends in mid-speech. */
const spoken = (source: Source) =>
  fc
    .array(fc.record({ text, pause: fc.oneof(fc.constant(20), ms(2500)), long: ms(700) }), { maxLength: 60 })
    .map((all) => {
      let at = 0
      return all.map(({ text, pause, long }, i): Word => {
        const start = at + pause
        at = start + long
        return { source: source.id, id: `${source.id}-w${i}`, text, start, end: at, confidence: 1, origin: 'script' }
      })
    })

const spans = (source: Source) =>
  fc.array(
    fc
      .record({ start: ms(source.durationMs + 1000), long: ms(8000) })
      .map(({ start, long }): Span => ({ source: source.id, start, end: start + long })),
    { maxLength: 12 },
  )

const take = (n: number) =>
  fc
    .record({
      durationMs: fc.oneof(fc.integer({ min: 500, max: 3000 }), fc.integer({ min: 500, max: 90_000 })),
      hasSound: fc.boolean(),
    })
    .map(({ durationMs, hasSound }): Source => {
      const size = { width: 180, height: 320, fps: { num: 30, den: 1 } }
      return { id: `s${n}`, assetId: `a${n}`, name: 'take.mov', durationMs, hasSound, ...size }
    })
    .chain((source) =>
      fc.record({
        source: fc.constant(source),
        words: fc.oneof(
          spoken(source),
          fc
            .array(wordOf(source), { maxLength: 20 })
            .map((all) => all.map(({ long, ...word }): Word => ({ ...word, end: word.start + long }))),
        ),
        silences: fc.oneof(
          spans(source),
          fc.constant<Span[]>([{ source: source.id, start: 0, end: source.durationMs }]),
        ),
        stills: fc.option(ms(source.durationMs).map((start) => ({ source: source.id, start, end: source.durationMs }))),
      }),
    )

const takes = fc
  .integer({ min: 1, max: 3 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, i) => take(i + 1))))
  .map((all): FirstCut => {
    const words = all.flatMap((one) => one.words)
    return {
      sources: all.map(({ source }) => source),
      words,
      unsaid: words
        .slice(0, 3)
        .map(({ source, start, text }, i) => ({ id: `u${i}`, source, at: start, text: text || 'that' })),
      silences: all.flatMap(({ silences }) => silences),
      stills: all.flatMap(({ stills }) => stills ?? []),
      script: words.map((word) => word.text).join(' '),
      brand,
      style: 5,
    }
  })

function planned(given: FirstCut, recipe: ReturnType<typeof firstCut>) {
  const materials = given.sources.map(({ assetId, durationMs, hasSound }): [string, Material] => [
    assetId,
    {
      hash: assetId,
      probe: {
        ok: true,
        kind: 'video',
        container: 'mov',
        mp4: true,
        bytes: 9e6,
        durationMs,
        video: {
          stream: 0,
          codec: 'h264',
          width: 180,
          height: 320,
          rotation: 0,
          fps: 30,
          constantRate: true,
          pixelFormat: 'yuv420p',
          hdr: null,
          matrix: 'bt709',
          alpha: false,
        },
        audio: hasSound ? { stream: 1, codec: 'aac', channels: 1, sampleRate: 48_000 } : null,
      },
    },
  ])
  return plan(recipe, { materials: new Map(materials), painted: { tracks: [], cards: [] } })
}

it('the first cut of any words on any takes is a valid recipe that shows something and can be planned', () => {
  fc.assert(
    fc.property(takes, fc.nat(), (given, pick) => {
      const recipe = firstCut(given)
      expect(readRecipe(recipe).problems).toBeUndefined()
      const timeline = timelineOf(recipe)
      expect(timeline.pieces.length).toBeGreaterThan(0)
      const { frames, chunks } = planned(given, recipe)
      expect([frames, chunks.reduce((sum, chunk) => sum + chunk.frames, 0)]).toEqual([timeline.frames, timeline.frames])
      for (const { reason } of recipe.removed) expect(removalReasons).toContain(reason)
      // Every decision can be switched by itself, and what comes of it is valid.
      const decisions = decisionsOf(recipe)
      const one = decisions[pick % decisions.length]!
      expect(readRecipe(switchDecision(recipe, one, !one.on)).problems).toBeUndefined()
    }),
    { numRuns: 1000 },
  )
})

it('a take without words stays whole, whatever is silent in it', () => {
  fc.assert(
    fc.property(take(1), ({ source, silences, stills }) => {
      const recipe = firstCut({
        sources: [source],
        words: [],
        silences,
        stills: stills ? [stills] : [],
        brand,
        style: 5,
      })
      expect(recipe).toMatchObject({ removed: [], moves: [] })
    }),
  )
})
