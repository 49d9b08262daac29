import { expect, test } from 'vitest'
import { brand, take } from '../test/take.ts'
import { cutStretch, cutWords, restoreWords, switchReason, takeTry } from './commands/cuts.ts'
import { setEnding } from './commands/ending.ts'
import { putPerson, setFrame, switchFocus } from './commands/picture.ts'
import { switchDecision } from './decisions.ts'
import { firstCut } from './first-cut.ts'
import type { Word } from './recipe.ts'
import { outcomesOf } from './rule-outcomes.ts'
import { saidAgain } from './tries.ts'

/** Words of 300 ms, 100 ms apart; a number is so many tenths of a second without one. */
const said = (text: string) => {
  const words: Word[] = []
  const silences: { source: string; start: number; end: number }[] = []
  let at = 200
  for (const one of text.split(' ')) {
    if (/^\d+$/.test(one)) {
      silences.push({ source: 'a', start: at - 100, end: at + Number(one) * 100 })
      at += Number(one) * 100
      continue
    }
    words.push({
      id: `w${words.length}`,
      source: 'a',
      start: at,
      end: at + 300,
      text: one,
      confidence: 1,
      origin: 'heard',
    })
    at += 400
  }
  return firstCut({ sources: [take(at)], words, silences, brand, style: 1 })
}
const first = said(
  'Rates moved again. 20 um They are at five percent now. 15 Most people wait too long. 5 Most people wait too long. 12 Call me today.',
)
const idsOf = (...texts: string[]) => first.words.filter(({ text }) => texts.includes(text)).map(({ id }) => id)

test('decisions that are rendered as the rules made them are kept, rule by rule', () => {
  expect(outcomesOf(first, first)).toEqual({
    silence: { kept: 3, undone: 0, added: 0 },
    filler: { kept: 1, undone: 0, added: 0 },
    'broken-off': { kept: 1, undone: 0, added: 0 },
    move: { kept: 2, undone: 0, added: 0 },
    card: { kept: 1, undone: 0, added: 0 },
  })
})

test('a decision is undone by its switch, in the transcript, and for all of its kind', () => {
  expect(outcomesOf(first, switchReason('silence', false)(first)).silence).toEqual({ kept: 0, undone: 3, added: 0 })
  expect(outcomesOf(first, restoreWords(idsOf('um'))(first)).filler).toEqual({ kept: 0, undone: 1, added: 0 })
  const [move] = first.moves
  const still = switchDecision(first, { list: 'moves', id: move!.id }, false)
  expect(outcomesOf(first, still).move).toEqual({ kept: 1, undone: 1, added: 0 })
  expect(outcomesOf(first, setEnding({ on: false })(first)).card).toEqual({ kept: 0, undone: 1, added: 0 })
  // Put back and taken out by hand: what the rule wanted is so, and nothing was added to it.
  const again = cutWords(idsOf('um'))(restoreWords(idsOf('um'))(first))
  expect(outcomesOf(first, again).filler).toEqual({ kept: 1, undone: 0, added: 0 })
})

test('a person’s cut counts for the rule that missed it, else for none', () => {
  expect(outcomesOf(first, cutWords(idsOf('Rates', 'moved'))(first)).none).toEqual({ kept: 0, undone: 0, added: 1 })
  const hums = {
    ...first,
    removed: [],
    words: first.words.map((word) => (word.text === 'um' ? { ...word, text: 'uh' } : word)),
  }
  expect(outcomesOf(hums, cutWords(idsOf('um'))(hums)).filler).toEqual({ kept: 0, undone: 0, added: 1 })
  // Before its first word nobody speaks for five frames.
  expect(outcomesOf(first, cutStretch(0, 5)(first)).silence).toEqual({ kept: 3, undone: 0, added: 1 })
  // A try that the rules did not see is a sentence said twice, of which one is out by hand.
  const unseen = { ...first, removed: first.removed.filter(({ reason }) => reason !== 'broken-off') }
  const ids = idsOf('Most', 'people', 'wait', 'too', 'long.')
  const one = cutWords(ids.slice(0, 5))(unseen)
  expect(outcomesOf(unseen, one)['broken-off']).toEqual({ kept: 0, undone: 0, added: 1 })
  // The other try instead: the rule chose the wrong one.
  const other = takeTry(saidAgain(first)[0]!.tries, 0)(first)
  expect(outcomesOf(first, other)['broken-off']).toEqual({ kept: 0, undone: 1, added: 1 })
})

test('a place of the person counts where the frame cuts the picture, and is undone by a person’s own', () => {
  const wide = take(20_000, { width: 1920, height: 1080 })
  const hold = { start: 0, end: 20_000, x: 0.8, y: 0.4, height: 0.3 }
  const people = new Map([['a', { holds: [hold], doubts: [] }]])
  const found = firstCut({ sources: [wide], words: [], silences: [], people, brand, style: 1 })
  expect(outcomesOf(found, found).person).toEqual({ kept: 1, undone: 0, added: 0 })
  expect(outcomesOf(found, switchFocus('f1', false)(found)).person).toEqual({ kept: 0, undone: 1, added: 0 })
  const own = putPerson('a', { x: 0.2, y: 0.4 })(found)
  expect(outcomesOf(found, own).person).toEqual({ kept: 0, undone: 1, added: 1 })
  expect(outcomesOf(found, setFrame({ aspect: '16:9' })(own)).person).toBeUndefined()
})

test('a cut that is only offered is undone by taking it out', () => {
  const marked = first.words.map((word) => (word.text === 'again.' ? { ...word, mark: 'off-script' as const } : word))
  const offered = firstCut({ sources: first.sources, words: marked, silences: [], brand, style: 1 })
  const [decision] = offered.removed.filter(({ reason }) => reason === 'off-script')
  expect(outcomesOf(offered, offered)['off-script']).toEqual({ kept: 1, undone: 0, added: 0 })
  const out = switchDecision(offered, { list: 'removed', id: decision!.id }, true)
  expect(outcomesOf(offered, out)['off-script']).toEqual({ kept: 0, undone: 1, added: 0 })
})
