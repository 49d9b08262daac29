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

const said = new Map<string, Unit[]>(
  Object.entries({
    '&': [[['and']]],
    '+': [[['plus']]],
    '=': [[['equals']]],
    '@': [[['at']]],
    '%': [[['percent']]],
    '°': [[['degrees']]],
    '¢': [[['cents'], ['cent']]],
    mr: [[['mister']]],
    mrs: [[['missus']]],
    dr: [[['doctor'], ['drive']]],
    st: [[['street'], ['saint']]],
    vs: [[['versus']]],
    inc: [[['incorporated'], ['ink']]],
    'no.': [[['number'], ['no']]],
    'w/': [[['with']]],
    ok: [[['okay']]],
  }),
)

/** Money by its sign: many, and one. */
const coins = new Map([
  ['$', ['dollars', 'dollar']],
  ['€', ['euros', 'euro']],
  ['£', ['pounds', 'pound']],
] as const)

const coinOf = (text: string | undefined) => coins.get(text?.[0] as '$')

/** Signs before a figure, and what many say for them. */
const signs = new Map([
  ['~', 'about'],
  ['≈', 'about'],
  ['<', 'under'],
  ['≤', 'under'],
  ['>', 'over'],
  ['≥', 'over'],
  ['+', 'plus'],
  ['-', 'minus'],
])

const scale = /^(hundred|thousand|million|billion|k|m)$/i

