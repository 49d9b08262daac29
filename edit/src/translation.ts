import { endsSentence } from './english.ts'
import type { Cue } from './subtitles.ts'
import type { Recipe, Word } from './recipe.ts'
import { spokenWords, timelineOf, type Spoken, type Timeline, type Window } from './timeline.ts'
import { msAt } from './frames.ts'

/** Languages that the shipped fonts write, by their BCP 47 tag. */
export const translationLanguages = ['es', 'pt', 'fr', 'ht', 'vi', 'tl', 'de', 'it', 'pl'] as const
export type TranslationLanguage = (typeof translationLanguages)[number]

/** Letters of what one sentence is in another language, and of what was heard that is kept beside it. */
export const longestLine = { text: 1000, of: 3000 } as const

/** A sentence that is heard, where it is heard. `id` is its first word's, `text` what is heard of it. */
export type Sentence = Window & { id: string; text: string; words: Spoken[] }

/**
 * The sentences of the video in the order in which they are heard; one that is played twice is there twice. They are
 * parted by what was said, cut or not, so that a cut filler leaves its sentence what it was.
 */
export const sentencesHeard = (recipe: Recipe, timeline: Timeline = timelineOf(recipe)): Sentence[] => {
  const { overrides } = recipe.captions
  const shown = (word: Word) => overrides[word.id]?.text ?? word.text
  const sentenceOf = new Map<string, string>()
  let [first, last] = [null as Word | null, null as Word | null]
  for (const word of recipe.words) {
    const isNew =
      !last ||
      last.source !== word.source ||
      endsSentence(shown(last), shown(word)) ||
      word.start - last.end > longestPause
    if (isNew) first = word
    sentenceOf.set(word.id, first!.id)
    last = word
  }
  const heard: Sentence[] = []
  for (const one of spokenWords(recipe, timeline)) {
    const text = shown(one.word)
    if (text === '') continue
    const id = sentenceOf.get(one.word.id)!
    const before = heard.at(-1)
    // Said again from its start, it is another time.
    const goesOn = before?.id === id && before.words.at(-1)!.word.start < one.word.start
    if (goesOn) {
      before.words.push(one)
      before.text += ` ${text}`
      before.to = one.to
    } else heard.push({ id, text, words: [one], from: one.from, to: one.to })
  }
  return heard
}

/** Without punctuation a pause of so many milliseconds parts sentences. */
const longestPause = 700

/** What a sentence is in the second language; undefined where nobody has translated it. */
export const translationOf = ({ translation }: Recipe, { id }: Pick<Sentence, 'id'>): string | undefined =>
  translation?.lines[id]?.text

/** Whether what is heard of a sentence is not what was translated. */
export const isOutdated = ({ translation }: Recipe, { id, text }: Pick<Sentence, 'id' | 'text'>): boolean => {
  const line = translation?.lines[id]
  return line !== undefined && line.of !== text
}

/** Sentences that a viewer would miss: not translated, or changed since. */
export const openSentences = (recipe: Recipe, timeline: Timeline = timelineOf(recipe)): Sentence[] =>
  recipe.translation
    ? sentencesHeard(recipe, timeline).filter((one) => !translationOf(recipe, one) || isOutdated(recipe, one))
    : []

/** The translated sentences as if each were one long word, said while its sentence is: what captions are laid out from. */
export const translatedWords = (recipe: Recipe, timeline: Timeline = timelineOf(recipe)): Spoken[] =>
  sentencesHeard(recipe, timeline).flatMap(({ id, words: [first], from, to, ...sentence }) => {
    const text = translationOf(recipe, { id })
    if (!first || text === undefined) return []
    const { mark: _, estimated: __, ...word } = first.word
    return [{ ...first, ...sentence, from, to, word: { ...word, id: `${id} ${recipe.translation!.language}`, text } }]
  })

/** What captions show: the words that are heard, or the second language in their place. */
export const captionWords = (recipe: Recipe, timeline: Timeline = timelineOf(recipe)): Spoken[] =>
  recipe.translation?.inPicture ? translatedWords(recipe, timeline) : spokenWords(recipe, timeline)

/** One cue for each sentence, for whoever translates it in another program. */
export const sentenceCues = (recipe: Recipe, timeline: Timeline = timelineOf(recipe)): Cue[] =>
  sentencesHeard(recipe, timeline).map(({ text, from, to }) => ({
    start: msAt(from, timeline.fps),
    end: msAt(to, timeline.fps),
    lines: [text],
  }))

/** The translated texts of a subtitle file by sentence: each of its cues belongs to the sentence that it shares most time with. */
export const linesOfCues = (
  recipe: Recipe,
  cues: readonly Cue[],
  timeline: Timeline = timelineOf(recipe),
): Map<string, string> => {
  const heard = sentencesHeard(recipe, timeline).map((one) => ({
    ...one,
    start: msAt(one.from, timeline.fps),
    end: msAt(one.to, timeline.fps),
  }))
  const found = new Map<string, string>()
  for (const cue of cues) {
    const shared = (one: { start: number; end: number }) => Math.min(one.end, cue.end) - Math.max(one.start, cue.start)
    const best = heard.reduce<(typeof heard)[number] | null>(
      (most, one) => (shared(one) > (most ? shared(most) : 0) ? one : most),
      null,
    )
    const text = cue.lines.join(' ').replaceAll(/\s+/g, ' ').trim()
    if (best && text) found.set(best.id, [found.get(best.id), text].filter(Boolean).join(' '))
  }
  return found
}
