import { expect, it } from 'vitest'
import { readAddresses } from './addresses.ts'
import { fileNotes, roleNamed } from './file-notes.ts'

const addressesIn = (text: string) => readAddresses(text).addresses

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

it('lines without an address, doubled addresses, names and roles of a file are told', () => {
  const read = readAddresses(
    [
      'Name,Email,Role',
      'Pat Lane,pat@harbor.test,Loan officer',
      'Li,not-an-address,Editor',
      '"Wu, Li",li@harbor.test,loan officer',
      'Pat,PAT@harbor.test,Boss',
      '',
    ].join('\n'),
  )
  expect(read).toEqual({
    addresses: ['pat@harbor.test', 'li@harbor.test'],
    left: ['not-an-address'],
    doubled: ['pat@harbor.test'],
    hasNames: true,
    roles: ['Loan officer', 'Boss'],
  })
  expect(fileNotes(read)).toEqual([
    '1 line left out: not-an-address',
    '1 address stands there more than once: pat@harbor.test',
    'Names are not read from the file: each person writes their own.',
    'Unknown role: Boss. Choose below what these people are to be.',
    expect.stringContaining('several roles: Loan officer, Boss. All addresses get the role below'),
  ])
  expect(readAddresses('Bo\nmara@harbor.test').left).toEqual(['Bo'])
})

it('one known role of a file is taken, and several are said because one goes with each sending', () => {
  const read = (roles: string[]) => ({ addresses: ['a@b.test'], left: [], doubled: [], hasNames: false, roles })
  expect(roleNamed(read(['EDITOR']))).toBe('Editor')
  expect(roleNamed(read(['Loan Officer', 'user']))).toBe('User')
  expect(roleNamed(read(['Editor', 'QA']))).toBeUndefined()
  expect(roleNamed(read(['Editor', 'Boss']))).toBeUndefined()
  expect(fileNotes(read(['Editor']))).toEqual(['The file’s role is chosen: Editor.'])
  expect(fileNotes(read(['Editor', 'QA']))[0]).toContain('Editor, QA')
  expect(fileNotes({ ...read([]), left: ['a', 'b', 'c', 'd', 'e'] })).toEqual(['5 lines left out: a, b, c and 2 more'])
})
