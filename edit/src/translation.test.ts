import fc from 'fast-check'
import { expect, it } from 'vitest'
import { brand, take } from '../test/take.ts'
import { captionTrack } from './caption-track.ts'
import { cutWords } from './commands/cuts.ts'
import { keepTranslation, setTranslation, showTranslation, translate } from './commands/translation.ts'
import { correctWord } from './commands/words.ts'
import { finishFindings } from './finish-check.ts'
import { missingFrom } from './fonts.ts'
import { readRecipe } from './read-recipe.ts'
import { wholeRecipe, type Recipe } from './recipe.ts'
import { cuesOf, readSrt, writeSrt } from './subtitles.ts'
import { timelineOf } from './timeline.ts'
import { isOutdated, linesOfCues, openSentences, sentenceCues, sentencesHeard } from './translation.ts'

/** Half a second for each word, with the ids w1, w2, … */
const said = (text: string): Recipe => {
  const words = text.split(' ')
  const recipe = wholeRecipe([take(words.length * 500 + 500)], brand)
  return {
    ...recipe,
    words: words.map((written, i) => ({
      id: `w${i + 1}`,
      source: 'a',
      text: written,
      start: i * 500,
      end: i * 500 + 400,
      confidence: 1,
      origin: 'heard' as const,
    })),
  }
}
const recipe = said('Rates went up today. Um, call me now! Will you buy or rent?')
const spanish = new Map([
  ['w1', 'Hoy subieron las tasas.'],
  ['w5', '¡Llámeme ahora!'],
  ['w9', '¿Va a comprar o a alquilar?'],
])
const second = [setTranslation('es'), translate(spanish)].reduce((one, command) => command(one), recipe)
const measure = (text: string) => text.length / 2
const shownTexts = (one: Recipe) =>
  captionTrack(one, measure).pages.map(({ lines }) =>
    lines
      .flat()
      .map(({ written }) => written)
      .join(' '),
  )

it('sentences are what is heard, and a filler that is cut leaves its sentence its name', () => {
  const texts = (one: Recipe) => sentencesHeard(one).map(({ id, text }) => [id, text])
  expect(texts(recipe)).toEqual([
    ['w1', 'Rates went up today.'],
    ['w5', 'Um, call me now!'],
    ['w9', 'Will you buy or rent?'],
  ])
  const cut = cutWords(['w5'])(second)
  expect(texts(cut)[1]).toEqual(['w5', 'call me now!'])
  expect(cut.translation!.lines.w5!.text).toBe('¡Llámeme ahora!')
  expect(sentencesHeard(cut).map((one) => isOutdated(cut, one))).toEqual([false, true, false])
  const kept = keepTranslation(['w5'])(cut)
  expect(openSentences(kept)).toEqual([])
  expect(texts(correctWord('w4', 'today,')(recipe))[0]).toEqual(['w1', 'Rates went up today, Um, call me now!'])
})

it('a sentence that is played twice is translated once and shown twice, and one that is cut out is not shown', () => {
  const [keep] = second.keep
  const twice: Recipe = { ...second, keep: [keep!, { ...keep!, id: 'again', start: 0, end: 2000 }] }
  expect(cuesOf(twice, 'second').map(({ lines }) => lines.join(' '))).toEqual([
    ...spanish.values(),
    'Hoy subieron las tasas.',
  ])
  const without = cutWords(['w5', 'w6', 'w7', 'w8'])(second)
  expect(cuesOf(without, 'second')).toHaveLength(2)
})

it('captions show the second language in the place of what is said only when they are to', () => {
  expect(shownTexts(second)).toEqual(shownTexts(recipe))
  const shown = shownTexts(showTranslation(true)(second)).join(' ')
  for (const text of spanish.values()) expect(shown).toContain(text.replace(/\.$/, ''))
  expect(shown).not.toMatch(/Rates|call|buy/)
  // The file in the language that is spoken stays what it was.
  expect(cuesOf(showTranslation(true)(second))).toEqual(cuesOf(recipe))
})

