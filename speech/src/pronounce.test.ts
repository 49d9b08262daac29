import { expect, it } from 'vitest'
import { glossaryOf } from './glossary.ts'
import { pronouncing } from './pronounce.ts'
import { sphinx } from './sphinx.ts'

const tool = await sphinx()

it.skipIf(!tool)(
  'words are pronounced by the glossary, the dictionary, letter by letter, as compounds or by spelling rules',
  async () => {
    const words = ['rate', 'buydown', 'dscr', 'nguyen', 'kowalczyk', "maria's", 'heloc']
    const glossary = glossaryOf({
      tenant: [{ term: 'Nguyen', sounds: 'when' }],
      officer: [{ term: 'nguyen', sounds: 'win' }],
    })
    const say = await pronouncing(tool!.dictionary, words, glossary)
    expect(say(['rate'])).toEqual(['R EY T'])
    expect(say(['N', 'M'])).toEqual(['EH N EH M'])
    expect(say(['buydown'])[0]).toBe('B AY D AW N')
    expect(say(['dscr'])[0]).toBe('D IY EH S S IY AA R')
    expect(say(['nguyen'])[0]).toBe('W IH N')
    expect(say(['heloc'])[0]).toBe('HH IY L AA K')
    expect(say(["maria's"])[0]).toMatch(/^M .* Z$/)
    // By the rules of spelling: no dictionary has it.
    expect(say(['kowalczyk'])[0]).toMatch(/^K AW .* CH IH K$/)
  },
)

it.skipIf(!tool)('a glossary that says only signs says nothing, and a word is pronounced without it', async () => {
  const say = await pronouncing(tool!.dictionary, ['rate'], [{ term: 'rate', sounds: '— …' }])
  expect(say(['rate'])).toEqual(['R EY T'])
  expect(say(['']).concat(say([]))).toEqual(['AH', 'AH'])
})
