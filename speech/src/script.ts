import { scriptWords } from '@clear-to-post/edit/script-words'
import { cardinal, digits, ordinal, readings } from './numbers.ts'

/** One word of a script. `units` are what is said for it, one after the other; each unit has one or more readings. */
export type ScriptWord = {
  /** As captions show it, punctuation included. */
  text: string
  units: Unit[]
  /** Number of its sentence, from 0. */
  sentence: number
}

/** The usual readings of something said without a pause: each a list of plain lower-case words or single capital letters. */
export type Unit = string[][]

/**
 * A script as a person wrote it → its words with what is said for each. Numbers, money and abbreviations are spoken
 * out; marks that nobody says (a dash, a bullet) stay with the word before them or fall away.
 */
export function readScript(script: string): ScriptWord[] {
  const words: ScriptWord[] = []
  let sentence = 0
  // Each line of a teleprompter's text begins anew, also where its writer left the full stop out.
  for (const line of script.replace(/[\u2018\u2019\u02bc]/g, "'").split(/\n+/)) {
    const before = words.length
    const pieces = scriptWords(line)
    pieces.forEach((text, i) => {
      const units = spoken(text, pieces[i + 1], pieces[i - 1])
      const last = words.at(-1)
      if (units.length === 0) {
        if (!last || words.length === before || last.text.length + text.length >= 80) return
        if (/^[–—-]+$/.test(text)) last.text += ` ${text}`
        // The comma after an emoji belongs to the word before it.
        else if (/[\p{L}\p{N}]$/u.test(last.text)) {
          last.text += /(?<![,;:.!?…])[,;:.!?…]+$/.exec(text)?.[0] ?? ''
          if (endsSentence(last.text)) sentence++
        }
        return
      }
      words.push({ text, units, sentence })
      if (endsSentence(text)) sentence++
    })
    if (words.length > before && words.at(-1)!.sentence === sentence) sentence++
  }
  return words
}