/** Nothing of this is said at the ends of a word: quotes, brackets, bullets and marks of a footnote. */
const quietBefore = /^["'“‘([{«¿¡*•·]+/
const quietAfter = /(?<!["'”’)\]}»,;:!?*†‡])["'”’)\]}»,;:!?*†‡]+$/

function spoken(written: string, nextWritten?: string, before?: string): Unit[] {
  const [text, next] = [inPlainFigures(written), nextWritten && inPlainFigures(nextWritten)]
  const bare = text
    .replace(quietBefore, '')
    .replace(quietAfter, '')
    .replace(/(?<!\.)\.+$/, '')
  const known = said.get(bare.toLowerCase()) ?? said.get(text.toLowerCase())
  if (known) return known
  if (!/[\p{L}\p{N}]/u.test(bare)) return []
  // "$2 million": the dollars come after the size.
  const coinBefore = coinOf(before)
  if (coinBefore && scale.test(bare)) {
    const size = bare.toLowerCase()
    return [[...coinBefore.map((coin) => [size, coin]), [size]]]
  }
  const figure = figureOf(bare, next)
  if (figure) return figure
  if (/^401\(?k\)?s?$/i.test(bare)) return [[['four', 'oh', 'one', 'K']]]
  const domain = /^(?:www\.)?([\w-]+)\.(com|net|org|io|co|us|loans|home)(?:\/\S*)?$/i.exec(bare)
  if (domain) return [...spoken(domain[1]!), [['dot', domain[2]!.toLowerCase()]]]

  // "1st-time" is "1st" and "time" before it is figures and letters.
  for (const between of [/[-–—/_.]+/u, /(?<=\d)(?=\p{L})|(?<=\p{L})(?=\d)/u]) {
    const parts = bare.split(between).filter((part) => /[\p{L}\p{N}]/u.test(part))
    if (parts.length > 1) return parts.flatMap((part) => spoken(part))
  }
  // Figures, words and signs that are said, one after the other; nobody says the rest.
  const pieces = bare.match(/[$€£]?\d[\d,]*|[\p{L}\p{M}']+|[+=@%&°¢]/gu) ?? []
  return pieces[0] === bare ? wordly(bare) : pieces.flatMap((piece) => spoken(piece))
}

/** Digits of every script and width as 0 to 9, and each minus and hyphen as one; raised figures are a footnote's. */
function inPlainFigures(text: string): string {
  return text
    .replace(/[⁰¹²³⁴-⁹]/g, '')
    .replace(/[\u2010-\u2012\u2212]/g, '-')
    .replace(/>=|=>(?=\d)/g, '≥')
    .replace(/<=/g, '≤')
    .replace(/(?<=\p{Nd})(?=[¼-¾⅐-⅞])/gu, '&')
    .replace(/[\p{N}\uff01-\uff5e]/gu, (sign) => sign.normalize('NFKC'))
    .replace(/\p{Nd}/gu, (digit) => (/\d/.test(digit) ? digit : `${valueOf(digit)}`))
}

/** Digits stand in rows from 0 to 9, and some rows behind each other. */
function valueOf(digit: string): number {
  let at = digit.codePointAt(0)!
  while (/\p{Nd}/u.test(String.fromCodePoint(at - 1))) at--
  return (digit.codePointAt(0)! - at) % 10
}

/** What is said for an amount, a time, a range or a number of a phone; undefined for what is none of them. */
function figureOf(bare: string, next?: string): Unit[] | undefined {
  if (/^\+?(?:1[-.]?)?\(?\d{3}\)?[-.]?\d{3}[-.]\d{4}$|^\d{3}-\d{4}$/.test(bare))
    return bare.match(/\d+/g)!.map((group) => [digits(group), digits(group, 'oh'), ...readings(group)])
  const sign = /^([~≈<≤>≥+-])(?=[\d$€£.])(.+)$/.exec(bare)
  if (sign) return withWord('before', spoken(sign[2]!, next), signs.get(sign[1]!)!)
  const more = /^([^+]+)\++$/.exec(bare)
  if (more) return withWord('after', spoken(more[1]!, next), 'plus')
  const range = /^([$€£]?\d[\d,.:]*(?:[km%]|[ap]m)?)[-–—]([$€£]?\d[\d,.:]*(?:[km%]|[ap]m)?)$/i.exec(bare)
  if (range && !/^\d{5,}$/.test(range[1]!)) {
    const coin = coinOf(range[1]) && !coinOf(range[2]) ? range[1]![0] : ''
    return [...spoken(range[1]!), ...withWord('before', spoken(`${coin}${range[2]}`, next), 'to')]
  }
  const time = /^(\d{1,2}):(\d\d)([ap])?m?$/i.exec(bare)
  if (time) return [timeOf(Number(time[1]), time[2]!, time[3])]
  const ratio = /^(\d+):(\d)$/.exec(bare)
  if (ratio) return [...spoken(ratio[1]!), ...withWord('before', spoken(ratio[2]!), 'to')]
  const part = /^(?:([\d,]+)&)?(\d+)⁄(\d+)(%)?$/.exec(bare)
  if (part) return [fraction(part[1], Number(part[2]), Number(part[3]), part[4] !== undefined)]
  const slashed = /^(?:([\d,]+)[-–])?([1-9]\d?)\/([2348]|16|32)(%)?$/.exec(bare)
  if (slashed && Number(slashed[2]) < Number(slashed[3])) return [slashedFraction(slashed)]
  const rate = /^([$€£][\d,.]*\d[km]?)\/(\p{L}+)$/iu.exec(bare)
  if (rate) return [...spoken(rate[1]!), [...each(rate[2]!.toLowerCase())]]
  const money = /^([$€£])([\d,]*)(?:\.(\d+))?([kKmMbB])?$/.exec(bare)
  if (money)
    return [moneyOf(coinOf(money[1])!, money[2]!, money[3], money[4], Boolean(next && scale.test(plainWord(next))))]
  const percent = /^([\d,]*)(?:\.(\d+))?%$/.exec(bare)
  if (percent)
    return [(percent[2] ? decimal(percent[1]!, percent[2]) : amounts(percent[1]!)).map((way) => [...way, 'percent'])]
  const sized = /^([\d,]+)(?:\.(\d+))?([km])$/i.exec(bare)
  if (sized) {
    const size = sized[3]!.toLowerCase()
    const amount = sized[2] ? decimal(sized[1]!, sized[2]) : amounts(sized[1]!)
    return [
      [size === 'k' ? 'thousand' : 'million', size.toUpperCase()].flatMap((name) =>
        amount.map((way) => [...way, name]),
      ),
    ]
  }
  const point = /^([\d,]*)\.(\d+)$/.exec(bare)
  if (point) return [decimal(point[1]!, point[2]!)]
  const place = /^(\d+)(st|nd|rd|th)$/i.exec(bare)
  if (place) return [[ordinal(Number(place[1]))]]
  const decade = /^(\d0)'?s$/.exec(bare)
  if (decade) return [[[cardinal(Number(decade[1]))[0]!.replace(/y$/, 'ies')]]]
  const number = /^#?([\d,]+)$/.exec(bare)
  return number ? numberOf(number[1]!, bare.startsWith('#')) : undefined
}

function numberOf(text: string, hasHash: boolean): Unit[] {
  const plain = text.replaceAll(',', '')
  const hash: Unit[] = hasHash && plain.length < 4 ? [[['number']]] : []
  // A long code is said with pauses: digit by digit, a unit each.
  if (!text.includes(',') && plain.length > 4)
    return [...plain].map((digit) => (digit === '0' ? [['zero'], ['oh']] : [digits(digit)]))
  return [...hash, readings(text)]
}

/** A word that some say at the beginning or the end of a figure, and some leave out. */
function withWord(where: 'before' | 'after', units: Unit[], word: string): Unit[] {
  const at = where === 'before' ? 0 : units.length - 1
  return units.map((unit, i) =>
    i === at ? unit.flatMap((way) => [where === 'before' ? [word, ...way] : [...way, word], way]) : unit,
  )
}

/** 5:30 → five thirty; 3:00pm → three P M. */
function timeOf(hour: number, minutes: string, half?: string): Unit {
  const hours = cardinal(hour)
  const minute = Number(minutes)
  const late = half ? [half.toUpperCase(), 'M'] : []
  if (minute === 0) return [[...hours, ...late], half ? [...hours, 'oh', 'oh', ...late] : [...hours, "o'clock"]]
  return [[...hours, ...(minute < 10 ? ['oh'] : []), ...cardinal(minute), ...late]]
}

/** ½ → a half; 7½ → seven and a half; ½% → a half percent, half a percent. */
function fraction(whole: string | undefined, count: number, of: number, isPercent: boolean): Unit {
  const name = of === 2 ? 'half' : of === 4 ? 'quarter' : ordinal(of).join(' ')
  const ways = count === 1 ? [['a', name], ['one', name], [name]] : [[...cardinal(count), `${name}s`]]
  const behind = whole ? amounts(whole)[0]! : undefined
  const all = behind ? ways.map((way) => [...behind, 'and', ...way]) : ways
  if (!isPercent) return all
  const apart = behind ? [] : [...ways.map((way) => [...way, 'of', 'a', 'percent']), [name, 'a', 'percent']]
  return [...all.map((way) => [...way, 'percent']), ...apart]
}

/** 1/2 → a half, and one two, as the day it may be; 3-1/2% → three and a half percent; the 1/2 of “6 1/2” → and a half. */
function slashedFraction([, whole, count, of, percent]: RegExpExecArray): Unit {
  const ways = fraction(whole, Number(count), Number(of), percent !== undefined)
  if (whole) return ways
  const apart = percent ? [] : [[...cardinal(Number(count)), ...cardinal(Number(of))]]
  return [...ways, ...ways.map((way) => ['and', ...way]), ...apart]
}

const units = new Map(
  Object.entries({ hr: 'hour', mo: 'month', yr: 'year', wk: 'week', sf: 'square foot', sqft: 'square foot' }),
)

/** $7.25/hr: per hour, an hour. */
function each(written: string): Unit {
  const unit = (units.get(written) ?? written).split(' ')
  return ['per', 'an', 'a'].map((word) => [word, ...unit])
}

function moneyOf(
  [many, one]: readonly [string, string],
  whole: string,
  part: string | undefined,
  letter: string | undefined,
  isScaled: boolean,
): Unit {
  const isCents = part?.length === 2 && !isScaled && !letter
  const cents = isCents ? Number(part) : 0
  if (isCents && whole === '')
    return [
      [...cardinal(cents), 'cents'],
      ['point', ...digits(part)],
    ]
  const amount = part && !isCents ? decimal(whole, part) : amounts(whole)
  const size = letter ? [{ k: 'thousand', m: 'million', b: 'billion' }[letter.toLowerCase()]!] : []
  if (isScaled) return amount
  const name = amount[0]!.join(' ') === 'one' && size.length === 0 ? one : many
  return [
    ...amount.map((way) => [...way, ...size, name, ...(cents ? ['and', ...cardinal(cents), 'cents'] : [])]),
    ...(cents ? amount.map((way) => [...way, ...cardinal(cents)]) : []),
    // "A four hundred thousand dollar loan"; and some leave the dollars out.
    ...amount.map((way) => [...way, ...size, one]),
    ...amount.map((way) => [...way, ...size]),
  ]
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
  // ".25": point two five.
  const before = whole ? amounts(whole) : [[], ['zero']]
  return [
    ...before.map((way) => [...way, 'point', ...digits(part)]),
    ...before.map((way) => [...way, 'point', ...digits(part, 'oh')]),
    // 6.25: six point twenty five.
    ...(part.length === 2 && part[0] !== '0' ? before.map((way) => [...way, 'point', ...cardinal(Number(part))]) : []),
  ]
}

/** A plain word; capitals alone may be letters (NMLS) or a word said aloud (HOME). */
function wordly(bare: string): Unit[] {
  const word = bare.toLowerCase().replace(/[^\p{L}']/gu, '')
  if (!word) return []
  const capitals = /^(\p{Lu}{2,6})('?s)?$/u.exec(bare)
  if (!capitals) return [[[word]]]
  const letters = [...capitals[1]!]
  if (capitals[2]) letters.push("'s")
  return [[letters, [word]]]
}
