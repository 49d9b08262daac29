import { expect, test } from 'vitest'
import { brand, take } from '../test/take.ts'
import { setCaptions } from './commands/captions.ts'
import { cutStretch } from './commands/cuts.ts'
import { addPinned } from './commands/pictures.ts'
import { setPieceEdge, splitAt } from './commands/trims.ts'
import { finishFindings } from './finish-check.ts'
import { readRecipe } from './read-recipe.ts'
import { wholeRecipe, type Recipe } from './recipe.ts'
import { timelineOf } from './timeline.ts'

const recipe: Recipe = {
  ...wholeRecipe([take(8000)], brand),
  words: ['Rates', 'moved', 'again', 'this', 'week.'].map((text, i) => ({
    id: `w${i}`,
    source: 'a',
    start: 1000 + i * 400,
    end: 1300 + i * 400,
    text,
    confidence: 1,
    origin: 'script' as const,
  })),
}
const found = (one: Recipe) => finishFindings(one)
const kinds = (one: Recipe) => found(one).map(({ kind }) => kind)
const withWord = (part: Partial<Recipe['words'][number]>): Recipe => ({
  ...recipe,
  words: recipe.words.map((word, i) => (i === 2 ? { ...word, ...part } : word)),
})

test('a video that is as it should be has no findings', () => {
  expect(found(recipe)).toEqual([])
  expect(found(splitAt(60)(recipe))).toEqual([])
})

test('each difference from the script is found with its place in the video and in the transcript', () => {
  for (const [kind, part] of [
    ['unsure', { confidence: 0.2 }],
    ['estimated', { estimated: true }],
    ['off-script', { mark: 'off-script' }],
    ['filler', { mark: 'filler' }],
    ['broken-off', { mark: 'broken-off' }],
    ['boxes', { text: '中' }],
  ] as const)
    expect(found(withWord(part))).toEqual([{ kind, frames: [54], token: 'k1.w2' }])
  const unsaid = { ...recipe, unsaid: [{ id: 'u', source: 'a', at: 5000, text: 'Call me.' }] }
  expect(found(unsaid)).toEqual([{ kind: 'unsaid', frames: [150], token: 'k1.u' }])
  // What comes first in the list weighs most, wherever it is.
  expect(kinds({ ...unsaid, words: withWord({ confidence: 0.2 }).words })).toEqual(['unsaid', 'unsure'])
})

test('a black or frozen picture is found where it is seen, and not under B-roll or where it is cut out', () => {
  const flaws: Recipe['flaws'] = [
    { source: 'a', kind: 'black', start: 1000, end: 1100 },
    { source: 'a', kind: 'frozen', start: 3000, end: 6000 },
  ]
  const flawed = { ...recipe, flaws }
  expect(readRecipe(flawed).problems).toBeUndefined()
  expect(found(flawed)).toEqual([
    { kind: 'black', frames: [30] },
    { kind: 'frozen', frames: [90] },
  ])
  const out = {
    id: 'r',
    source: 'a',
    start: 900,
    end: 1200,
    reason: 'by-hand',
    by: 'person',
    why: '',
    on: true,
  } as const
  expect(kinds({ ...flawed, removed: [out] })).not.toContain('black')
  const layer = { id: 'b1', kind: 'b-roll', assetId: 'c', fromMs: 0, focus: { x: 0.5, y: 0.5 }, on: true } as const
  const covered = { ...flawed, layers: [{ ...layer, span: { source: 'a', start: 900, end: 4500 } }] }
  expect(found(covered)).toEqual([{ kind: 'frozen', frames: [135] }])
  // Of what is left of a frozen stretch less than a second is no fault.
  const mostly = { ...flawed, layers: [{ ...layer, span: { source: 'a', start: 900, end: 5500 } }] }
  expect(found(mostly)).toEqual([])
  expect(found({ ...covered, layers: [{ ...covered.layers[0]!, on: false }] })).toEqual(found(flawed))
})

test('B-roll that has run out is found where it stands still', () => {
  const layer = { id: 'b1', kind: 'b-roll', assetId: 'c', fromMs: 0, focus: { x: 0.5, y: 0.5 }, on: true } as const
  const covered: Recipe = { ...recipe, layers: [{ ...layer, span: { source: 'a', start: 1000, end: 4000 } }] }
  const check = (ms: number | null) => finishFindings(covered, timelineOf(covered), { clips: new Map([['c', ms]]) })
  expect(check(2000)).toEqual([{ kind: 'frozen', frames: [90] }])
  expect(check(2900)).toEqual([])
  expect(check(null)).toEqual([])
})

test('a cut through a word is found at the frame where it is heard, and one beside it is not', () => {
  expect(found(setPieceEdge(0, 'to', 76)(recipe))).toEqual([])
  // “this” is from 2.2 to 2.5 s.
  const cut = setPieceEdge(0, 'to', 72)(recipe)
  expect(found(cut)).toEqual([{ kind: 'cut-word', frames: [71] }])
  // Another recording that goes on at the same frame of its own is another one.
  const other = { ...recipe.sources[0]!, id: 'b', assetId: 'y' }
  const next = { id: 'k9', source: 'b', start: 2400, end: 8000 }
  expect(found({ ...cut, sources: [...cut.sources, other], keep: [...cut.keep, next] })).toEqual(found(cut))
})

test('remarks that are not ticked off come first, at their moments', () => {
  const asked = withWord({ confidence: 0.2 })
  const findings = finishFindings(asked, undefined, { remarks: [80, 20] })
  expect(findings.map(({ kind, frames }) => [kind, frames])).toEqual([
    ['remarks', [20, 80]],
    ['unsure', [54]],
  ])
  expect(finishFindings(recipe, undefined, { remarks: [] })).toEqual([])
})

test('captions, pictures, cards and sound that leave something to be decided are found', () => {
  expect(kinds(setCaptions({ on: false })(recipe))).toEqual(['captions-off'])
  const low = addPinned('picture', 'photo', { source: 'a', start: 2000, end: 3000 })(recipe)
  const [layer] = low.layers
  expect(kinds(low)).toEqual([])
  const covered = { ...low, layers: [{ ...layer!, place: 'bottom-right' as const }] as Recipe['layers'] }
  expect(found(covered)).toEqual([{ kind: 'picture-covered', frames: [60] }])
  expect(kinds({ ...covered, frame: { ...recipe.frame, aspect: '16:9' } })).toEqual([])
  const card = { on: true, lengthMs: 2000, title: '', call: '' }
  expect(found({ ...recipe, close: { ...card, call: 'Send me a message.' } })).toEqual([])
  expect(found({ ...recipe, close: card })).toEqual([{ kind: 'no-next-step', frames: [240] }])
  expect(kinds({ ...recipe, sound: { ...recipe.sound, loudness: null } })).toEqual(['loudness'])
})

test('a video of which nothing is left, and one that is too long or too full to be rendered, say so first', () => {
  expect(kinds(cutStretch(0, 240)(recipe))[0]).toBe('empty')
  expect(kinds({ ...wholeRecipe([take(20 * 60_000)], brand) })).toEqual(['too-long'])
  const sticker = { kind: 'sticker', name: 'tick', at: { x: 0.5, y: 0.5 }, size: 0.2, span: null, on: true } as const
  const layers = Array.from({ length: 21 }, (_, i) => ({ ...sticker, id: `s${i}` }))
  expect(kinds({ ...recipe, layers })[0]).toBe('too-much')
})