/** Lower-case letters, digits and inner apostrophes: what two spellings of a word have in common. */
export function plainWord(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[^\p{L}\p{N}']/gu, '')
    .replace(/^'+|(?<!')'+$/g, '')
}

function endsSentence(text: string): boolean {
  const bare = text.replace(/(?<!["'”)\]])["'”)\]]+$/, '')
  return (
    /[.!?…]$/.test(bare) && !/^(mr|mrs|ms|dr|st|vs|no|inc|co|jr|sr|approx)\.$/i.test(bare) && !/^\p{Lu}\.$/u.test(bare)
  )
}

const said: Record<string, Unit[]> = {
  '&': [[['and']]],
  '+': [[['plus']]],
  '=': [[['equals']]],
  '@': [[['at']]],
  '%': [[['percent']]],
  mr: [[['mister']]],
  mrs: [[['missus']]],
  dr: [[['doctor'], ['drive']]],
  st: [[['street'], ['saint']]],
  vs: [[['versus']]],
  inc: [[['incorporated'], ['ink']]],
  'no.': [[['number'], ['no']]],
  'w/': [[['with']]],
  ok: [[['okay']]],
}

const scale = /^(hundred|thousand|million|billion|k|m)$/i

function spoken(text: string, next?: string, before?: string): Unit[] {
  const bare = text
    .replace(/^["'“‘(]+/, '')
    .replace(/(?<!["'”’),;:!?…])["'”’),;:!?…]+$/, '')
    .replace(/(?<!\.)\.+$/, '')
  const known = said[bare.toLowerCase()] ?? said[text.toLowerCase()]
  if (known) return known
  if (!/[\p{L}\p{N}]/u.test(bare)) return []
  // "$2 million": the dollars come after the size.
  if (before?.startsWith('$') && scale.test(bare)) {
    const size = bare.toLowerCase()
    return [[[size, 'dollars'], [size, 'dollar'], [size]]]
  }

  const money = /^\$([\d,]+)(?:\.(\d+))?([kKmMbB])?$/.exec(bare)
  if (money) {
    const follows = next && scale.test(plainWord(next))
    const amount =
      money[2] && (follows || money[3] || money[2].length !== 2) ? decimal(money[1]!, money[2]) : amounts(money[1]!)
    const cents = money[2] && !follows && !money[3] && money[2].length === 2 ? Number(money[2]) : 0
    const size = money[3] ? [{ k: 'thousand', m: 'million', b: 'billion' }[money[3].toLowerCase()]!] : []
    if (follows) return [amount]
    const name = amount[0]!.join(' ') === 'one' && size.length === 0 ? 'dollar' : 'dollars'
    return [
      [
        ...amount.map((way) => [...way, ...size, name, ...(cents ? ['and', ...cardinal(cents), 'cents'] : [])]),
        ...(cents ? amount.map((way) => [...way, ...cardinal(cents)]) : []),
        // "A four hundred thousand dollar loan"; and some leave the dollars out.
        ...amount.map((way) => [...way, ...size, 'dollar']),
        ...amount.map((way) => [...way, ...size]),
      ],
    ]
  }
  const percent = /^([\d,]+)(?:\.(\d+))?%$/.exec(bare)
  if (percent)
    return [(percent[2] ? decimal(percent[1]!, percent[2]) : amounts(percent[1]!)).map((way) => [...way, 'percent'])]
  const point = /^([\d,]*)\.(\d+)$/.exec(bare)
  if (point) return [decimal(point[1] || '0', point[2]!)]
  const place = /^(\d+)(st|nd|rd|th)$/i.exec(bare)
  if (place) return [[ordinal(Number(place[1]))]]
  const decade = /^(\d0)'?s$/.exec(bare)
  if (decade) return [[[cardinal(Number(decade[1]))[0]!.replace(/y$/, 'ies')]]]
  const number = /^#?([\d,]+)$/.exec(bare)
  if (number) {
    const plain = number[1]!.replaceAll(',', '')
    const hash: Unit[] = bare.startsWith('#') && plain.length < 4 ? [[['number']]] : []
    // A long code is said with pauses: digit by digit, a unit each.
    if (!number[1]!.includes(',') && plain.length > 4)
      return [...plain].map((digit) => (digit === '0' ? [['zero'], ['oh']] : [digits(digit)]))
    const amount = readings(number[1]!)
    return [...hash, amount]
  }
  if (/^401\(?k\)?s?$/i.test(bare)) return [[['four', 'oh', 'one', 'K']]]
  const domain = /^(?:www\.)?([\w-]+)\.(com|net|org|io|co|us|loans|home)(?:\/\S*)?$/i.exec(bare)
  if (domain) return [...spoken(domain[1]!), [['dot', domain[2]!.toLowerCase()]]]

  const parts = bare.split(/[-–—/_.]+|(?<=\d)(?=\p{L})|(?<=\p{L})(?=\d)/u).filter((part) => /[\p{L}\p{N}]/u.test(part))
  if (parts.length > 1) return parts.flatMap((part) => spoken(part))
  return [wordly(bare)]
}

function amounts(text: string): string[][] {
  const n = Number(text.replaceAll(',', ''))
  const ways = [cardinal(n), ...(n > 100 && n % 100 !== 0 ? [cardinal(n, true)] : [])]
  // "A hundred thousand", "fifteen hundred".
  if (/^1(00|000|00000|000000)$/.test(String(n))) ways.push(['a', ...cardinal(n).slice(1)])
  if (n > 1000 && n < 10_000 && n % 100 === 0 && n % 1000 !== 0) ways.push([...cardinal(n / 100), 'hundred'])
  return ways
}

function decimal(whole: string, part: string): string[][] {
  const before = amounts(whole)
  return [
    ...before.map((way) => [...way, 'point', ...digits(part)]),
    ...before.map((way) => [...way, 'point', ...digits(part, 'oh')]),
    // 6.25: six point twenty five.
    ...(part.length === 2 && part[0] !== '0' ? before.map((way) => [...way, 'point', ...cardinal(Number(part))]) : []),
  ]
}

/** A plain word; capitals alone may be letters (NMLS) or a word said aloud (HOME). */
function wordly(bare: string): Unit {
  const word = bare.toLowerCase().replace(/[^\p{L}']/gu, '')
  const capitals = /^(\p{Lu}{2,6})('?s)?$/u.exec(bare)
  if (!capitals) return [[word]]
  const letters = [...capitals[1]!]
  if (capitals[2]) letters.push("'s")
  return [letters, [word]]
}
