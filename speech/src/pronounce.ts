import { readFile } from 'node:fs/promises'
import type { Glossary } from './glossary.ts'
import { cardinal, digits } from './numbers.ts'
import { plainWord } from './script.ts'

/** Phones of the acoustic model, the CMU set without stress: `HH AH L OW`. */
export type Phones = string

/** All the ways to say a few words in a row, at least one, and none without a sound: the recogniser takes no word without. */
export type Pronounce = (words: readonly string[]) => Phones[]

const most = 4

/**
 * Reads the acoustic model's dictionary once for all these words. What it lacks is said as the glossary tells, letter by
 * letter where there is no vowel, else by the rules of English spelling. Throws an Error when the dictionary is missing.
 */
export async function pronouncing(
  dictionary: string,
  words: Iterable<string>,
  glossary: Glossary = [],
): Promise<Pronounce> {
  const sounds = new Map(
    glossary
      .filter((entry) => entry.sounds && !/\s/.test(entry.term))
      .map((entry) => [plainWord(entry.term), entry.sounds!]),
  )
  const wanted = new Set<string>()
  for (const word of words) {
    wanted.add(word)
    for (const part of toldParts(sounds.get(word))) wanted.add(part)
    if (word.endsWith("'s")) wanted.add(word.slice(0, -2))
    for (const [left, right] of splits(word)) wanted.add(left).add(right)
  }
  const known = await entries(dictionary, wanted)

  const one = (word: string, deep = 0): Phones[] => {
    if (/^\p{Lu}$/u.test(word)) return letters[word] ?? ['AH']
    if (word === "'s") return ['Z', 'S', 'IH Z']
    const told = deep === 0 ? toldParts(sounds.get(word)) : []
    if (told.length > 0) return chain(told.map((part) => one(part, 1)))
    const found = known.get(word)
    if (found) return found
    if (/^\d+$/.test(word)) return chain(inWords(word).map((part) => one(part, 1)))
    if (word.endsWith("'s") && word.length > 3) return chain([one(word.slice(0, -2), deep), ['Z']])
    const [left, right] = splits(word).find(([a, b]) => known.has(a) && known.has(b)) ?? []
    if (left && right) return chain([known.get(left)!, known.get(right)!])
    if (!/[aeiouy]/.test(word)) return chain([...word.toUpperCase()].map((letter) => letters[letter] ?? ['AH']))
    return spelled(word)
  }
  return (list) => chain(list.map((word) => one(word)))
}

/** What a glossary tells of a word's sound, in words and capital letters; signs that nobody says are none. */
const toldParts = (told = ''): string[] =>
  told
    .split(/\s+/)
    .map((part) => (/^[A-Z]$/.test(part) ? part : plainWord(part)))
    .filter(Boolean)

/** Longer figures are a code. */
const inWords = (figures: string): string[] => (figures.length > 12 ? digits(figures) : cardinal(Number(figures)))

/** Every way through a row of alternatives, the likeliest few. */
function chain(rows: Phones[][]): Phones[] {
  let ways = ['']
  for (const row of rows) ways = ways.flatMap((way) => row.map((next) => `${way} ${next}`.trim())).slice(0, most)
  return ways.map((way) => way || 'AH')
}

/** A compound that the dictionary lacks may be two words that it has: buy·down, pre·approval. */
function splits(word: string): [string, string][] {
  const found: [string, string][] = []
  for (let at = word.length - 3; at >= 3; at--) found.push([word.slice(0, at), word.slice(at)])
  return found
}

async function entries(dictionary: string, wanted: Set<string>): Promise<Map<string, Phones[]>> {
  const text = await readFile(dictionary, 'latin1')
  const found = new Map<string, Phones[]>()
  let at = 0
  while (at < text.length) {
    const end = text.indexOf('\n', at)
    const stop = end === -1 ? text.length : end
    const space = text.indexOf(' ', at)
    if (space > at && space < stop) {
      const variant = text.charCodeAt(space - 1) === 41 ? text.lastIndexOf('(', space) : space
      const word = text.slice(at, variant > at ? variant : space)
      if (wanted.has(word)) {
        const list = found.get(word) ?? []
        found.set(word, list)
        if (list.length < most) list.push(text.slice(space + 1, stop).trim())
      }
    }
    at = stop + 1
  }
  return found
}

