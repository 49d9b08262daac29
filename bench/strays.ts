import { align } from '../speech/src/align.ts'
import type { Sphinx } from '../speech/src/sphinx.ts'
import { austen, kennedy, spliced } from '../speech/test/samples.ts'

type Sentence = { script: string; samples: Int16Array }
/** Words of a sentence in their order; their times are the recogniser's own, which is good enough to tell which is which. */
type Timed = Sentence & { words: { start: number; end: number; text: string }[] }
type Part = { sentence: Timed; words?: number; kind: 'script' | 'beside' | 'try' }

export type Strays = Record<
  'written' | 'marked' | 'cut' | 'beside' | 'flagged' | 'tries' | 'given' | 'unsaid' | 'missed',
  number
>

/**
 * Two human voices, three sentences each, that leave their script: each sentence said though it is not in the script, left
 * out, begun and begun again; and each of the other voice's between two. Counted in words.
 */
export async function strays(tool: Sphinx): Promise<Strays> {
  const voices = await Promise.all([austenSentences(), kennedySentences()].map((all) => Promise.all(all.map(timed))))
  const sum: Strays = { written: 0, marked: 0, cut: 0, beside: 0, flagged: 0, tries: 0, given: 0, unsaid: 0, missed: 0 }
  for (const [v, voice] of voices.entries()) {
    const script = written(voice)
    const said = voice.map((sentence): Part => ({ sentence, kind: 'script' }))
    await measure(said, script)
    for (const [i, sentence] of voice.entries()) {
      const others = voice.filter((one) => one !== sentence)
      await measure(said.with(i, { sentence, kind: 'beside' }), written(others))
      await measure(said.toSpliced(i, 1), script, sentence.words.length)
      const words = Math.min(5, Math.ceil(sentence.words.length / 2))
      await measure(said.toSpliced(i, 0, { sentence, words, kind: 'try' }), script)
    }
    for (const [i, sentence] of voices[1 - v]!.entries())
      await measure(said.toSpliced(1 + (i % 2), 0, { sentence, kind: 'beside' }), script)
  }
  return sum

  async function timed(sentence: Sentence): Promise<Timed> {
    const { words } = await align(tool, { ...sentence, source: 's' })
    return { ...sentence, words }
  }

  async function measure(parts: Part[], script: string, unsaid = 0): Promise<void> {
    const truth: { start: number; end: number; text: string; kind: Part['kind'] }[] = []
    const takes: Int16Array[] = []
    let at = 0
    for (const { sentence, words = sentence.words.length, kind } of parts) {
      const part = sentence.words.slice(0, words)
      const length = words < sentence.words.length ? part.at(-1)!.end : Math.floor(sentence.samples.length / 16)
      truth.push(...part.map(({ start, end, text }) => ({ start: at + start, end: at + end, text, kind })))
      takes.push(spliced(sentence.samples, [[0, length], 350]))
      at += length + 350
    }
    const samples = Int16Array.from(takes.flatMap((take) => [...take]))
    const found = await align(tool, { samples, script, source: 's' })
    for (const word of truth) {
      const common = (one: { start: number; end: number }) =>
        Math.min(one.end, word.end) - Math.max(one.start, word.start)
      const heard = found.words.toSorted((a, b) => common(b) - common(a)).find((one) => common(one) > 0)
      if (word.kind === 'script') {
        sum.written++
        if (heard?.mark || heard?.text !== word.text) sum.marked++
        if (heard?.mark === 'broken-off') sum.cut++
      } else if (word.kind === 'beside') {
        sum.beside++
        if (!heard || heard.mark === 'off-script') sum.flagged++
      } else {
        sum.tries++
        if (heard?.mark === 'broken-off') sum.given++
      }
    }
    sum.unsaid += unsaid
    sum.missed += found.unsaid.reduce((count, { text }) => count + text.split(' ').length, 0)
  }
}

function written(sentences: readonly Sentence[]): string {
  return sentences.map(({ script }) => script).join(' ')
}

function austenSentences(): Sentence[] {
  return austen.sentences.map(({ script, span }) => ({ script, samples: spliced(austen.samples, [span]) }))
}

function kennedySentences(): Sentence[] {
  const parts: [string, number, number][] = [
    ['And so, my fellow Americans:', 0, 3000],
    ['ask not what your country can do for you,', 3100, 7600],
    ['ask what you can do for your country.', 7900, 11_000],
  ]
  return parts.map(([script, from, to]) => ({ script, samples: spliced(kennedy.samples, [[from, to]]) }))
}
