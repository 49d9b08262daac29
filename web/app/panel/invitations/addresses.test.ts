import { expect, it } from 'vitest'
import { addressesIn } from './addresses.ts'

it('addresses are found in a CSV with names, in a list and in a mail’s line, each once', () => {
  const csv = '\uFEFFName,E-mail,Branch\r\n"Hart, Olivia",olivia@harbor.test,"North"\r\nEli,ELI@harbor.test;\r\n'
  expect(addressesIn(csv)).toEqual(['olivia@harbor.test', 'ELI@harbor.test'])
  expect(addressesIn('Mara <mara@harbor.test>, eli@harbor.test\neli@Harbor.test.')).toEqual([
    'mara@harbor.test',
    'eli@harbor.test',
  ])
})

it('a file of many thousand addresses, or of one endless word, is read in one pass', () => {
  const many = Array.from({ length: 200_000 }, (_, n) => `person${n}@harbor.test`)
  expect(addressesIn(many.join('\n'))).toEqual(many)
  expect(addressesIn('a'.repeat(2_000_000) + '\n' + 'a@'.repeat(1_000_000))).toEqual([])
  expect(addressesIn('mara@b.. @harbor.test x@y mara@harbor.test...')).toEqual(['mara@harbor.test'])
})

it('a text without an address gives none', () => {
  expect(addressesIn('Name,Branch\nOlivia,North @ home')).toEqual([])
})
