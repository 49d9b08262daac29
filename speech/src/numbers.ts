/** Numbers as people say them. */

const ones =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = 'zero ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const scales = [
  [1_000_000_000, 'billion'],
  [1_000_000, 'million'],
  [1000, 'thousand'],
  [100, 'hundred'],
] as const

/** 130 → one hundred thirty. `and` says the one before the last part: one hundred and thirty. */
export function cardinal(n: number, and = false): string[] {
  for (const [size, name] of scales) {
    if (n < size) continue
    const rest = n % size
    const tail = rest === 0 ? [] : [...(and && rest < 100 ? ['and'] : []), ...cardinal(rest, and)]
    return [...cardinal(Math.floor(n / size), and), name, ...tail]
  }
  if (n < 20) return [ones[n]!]
  return [tens[Math.floor(n / 10)]!, ...(n % 10 ? [ones[n % 10]!] : [])]
}

/** 21 → twenty first. */
export function ordinal(n: number): string[] {
  const words = cardinal(n)
  const last = words.pop()!
  const odd: Record<string, string> = {
    one: 'first',
    two: 'second',
    three: 'third',
    five: 'fifth',
    eight: 'eighth',
    nine: 'ninth',
    twelve: 'twelfth',
  }
  return [...words, odd[last] ?? (last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`)]
}

/** 305 → three zero five, three oh five. */
export function digits(text: string, zero = 'zero'): string[] {
  return [...text].map((digit) => (digit === '0' ? zero : ones[Number(digit)]!))
}

/** Every usual way to say a whole number written so: as an amount, as a year, digit by digit where it is a code. */
export function readings(text: string): string[][] {
  const plain = text.replaceAll(',', '')
  const n = Number(plain)
  const grouped = text.includes(',')
  if (!grouped && (plain.length > 4 || /^0\d/.test(plain))) return [digits(plain), digits(plain, 'oh')]
  const ways = [cardinal(n)]
  if (n > 100 && n % 100 !== 0) ways.push(cardinal(n, true))
  if (!grouped && plain.length === 4) {
    const [high, low] = [Math.floor(n / 100), n % 100]
    if (low === 0 && high % 10 !== 0) ways.push([...cardinal(high), 'hundred'])
    else if (low > 0 && low < 10) ways.push([...cardinal(high), 'oh', ...cardinal(low)])
    else if (low >= 10) ways.push([...cardinal(high), ...cardinal(low)])
    ways.push(digits(plain))
  }
  if (plain.length === 3 && n % 100 !== 0) {
    // Three-digit codes and rates: three oh five, seven twenty.
    const low = n % 100
    ways.push([ones[Math.floor(n / 100)]!, ...(low < 10 ? ['oh', ones[low]!] : cardinal(low))], digits(plain))
  }
  return ways
}
