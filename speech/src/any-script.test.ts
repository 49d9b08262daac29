import fc from 'fast-check'
import { expect, it } from 'vitest'
import { glossaryOf } from './glossary.ts'
import { confirmedGrammar, offScriptGrammar, type Grammar } from './grammar.ts'
import { pronouncing } from './pronounce.ts'
import { readScript } from './script.ts'
import { sphinx } from './sphinx.ts'

const tool = await sphinx()

/** What loan officers write, and what comes along when they paste. */
const written =
  "5:30 5:05 3:00pm 3:00 p.m. 9am 1:00-4:00 12:30–3:30pm 24/7 20+ 620+ $500+ $300K+ 100%+ A+ ½ 7½ 5½% ¼ ⅞ 1⁄2 ~5% ≈5 +5% -5% −5% >20% <3 0% 0%* 3.5%* $1,000* $1,000† $.50 .25% $0 $-5 €500 £20 US$500 5¢ 2:1 9:16 $5-10 5%-6% 30-40 10–15 30‑year 30+-year 2/1 1/2 (555)123-4567 555-123-4567 +1(555)123-4567 1-800-555-1212 555.123.4567 555-1212 #120456 NMLS# NMLS#120456 401(k) w/ & @5 =5 5= 5→6 5|6 5;6 6'2\" 72° x² 10,000² ① 1️⃣ ٥٠٠ ٣:٣٠ ５００ ＄５００ १२ Ⅳ ௰ 〇 — – • … ™ © º 1º ¿Qué? ¡Hola! español 今すぐ مرحبا Łódź résumé ß İ ǅ constructor __proto__ toString 's '' S.A. www.harbor.com/apply+now a@b.com _ #".split(
    ' ',
  )

const chars = [
  ...'abeiszABNMLS0123579 $%+-–—−:;.,/\\#&@=~<>*†()[]{}\'"’“|_^°¢€£½¼⅞²¹①٣५５＄％éñß̃İمح今す어가👍️⃣ \u200b\u00ad\u202e\n',
]
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(...written),
      fc.array(fc.constantFrom(...chars), { maxLength: 8 }).map((list) => list.join('')),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.integer({ min: 0, max: 0x2ffff }).map((n) => `${String.fromCodePoint(n).toWellFormed()}`),
    ),
    { maxLength: 6 },
  )
  .map((list) => list.join(' '))

/** Each word that is named in a grammar, and of which the dictionaries beside it say no sound. */
const unsounded = ({ fsg, dictionary, fillers }: Grammar): string[] => {
  const sounds = new Map(
    `${dictionary}${fillers}`.split('\n').map((line) => [line.split(' ')[0], line.split(' ').slice(1).join(' ')]),
  )
  const named = fsg.split('\n').flatMap((line) => /^TRANSITION \d+ \d+ \S+ (\S+)$/.exec(line)?.[1] ?? [])
  const badly = [...sounds].flatMap(([word, said]) => (word && !/^[A-Z]+( [A-Z]+)*$/.test(said) ? [word] : []))
  return [...badly, ...new Set(named.filter((word) => !sounds.has(word)))]
}

const readings = (script: string) => readScript(script).flatMap(({ units }) => units)

it('each unit of any script has readings, and each reading words', () => {
  const whole = (script: string) => {
    for (const { text: own, units } of readScript(script)) {
      expect(units.length, own).toBeGreaterThan(0)
      for (const unit of units) {
        expect(unit.length, own).toBeGreaterThan(0)
        for (const way of unit) expect(way.length > 0 && way.every((word) => /^['\p{L}]/u.test(word)), own).toBe(true)
      }
    }
  }
  for (const one of written) whole(`a ${one} b`)
  fc.assert(fc.property(text, whole), { numRuns: 2000 })
})

it.skipIf(!tool)('of any script and glossary the dictionary says a sound for each word of the grammar', async () => {
  const whole = async (script: string, sounds: string) => {
    const units = readings(script)
    const glossary = glossaryOf({ tenant: [{ term: 'Zorbex', sounds }] })
    const say = await pronouncing(tool!.dictionary, ['zorbex', ...units.flat(2)], glossary)
    const places = [[['zorbex']], ...units].map((unit) => ({
      phones: unit.flatMap((way) => say(way)),
      sentenceStart: true,
      clauseStart: false,
    }))
    expect(unsounded(offScriptGrammar(places)), `${script} / ${sounds}`).toEqual([])
    expect(unsounded(confirmedGrammar([...places, null, { missing: places, isSilent: false }]))).toEqual([])
  }
  await whole(written.join(' '), '—')
  for (const sounds of ['½', '1.5', '9'.repeat(160), '— win', '5:30', ' ']) await whole('Zorbex.', sounds)
  await fc.assert(fc.asyncProperty(text, text, whole), { numRuns: 25 })
})
