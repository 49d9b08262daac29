import fc from 'fast-check'
import { expect, it } from 'vitest'
import { plain } from '@clear-to-post/edit/emoji'
import { firstCut } from '@clear-to-post/edit/first-cut'
import type { Word } from '@clear-to-post/edit/recipe'
import { spokenWords } from '@clear-to-post/edit/timeline'
import { brand, take } from '../../edit/test/take.ts'
import { againstScript } from './correct.ts'

const at = (n: number) => ({ start: 300 + n * 400, end: 600 + n * 400, confidence: 0.9 })

/** What a transcriber hears, laid beside the script. */
const transcribed = async (said: readonly string[], script: string): Promise<Word[]> => {
  const heard = said.map((text, n) => ({ text, ...at(n) }))
  return (await againstScript(heard, script, 'a')).words
}

/** The same found by the recogniser alone: what is no word of the script (`null`) is a passage that it does not know. */
const recognised = (said: readonly (string | null)[]): Word[] =>
  said.map((text, n) => ({
    id: `w${n}`,
    source: 'a',
    ...at(n),
    ...(text === null
      ? { text: '…', origin: 'heard' as const, mark: 'off-script' as const }
      : { text, origin: 'script' as const }),
  }))

const cut = (words: Word[], script: string) => {
  const sources = [take(1000 + words.length * 400)]
  const recipe = firstCut({ sources, words, silences: [], script, brand, style: 1 })
  return spokenWords(recipe).map(({ word }) => word.text)
}

const closing =
  'Call me before you lock. Rates fell this week and your payment could drop two hundred dollars a month. Call me before you lock.'
const beginning = 'Call me today and I will run your numbers. Rates are low and you can save a lot. Call me today.'

it('a phrase that the script says twice stays, with a word between that is dropped, added or misheard', async () => {
  for (const [script, said] of [
    [closing, closing],
    [closing, closing.replace('your payment', 'payment')],
    [closing, closing.replace('could drop', 'could really drop')],
    [closing, closing.replace('Rates fell', 'Race fell')],
    [closing, closing.replace('before you lock. Rates', 'before we lock. Rates')],
    [beginning, beginning.replace('a lot', 'so much')],
    [beginning, beginning.replace('I will', 'I')],
    ['I can help you. I can always help you.', 'I can help you. I can help you.'],
  ] as const)
    expect(cut(await transcribed(said.split(' '), script), script).map(plain), said).toEqual(
      said.split(' ').map((word) => plain(word)),
    )
  const words = closing.split(' ')
  for (const said of [words.toSpliced(9, 1), words.toSpliced(12, 0, '…'), words.with(5, '…')])
    expect(cut(recognised(said.map((text) => (text === '…' ? null : text))), closing)).toEqual(said)
})

it('a sentence that was begun again goes, also beside one that the script says twice', async () => {
  for (const [said, kept] of [
    [`Call me before you ${closing}`, closing],
    [closing.replace('Rates', 'Rates fell this we- Rates'), closing],
    [`Call me before you lock. ${closing}`, closing],
    [closing.replace(/Call me before you lock\.$/, 'Call me before you lo- $&'), closing],
  ] as const)
    expect(cut(await transcribed(said.split(' '), closing), closing).join(' '), said).toBe(kept)
})

const vocabulary =
  'we can lock the rate for thirty days you will not pay more if rates go up call me today and I help with that loan it is free no fee right now step house seller down credit score lender bank week month home street'.split(
    ' ',
  )
const sentence = fc.array(fc.constantFrom(...vocabulary), { minLength: 3, maxLength: 11 })
const talk = fc.record({
  own: fc.tuple(sentence, sentence),
  // Of its own two sentences one, or only how it begins; or another one.
  parts: fc.array(
    fc.oneof(
      fc.record({ which: fc.nat(1), words: fc.constantFrom(3, 4, 99) }),
      fc.record({ which: fc.nat(1), words: fc.constant(99) }),
      sentence,
    ),
    { minLength: 3, maxLength: 6 },
  ),
  otherwise: fc.constantFrom('dropped', 'added', 'misheard'),
  at: fc.nat(999),
})

it('of a talk that repeats itself nothing is lost that was said as often as the script has it, but for a word', async () => {
  const times = (words: readonly string[], word: string) => words.filter((one) => plain(one) === word).length
  await fc.assert(
    fc.asyncProperty(talk, async ({ own, parts, otherwise, at }) => {
      const sentences = parts.map((one) => (Array.isArray(one) ? one : own[one.which]!.slice(0, one.words)))
      const script = sentences
        .map(([first, ...rest]) => `${[first![0]!.toUpperCase() + first!.slice(1), ...rest].join(' ')}.`)
        .join(' ')
      const written = script.split(' ')
      const place = Math.floor((at / 1000) * written.length)
      const said = (other: string | null) =>
        (written as (string | null)[]).toSpliced(
          place,
          otherwise === 'added' ? 0 : 1,
          ...(otherwise === 'dropped' ? [] : [other]),
        )
      const heard = said('zebra').map((text) => plain(text!))
      for (const words of [await transcribed(heard, script), recognised(said(null))]) {
        const all = words.map(({ text }) => text)
        const kept = cut(words, script)
        for (const word of new Set(written.map(plain)))
          if (times(all, word) <= times(written, word))
            expect(times(kept, word), `${word} of ${all.join(' ')}`).toBe(times(all, word))
      }
    }),
    { seed: 7, numRuns: 200 },
  )
})

it('a name that is written like a hum stays, as often as the script has it; a hum beside the script goes', async () => {
  const script = 'I am Er Hm. Ask Er.'
  for (const said of [script, 'I am er hm. Ask er.', 'I am Er uh Hm. Um Ask Er.']) {
    const words = await transcribed(said.split(' '), script)
    expect(cut(words, script).join(' '), said).toBe(script)
    expect(words.filter(({ mark, origin }) => mark && origin === 'script')).toEqual([])
  }
})
