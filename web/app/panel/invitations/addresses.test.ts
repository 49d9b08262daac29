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

it('a text without an address gives none', () => {
  expect(addressesIn('Name,Branch\nOlivia,North @ home')).toEqual([])
})
