import fc from 'fast-check'
import { expect, it } from 'vitest'
import { brand, take } from '../test/take.ts'
import { decisionsOf, switchDecision } from './decisions.ts'
import { firstCut } from './first-cut.ts'
import { rules } from './first-cut-rules.ts'
import { problemsOf, type Span, type Word } from './recipe.ts'
import { scriptWords } from './script-words.ts'
import { spokenWords, timelineOf } from './timeline.ts'

/** A take from text: each word lasts 300 ms, a digit is so many tenths of a second of silence: `now. 9 If`. */
const cut = (
  text: string,
  more: { script?: string; marks?: Record<number, Word['mark']>; origin?: Word['origin'] } = {},
) => {
  const words: Word[] = []
  const silences: Span[] = []
  let at = 300
  for (const part of text.split(' ')) {
    if (/^\d$/.test(part)) {
      silences.push({ source: 'a', start: at, end: at + Number(part) * 100 })
      at += Number(part) * 100
    } else {
      const i = words.length
      words.push({
        id: `w${i}`,
        source: 'a',
        text: part,
        start: at,
        end: at + 300,
        confidence: 1,
        origin: more.origin ?? 'script',
        mark: more.marks?.[i],
      })
      at += 320
    }
  }
  const sources = [take(at + 300)]
  const recipe = firstCut({ sources, words, silences, script: more.script, brand, style: 1 })
  const kept = () =>
    spokenWords(recipe)
      .map(({ word }) => word.text)
      .join(' ')
  return { recipe, kept: kept(), reasons: recipe.removed.map(({ reason, on }) => `${reason}${on ? '' : ' (off)'}`) }
}

it('silences longer than 0.6 s are shortened to 250 ms after and 150 ms before a word', () => {
  const { recipe } = cut('one. 9 two 5 three')
  const [first, second] = recipe.words as [Word, Word]
  expect(recipe.removed).toHaveLength(1)
  expect(recipe.removed[0]).toMatchObject({ reason: 'silence', why: 'Silence of 0.9 s, shortened to 0.4 s.' })
  expect(recipe.removed[0]!.start).toBeGreaterThanOrEqual(first.end + rules.after)
  expect(recipe.removed[0]!.end).toBe(second.start - rules.before)
})

it('a gap between words without a detected silence is kept', () => {
  const { recipe } = cut('one 9 two')
  expect(firstCut({ sources: recipe.sources, words: recipe.words, silences: [], brand, style: 1 }).removed).toEqual([])
})

it('of two tries an earlier one with two faults fewer stays, with the reason and a switch', () => {
  const said = (mark?: Word['mark']) =>
    cut('rates moved again this week. 9 rates 7 moved um again this week. 9 Call me today.', {
      marks: mark ? Object.fromEntries([0, 1, 2, 3, 4].map((i) => [i, mark])) : {},
    })
  const { recipe, kept } = said()
  expect(kept).toBe('rates moved again this week. Call me today.')
  expect(recipe.words.filter((word) => spokenWords(recipe).some((one) => one.word === word))[0]!.id).toBe('w0')
  const whys = recipe.removed.filter(({ reason }) => reason === 'broken-off').map(({ why }) => why)
  expect(whys[0]).toBe(
    'Said again, and an earlier try sounds better (1 filler, 1 pause fewer): “rates moved again this week.”.',
  )
  expect(new Set(whys)).toHaveProperty('size', 1)
  // A try that the comparison with the script had given up is none any more.
  const marked = said('broken-off')
  expect(marked.kept).toBe(kept)
  expect(marked.recipe.words.filter(({ mark }) => mark === 'broken-off')).toEqual([])
  // One fault is not enough: the last try stays.
  const near = cut('rates moved again this week. 9 rates moved um again this week. 9 Call me today.')
  expect(spokenWords(near.recipe)[0]!.word.id).toBe('w5')
})

