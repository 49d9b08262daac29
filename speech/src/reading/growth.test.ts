import { expect, it } from 'vitest'
import { scriptOf } from '../../test/stretches.ts'
import { reading } from '../reading.ts'
import type { Heard } from '../sphinx.ts'
import { leftOut } from './said.ts'

/**
 * How many items the methods of lists that copy, search and spread go through while this runs: the same on every machine. A search
 * counts the whole list, also where it finds something at once.
 */
const itemsDuring = (work: () => unknown): number => {
  const methods = ['slice', 'find', 'findIndex', 'findLast', 'includes', 'indexOf', 'some', Symbol.iterator] as const
  const own = methods.map((name) => [name, Array.prototype[name]] as const)
  let items = 0
  try {
    for (const [name, method] of own)
      Object.assign(Array.prototype, {
        [name](this: unknown[], ...args: unknown[]) {
          const found: unknown = Reflect.apply(method, this, args)
          items += Array.isArray(found) ? found.length : this.length
          return found
        },
      })
    work()
    return items
  } finally {
    for (const [name, method] of own) Object.assign(Array.prototype, { [name]: method })
  }
}

const heardAs = (words: readonly string[]): Heard[] =>
  words.map((word, i) => ({ word, start: i * 150, end: (i + 1) * 150, score: -10 }))
const count = 500
/** What a recogniser may hear, of so many words. */
const heards: Record<string, (length: number) => string[]> = {
  'rows of three words, each begun a word further': (length) =>
    Array.from({ length }, (_, i) => `w${(Math.floor(i / 3) + (i % 3)) % count}`),
  'rows of four words, each begun a word earlier': (length) =>
    Array.from({ length }, (_, i) => `w${count - 4 - (Math.floor(i / 4) % (count - 3)) + (i % 4)}`),
  'words here and there among other sounds': (length) =>
    Array.from({ length }, (_, i) => (i % 2 ? '++S++' : `w${(i * 7919) % count}`)),
  'the same with pauses between': (length) =>
    Array.from({ length }, (_, i) => (i % 2 ? '<sil>' : i % 4 ? '++S++' : `w${(i * 7919) % count}`)),
  'other sounds alone': (length) => Array.from({ length }, (_, i) => (i % 2 ? '++S++' : '++K++')),
}

it.each(Object.entries(heards))('a recording of twice the length is twice the work to read: %s', (_, heard) => {
  const script = scriptOf(count, { sentence: 50 })
  const work = (length: number) => {
    const said = heardAs(heard(length))
    return itemsDuring(() => leftOut(reading(said, script), count))
  }
  const [short, long] = [work(4000), work(8000)]
  expect(short).toBeGreaterThan(0)
  expect(long).toBeLessThan(2.5 * short)
})