const letters: Record<string, Phones[]> = {
  A: ['EY'],
  B: ['B IY'],
  C: ['S IY'],
  D: ['D IY'],
  E: ['IY'],
  F: ['EH F'],
  G: ['JH IY'],
  H: ['EY CH'],
  I: ['AY'],
  J: ['JH EY'],
  K: ['K EY'],
  L: ['EH L'],
  M: ['EH M'],
  N: ['EH N'],
  O: ['OW'],
  P: ['P IY'],
  Q: ['K Y UW'],
  R: ['AA R'],
  S: ['EH S'],
  T: ['T IY'],
  U: ['Y UW'],
  V: ['V IY'],
  W: ['D AH B AH L Y UW'],
  X: ['EH K S'],
  Y: ['W AY'],
  Z: ['Z IY'],
}

/** Spelling → sound, longest first; `^` and `$` bind to the word's ends. Simple rules: names mostly, English mostly. */
const rules: [spelling: RegExp, phones: Phones][] = (
  [
    ['ough$', 'OW'],
    ['augh', 'AO'],
    ['eigh', 'EY'],
    ['tion', 'SH AH N'],
    ['sion', 'ZH AH N'],
    ['ture', 'CH ER'],
    ['^kn', 'N'],
    ['^wr', 'R'],
    ['^ps', 'S'],
    ['^mc', 'M AH K'],
    ['igh', 'AY'],
    ['tch', 'CH'],
    ['sch', 'SH'],
    ['dge?', 'JH'],
    ['ck', 'K'],
    ['ch', 'CH'],
    ['sh', 'SH'],
    ['th', 'TH'],
    ['ph', 'F'],
    ['wh', 'W'],
    ['gh', 'G'],
    ['qu', 'K W'],
    ['ng$', 'NG'],
    ['nk', 'NG K'],
    ['x', 'K S'],
    ['ee', 'IY'],
    ['ea', 'IY'],
    ['oo', 'UW'],
    ['ou', 'AW'],
    ['ow$', 'OW'],
    ['ow', 'AW'],
    ['oi|oy', 'OY'],
    ['ai|ay', 'EY'],
    ['ei|ey$', 'IY'],
    ['au|aw', 'AO'],
    ['ie$', 'IY'],
    ['ie', 'IY'],
    ['oa', 'OW'],
    ['ue$|ew', 'UW'],
    ['ar', 'AA R'],
    ['er$|ir|ur', 'ER'],
    ['er', 'EH R'],
    ['or', 'AO R'],
    ['a(?=[bcdfgklmnprstvz]e$)', 'EY'],
    ['i(?=[bcdfgklmnprstvz]e$)', 'AY'],
    ['o(?=[bcdfgklmnprstvz]e$)', 'OW'],
    ['u(?=[bcdfgklmnprstvz]e$)', 'UW'],
    ['(?<=[^aeiou])e$', ''],
    ['c(?=[eiy])', 'S'],
    ['g(?=[ei])', 'JH'],
    ['y$', 'IY'],
    ['^y', 'Y'],
    ['y', 'IH'],
    ['a$', 'AH'],
    ['a', 'AE'],
    ['e', 'EH'],
    ['i$', 'IY'],
    ['i', 'IH'],
    ['o$', 'OW'],
    ['o', 'AA'],
    ['u', 'AH'],
    ['s(?=$)', 'Z'],
    ...Object.entries({ b: 'B', c: 'K', d: 'D', f: 'F', g: 'G', h: 'HH', j: 'JH', k: 'K', l: 'L', m: 'M', n: 'N' }),
    ...Object.entries({ p: 'P', q: 'K', r: 'R', s: 'S', t: 'T', v: 'V', w: 'W', z: 'Z' }),
  ] satisfies [string, string][]
)
  // A doubled consonant is one sound. Sticky: each rule looks at one place, and sees the whole word around it.
  .map(([spelling, phones]) => [new RegExp(/^[^aeiou]$/.test(spelling) ? `${spelling}+` : spelling, 'y'), phones])

function spelled(word: string): Phones[] {
  const text = word.normalize('NFD').replace(/[^a-z]/g, '')
  const phones: string[] = []
  let at = 0
  while (at < text.length) {
    const rule = rules.find(([spelling]) => {
      spelling.lastIndex = at
      return spelling.test(text)
    })
    if (!rule) {
      at++
      continue
    }
    at = Math.max(at + 1, rule[0].lastIndex)
    if (rule[1]) phones.push(rule[1])
  }
  return [phones.join(' ') || 'AH']
}
