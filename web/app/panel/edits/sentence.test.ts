import { expect, test } from 'vitest'
import { setLayerEdge, bRollOf, coverWords } from '@clear-to-post/edit/commands/layers'
import { flatten, passagesOf, type WordToken } from '@clear-to-post/edit/passages'
import { wholeRecipe, type Recipe } from '@clear-to-post/edit/recipe'
import { brand, take } from '../../../../edit/test/take.ts'
import { benchStep, openBench } from './bench.ts'
import { sentenceAround, textOf } from './sentence.ts'

const source = take(20_000, { id: 's1', assetId: 'a1' })
const recipe: Recipe = {
  ...wholeRecipe([source], brand),
  words: 'Hello there. At the closing you get the keys! Call me'.split(' ').map((text, i) => ({
    id: `w${i}`,
    source: 's1',
    start: 500 + i * 400,
    end: 800 + i * 400,
    text,
    confidence: 1,
    origin: 'script' as const,
  })),
}

test('the sentence around words goes from the mark that ends the one before to its own', () => {
  const flat = flatten(passagesOf(recipe))
  const words = flat.filter((token): token is WordToken => token.kind === 'word')
  const some = (from: number, to: number) => words.slice(from, to)
  expect(textOf(some(7, 9))).toBe('the keys!')
  expect(sentenceAround(flat, some(7, 9))).toBe('At the closing you get the keys!')
  expect(sentenceAround(flat, some(1, 3))).toBe('Hello there. At the closing you get the keys!')
  expect(sentenceAround(flat, some(10, 11))).toBe('Call me')
  expect(sentenceAround(flat, [])).toBe('')
})

test('a dragged end of B-roll is one step, and undoing gives back the same bytes', () => {
  const clip = { assetId: 'clip', durationMs: 9000 }
  const open = openBench({ recipe, revision: 1 }, null, 'Kept')
  const covered = benchStep(open, { do: 'change', name: 'B-roll', command: coverWords(['w2', 'w3', 'w4'], clip) })
  const { id } = bRollOf(covered.recipe)[0]!
  const dragged = [80, 90, 100].reduce(
    (bench, frame) =>
      benchStep(bench, { do: 'change', name: 'End', command: setLayerEdge(id, 'to', frame, clip), merge: 'drag 1' }),
    covered,
  )
  expect(bRollOf(dragged.recipe)[0]!.span.end).toBe(3333)
  const back = benchStep(dragged, { do: 'undo' })
  expect(JSON.stringify(back.recipe)).toBe(JSON.stringify(covered.recipe))
  expect(JSON.stringify(benchStep(back, { do: 'undo' }).recipe)).toBe(JSON.stringify(recipe))
  expect(benchStep(back, { do: 'redo' }).recipe).toEqual(dragged.recipe)
})