it('off-script words are not treated as repeated attempts of each other', () => {
  const marks = Object.fromEntries([1, 2, 3, 4, 5].map((i) => [i, 'off-script' as const]))
  const { kept, reasons } = cut('rates 4 … 4 … 4 … 4 … 4 … 4 fell', { marks })
  expect(kept).toBe('rates … … … … … fell')
  expect(reasons).toEqual(['off-script (off)'])
  // A sentence of the script repeated elsewhere: a person chooses.
  const again = cut('rates fell this week. call me now. 5 rates fell this week.', {
    marks: { 7: 'off-script', 8: 'off-script', 9: 'off-script', 10: 'off-script' },
  })
  expect(again.reasons).toEqual(['off-script (off)'])
})

it('fillers are removed, and the words beside them stay whole', () => {
  const { kept, reasons } = cut('the um, rate is uh uh down')
  expect(kept).toBe('the rate is down')
  expect(reasons).toEqual(['filler', 'filler'])
})

it('a word that is written like a hum and is none stays: a name in capitals, millions, a unit', () => {
  for (const said of [
    'Two minutes from UM and five from the ER.',
    'A $5 MM loan by UH.',
    'A 35 mm lens, or 50 mm. A $5 mm, all cash.',
  ])
    expect(cut(said)).toMatchObject({ kept: said, reasons: [] })
  expect(cut('Um, rates Mm, are Uhm, down.', { origin: 'heard' }).kept).toBe('rates are down.')
  for (const script of [
    'My name is Um Park. My name is Um Park.',
    'I am Ah Lim, and Eh Moo helped us.',
    'Hi, I am Ada Um. Call me.',
    'I am Ada Um, your loan officer. I am Ada Um, your loan officer. Ask for Dr. Eh.',
  ])
    expect(cut(script, { script })).toMatchObject({ kept: script, reasons: [] })
})

it('of repeated attempts at a sentence the last complete one is kept', () => {
  expect(cut('rates moved again this we- 4 rates moved again this week.').kept).toBe('rates moved again this week.')
  expect(cut('rates moved again. 4 rates moved again. 4 rates moved again. If so').kept).toBe(
    'rates moved again. If so',
  )
  expect(cut('rates moved again today. 4 rates moved again 9 If you').kept).toBe('rates moved again today. If you')
  expect(cut('I want to 5 I want to walk', { marks: {} }).kept).toBe('I want to walk')
  expect(cut('so come 2 here now', { marks: { 0: 'broken-off', 1: 'broken-off' } }).kept).toBe('here now')
})

it('a rhetorical repetition is not treated as a second attempt', () => {
  const speech = 'ask not what your country can do for you, ask what you can do for your country.'
  expect(cut(speech).kept).toBe(speech)
  expect(cut('very very good').kept).toBe('very very good')
  const refrain = 'We close on time. We close on time. Always.'
  expect(cut(refrain, { script: refrain }).kept).toBe(refrain)
})

it('off-script words are kept, with a decision that can remove them', () => {
  const { kept, reasons } = cut('by the way hello', { marks: { 0: 'off-script', 1: 'off-script', 2: 'off-script' } })
  expect([kept, reasons]).toEqual(['by the way hello', ['off-script (off)']])
})

it('camera moves go to numbers and calls to action, and never repeat the same kind in a row', () => {
  const filler = 'so we talk about homes for a good long while here.'
  const { recipe } = cut(
    `That saves thirty dollars a month. ${filler} It costs 3.5 percent now. ${filler} Send me a message today. ${filler}`,
  )
  expect(recipe.moves.map(({ kind, why }) => [kind, why])).toEqual([
    ['punch-in', 'Nearer for the number: “That saves thirty dollars a month.”.'],
    ['push', 'Nearer for the number: “It costs 3.5 percent now.”.'],
    ['punch-in', 'Nearer for the call to action: “Send me a message today.”.'],
  ])
})

