import { expect, it } from 'vitest'
import { readScript } from './prompter.ts'
import { triesIn } from './tries.ts'

const script = readScript('Rates moved. [smile] Call me, or write. Then we talk.')

it('a sentence has a try for each time the words came to it, and the last one counts', () => {
  const shown = [
    [0, 0],
    [1, 600],
    [2, 1200],
    [3, 1800],
    // Said again in the middle of the second sentence, then once more from its own beginning.
    [2, 2600],
    [3, 3100],
    [4, 3600],
    [2, 4200],
    [5, 5600],
    [6, 6000],
  ] as const
  const again = [
    { ms: 2550, word: 2 },
    { ms: 4150, word: 2 },
  ]
  expect(triesIn(script, { again, shown })).toEqual([
    { text: 'Rates moved.', tries: [0] },
    { text: 'Call me, or write.', tries: [1200, 2600, 4200] },
    { text: 'Then we talk.', tries: [6000] },
  ])
})

it('sentences that were skipped, or passed by hand, were not tried', () => {
  const shown = [
    [0, 0],
    [2, 900],
    [6, 1100],
  ] as const
  expect(triesIn(script, { again: [], shown }).map(({ text }) => text)).toEqual(['Rates moved.', 'Then we talk.'])
  expect(triesIn(script, { again: [], shown: [] })).toEqual([])
  expect(triesIn(readScript(''), { again: [], shown: [[0, 0]] })).toEqual([])
})