it('sentences that a viewer would miss are found before sending, with its places', () => {
  const open = (one: Recipe) => finishFindings(one).find(({ kind }) => kind === 'untranslated')?.frames
  expect(open(recipe)).toBeUndefined()
  expect(open(second)).toBeUndefined()
  expect(open(setTranslation('es')(recipe))).toEqual(sentencesHeard(recipe).map(({ from }) => from))
  expect(open(translate(new Map([['w5', '']]))(second))).toEqual([sentencesHeard(recipe)[1]!.from])
})

it('a translator’s file comes back to its sentences, also with other breaks, and says when it holds none', () => {
  const file = sentenceCues(recipe)
  expect(readSrt(writeSrt(file)).map(({ lines }) => lines.join(' '))).toEqual(
    sentencesHeard(recipe).map(({ text }) => text),
  )
  const texts = [...spanish.values()]
  const translated = file.map((cue, i) => ({ ...cue, lines: texts[i]!.split(/ (?=a)/) }))
  expect(linesOfCues(recipe, translated)).toEqual(spanish)
  const [first] = file
  const half = (first!.start + first!.end) / 2
  const parted = [
    { start: first!.start, end: half, lines: ['Hoy subieron'] },
    { start: half, end: first!.end, lines: ['las tasas.'] },
  ]
  expect(linesOfCues(recipe, parted)).toEqual(new Map([['w1', 'Hoy subieron las tasas.']]))
  expect(linesOfCues(recipe, [{ start: 1e7, end: 2e7, lines: ['x'] }]).size).toBe(0)
})

it('changing the language keeps the lines, and taking it away leaves the recipe as it was', () => {
  expect(setTranslation('pt')(second).translation).toEqual({ ...second.translation, language: 'pt' })
  expect(setTranslation(null)(second)).toEqual(recipe)
  expect(setTranslation('es')(second)).toBe(second)
  expect(translate(spanish)(second)).toBe(second)
  expect(translate(new Map([['w9', 'x']]))(recipe)).toBe(recipe)
  expect(readRecipe(JSON.parse(JSON.stringify(second))).recipe).toEqual(second)
})

it('cues lie within the video in order, and every recipe is valid, after any cuts and lines', () => {
  const ids = recipe.words.map(({ id }) => id)
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('w1', 'w5', 'w9', 'w2', 'nobody'), fc.string({ maxLength: 1200 })),
      fc.subarray(ids),
      (lines, out) => {
        const next = cutWords(out)(translate(new Map(Object.entries(lines)))(second))
        expect(readRecipe(next).problems).toBeUndefined()
        const { frames } = timelineOf(next)
        const cues = cuesOf(next, 'second')
        cues.forEach(({ start, end }, i) => {
          expect(start).toBeGreaterThanOrEqual(cues[i - 1]?.end ?? 0)
          expect(end).toBeGreaterThan(start)
          expect(end).toBeLessThanOrEqual(Math.ceil((frames * 1000) / 30))
        })
      },
    ),
    { numRuns: 200 },
  )
})

it('the shipped fonts write the letters of every second language', () => {
  const letters = {
    es: 'áéíóúüñ¿¡ÁÉÍÓÚÜÑ«»',
    pt: 'ãõâêôàçÃÕÂÊÔÀÇ',
    fr: 'àâæçéèêëîïôœùûüÿÀÂÆÇÉÈÊËÎÏÔŒÙÛÜŸ’',
    ht: 'èòàÈÒÀ',
    vi: 'ăâđêôơưĂÂĐÊÔƠƯạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ',
    tl: 'ñÑáéíóú',
    de: 'äöüßÄÖÜ„“',
    it: 'àèéìòùÀÈÉÌÒÙ',
    pl: 'ąćęłńóśźżĄĆĘŁŃÓŚŹŻ„”',
  }
  for (const [language, text] of Object.entries(letters)) expect([language, missingFrom(text)]).toEqual([language, []])
})