it('no kept word is clipped, and each decision can be undone by itself', () => {
  const part = fc.constantFrom(
    'rates',
    'moved',
    'again',
    'um',
    'thirty',
    'dollars',
    'week.',
    'uh,',
    '4',
    '7',
    '9',
    'message',
  )
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 50 }), fc.nat(), (parts, pick) => {
      if (parts.every((one) => /^\d$/.test(one))) return
      const { recipe } = cut(parts.join(' '))
      expect(problemsOf(recipe)).toEqual([])
      const heard = spokenWords(recipe)
      for (const { word } of heard)
        for (const one of recipe.removed) if (one.on) expect(one.end <= word.start || one.start >= word.end).toBe(true)
      for (const words of ['um', 'uh,']) expect(heard.some(({ word }) => word.text === words)).toBe(false)
      const decisions = decisionsOf(recipe)
      const one = decisions[pick % decisions.length]!
      const back = switchDecision(recipe, one, !one.on)
      expect(decisionsOf(back).filter((now, i) => now.on !== decisions[i]!.on)).toHaveLength(1)
      const longer = timelineOf(back).frames - timelineOf(recipe).frames
      if (one.list === 'removed') expect(longer).toBeGreaterThanOrEqual(0)
      expect(switchDecision(back, one, one.on)).toEqual(recipe)
    }),
    { numRuns: 150 },
  )
})

it('a take without words stays whole beside one with words, whose silences are shortened', () => {
  const { recipe } = cut('one. 9 two')
  const tour = take(5000, { id: 'b' })
  const silences = [
    { source: 'a', start: 620, end: 1520 },
    { source: 'b', start: 0, end: 5000 },
  ]
  const sources = [...recipe.sources, tour]
  const { removed } = firstCut({ sources, words: recipe.words, silences, brand, style: 1 })
  expect(removed.map(({ source, reason }) => [source, reason])).toEqual([['a', 'silence']])
})

it('where the rules would leave nothing, every removal is only offered', () => {
  const words = [{ id: 'w', source: 'a', text: 'um', start: 0, end: 3000, confidence: 1, origin: 'heard' as const }]
  const recipe = firstCut({ sources: [take(3000)], words, silences: [], brand, style: 1 })
  expect(recipe.removed).toMatchObject([{ reason: 'filler', on: false }])
  expect(timelineOf(recipe).pieces).toMatchObject([{ from: 0, to: 90 }])
})

it('a move in a last sentence that is cut off ends with its take', () => {
  const { recipe } = cut('so we talk about homes. It costs thirty dollars a')
  const sources = [{ ...recipe.sources[0]!, durationMs: recipe.words.at(-1)!.end }]
  const again = firstCut({ sources, words: recipe.words, silences: [], brand, style: 1 })
  expect(again.moves).toMatchObject([{ end: sources[0]!.durationMs }])
  expect(problemsOf(again)).toEqual([])
})

it('after the last word a picture that stands still is taken out, and while somebody speaks it stays', () => {
  const { recipe } = cut('rates fell this week. 3 call me now.')
  const [source] = recipe.sources
  const last = recipe.words.at(-1)!.end
  const made = (start: number, words = recipe.words) => {
    const sources = [{ ...source!, durationMs: 9000 }]
    const stills = [{ source: 'a', start, end: 9000 }]
    return firstCut({ sources, words, silences: [], stills, brand, style: 1 }).removed
  }
  const why = `Nobody speaks in the last ${((9000 - last - rules.after) / 1000).toFixed(1)} s, and the picture has ended.`
  expect(made(1000)).toMatchObject([{ start: last + rules.after, end: 9000, reason: 'silence', on: true, why }])
  expect(made(last + 2000)).toMatchObject([{ start: last + 2000 + rules.after, end: 9000 }])
  // Where no words are known, somebody may be speaking.
  expect(made(1000, [])).toEqual([])
})

const typed = (texts: readonly string[]): Word[] =>
  texts.map((text, i) => ({
    id: `w${i}`,
    source: 'a',
    text,
    start: i * 300,
    end: i * 300 + 100,
    confidence: 0.3,
    origin: 'typed',
  }))

