import { plain } from './emoji.ts'
import type { Word } from './recipe.ts'

/** Does a sentence end with this word? */
export const endsSentence = (text: string, next: string | undefined): boolean => {
  const bare = text.replace(/(?<!["'”’)\]])["'”’)\]]+$/, '')
  if (/[?!…]$/.test(bare)) return true
  if (!bare.endsWith('.')) return false
  if (next === undefined) return true
  // "3.5", "U.S. market", "Mr. Ray" go on.
  return !(abbreviations.has(bare.toLowerCase()) || (/^(\p{L}\.)+$/u.test(bare) && !/^\p{Lu}\p{Ll}+/u.test(next)))
}

/**
 * A sound between words that says nothing, by itself or as the comparison with the script marked it. What the script has with a
 * capital is a name such as Um or Ah, unless it begins a sentence and a comma or full stop follows.
 */
export const isFiller = (
  words: readonly (Pick<Word, 'text' | 'mark'> & Partial<Pick<Word, 'origin'>>)[],
  at: number,
): boolean => {
  const { text, mark, origin } = words[at]!
  if (mark === 'filler') return true
  if (!isHum(text)) return false
  const before = words[at - 1]?.text
  const isWithin = before !== undefined && !endsSentence(before, text)
  return origin !== 'script' || !/^\P{L}*\p{Lu}/u.test(text) || !(isWithin || /\p{L}$/u.test(text))
}

/** Is this a hum as it is written? In capitals it is a name (UM, ER) or millions (MM), and “mm” a unit. */
export const isHum = (text: string): boolean =>
  /^(um+|uhm+|uh+|er|erm+|h+m+|mm+|mhm|ah+|eh)$/.test(plain(text)) &&
  !/\p{Lu}{2}/u.test(text) &&
  !/^\W*mm\W*$/.test(text)

/** How strongly two words belong together: 2 for a number and its unit, 1 within a number or a name like “step one”. */
export const bond = (words: readonly string[], at: number): 0 | 1 | 2 => {
  const [one, next, after, before] = [words[at], words[at + 1], words[at + 2], words[at - 1]].map((word) =>
    plain(word ?? ''),
  )
  if (!one || !next || /[,.;:?!]$/.test(words[at]!)) return 0
  if (isNumber(one) && units.has(next)) return 2
  if ((one === 'basis' || one === 'square') && units.has(next)) return 2
  if (one === 'half' && next === 'a') return 1
  if (one === 'a' && before === 'half' && units.has(next)) return 2
  if (isNumber(one) && isNumber(next)) return 1
  if (next === 'and' && magnitudes.has(one) && isNumber(after ?? '')) return 1
  if (one === 'and' && magnitudes.has(before ?? '') && isNumber(next)) return 1
  return counted.has(one) && isNumber(next) ? 1 : 0
}

const isNumber = (word: string): boolean => /^\$?\d[\d.,]*(%|k|m|bn)?$/.test(word) || numbers.has(word.split('-')[0]!)
const wordSet = (words: string): Set<string> => new Set(words.split(' '))
const magnitudes = wordSet('hundred thousand million billion')

const numbers = wordSet(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion half quarter point',
)

const units = wordSet(
  'percent % dollar dollars cents cent year years month months week weeks day days hour hours minute minutes bps basis points square feet foot sqft acre acres mile miles bed beds bath baths bedroom bedrooms bathroom bathrooms a.m p.m am pm times percentage',
)

const counted = wordSet('step tip number part rule reason option nmls top chapter mistake myth')

export const little = wordSet(
  'a an the of to in on at by for from with and or but so if as is are was were be been my your our his her their its this that these those i you we they he she it not no do does did can could will would might may just very about than which who what when',
)

export const compounds = new Set(
  'down payment,closing costs,closing cost,closing table,loan officer,interest rate,interest rates,mortgage rate,mortgage rates,fixed rate,credit card,credit cards,credit score,real estate,first time,time buyers,monthly payment,home equity'.split(
    ',',
  ),
)

export const joining = wordSet(
  'and but or so because if when while which that who with without before after until unless than for to in on at from',
)

const abbreviations = wordSet(
  'mr. mrs. ms. dr. jr. sr. st. ave. rd. vs. no. approx. inc. llc. etc. e.g. i.e. ste. apt. blvd.',
)