it('the silences of a take are gone through once for all of its words', () => {
  const words = typed(Array.from({ length: 2000 }, (_, i) => `word${i}`))
  let reads = 0
  const silences = words.map(({ end }) => ({
    source: 'a',
    get start() {
      reads++
      return end + 50
    },
    end: end + 150,
  }))
  firstCut({ sources: [take(600_000)], words, silences, brand, style: 1 })
  expect(reads).toBeGreaterThan(0)
  expect(reads).toBeLessThan(60 * words.length)
})

it('a phrase that the script says twice stays, with marks alone in it, too', () => {
  const script = 'Save & invest every month, save & invest every month, and call me. Low – rates low – rates here.'
  expect(cut(script, { script }).kept).toBe(script)
  expect(cut(script).kept).not.toBe(script)
  // Also where nobody has found its words to be those of the script.
  const marks = Object.fromEntries(script.split(' ').map((_, i) => [i, 'off-script' as const]))
  expect(cut(script, { script, marks, origin: 'heard' }).kept).toBe(script)
})

it('a phrase that the script says twice stays, with notes in brackets, hums and very long words in it', () => {
  const address = `See example.com/${'a'.repeat(90)} now. `.repeat(2)
  for (const [script, said, kept = said] of [
    ['Call me today. [smile] Call me today. I am here.', 'Call me today. Call me today. I am here.'],
    ['Itʼs free today. Itʼs free today. Call me.', "It's free today. It's free today. Call me."],
    ['Rates [up] are low again. Rates [down] are low again.', 'Rates are low again. Rates are low again.'],
    [address, scriptWords(address).join(' ')],
    [
      'Ah, rates are low now. Ah, rates are low now.',
      'Ah, rates are low now. Ah, rates are low now.',
      'rates are low now. rates are low now.',
    ],
  ] as const)
    expect(cut(said, { script }).kept, script).toBe(kept)
})

it('a script is not looked through for each passage that begins like one after it', () => {
  const texts = Array.from({ length: 1500 }, (_, i) => (i % 3 === 1 ? 'um' : i % 3 === 0 ? 'rates' : `word${i}`))
  const script = texts.join(' ')
  const { includes } = String.prototype
  let searched = 0
  try {
    Object.assign(String.prototype, {
      includes(this: string, ...args: Parameters<typeof includes>) {
        searched += this.length
        return includes.apply(this, args)
      },
    })
    firstCut({ sources: [take(600_000)], words: typed(texts), silences: [], script, brand, style: 1 })
  } finally {
    Object.assign(String.prototype, { includes })
  }
  expect(searched).toBeLessThan(20 * script.length)
})

it('words are not gone through for each try that was given up', () => {
  // Many tries that were made again, and one sentence whose earlier try is better.
  const again = Array.from({ length: 600 }, (_, i) => Array(2).fill(`alpha${i} beta${i} gamma${i}.`).join(' '))
  const better = 'rates are low here today. rates um are um low um here today.'
  const words = typed(`${again.join(' ')} ${better}`.split(' ')).map((word) => ({ ...word, end: word.start + 290 }))
  const { includes, indexOf } = Array.prototype
  let searched = 0
  const counted = (find: (...args: never[]) => unknown) =>
    function (this: unknown[], ...args: never[]) {
      searched += this.length
      return find.apply(this, args)
    }
  let cut: ReturnType<typeof firstCut>
  try {
    Object.assign(Array.prototype, { includes: counted(includes), indexOf: counted(indexOf) })
    cut = firstCut({ sources: [take(3_600_000)], words, silences: [], brand, style: 1 })
  } finally {
    Object.assign(Array.prototype, { includes, indexOf })
  }
  expect(cut.removed.some(({ why }) => why.includes('an earlier try sounds better'))).toBe(true)
  expect(cut.removed.length).toBeGreaterThan(500)
  expect(searched).toBeLessThan(20 * words.length)
})
