import { expect, it } from 'vitest'
import { csvOf } from './csv.ts'

const columns = [
  { title: 'Name', text: ({ name }: { name: string }) => name },
  { title: 'Again', text: () => 'x' },
]
const cellOf = (name: string) =>
  csvOf(columns, [{ name }])
    .split('\r\n')
    .slice(1)
    .join('\r\n')
    .replace(/,"x"\r\n$/, '')

it('a table becomes one line a row, with quotes, commas and line breaks kept', () => {
  expect(csvOf(columns, [{ name: 'Olivia "Liv" Hart, NMLS\n1' }])).toBe(
    '\uFEFF"Name","Again"\r\n"Olivia ""Liv"" Hart, NMLS\n1","x"\r\n',
  )
})

it('no cell begins as a formula does', () => {
  for (const formula of ['=1+1', '+1', '-1', '@SUM(A1)', ' =cmd', '\t=1', '\r=1', '|x', '  -2', '＝1+1', '＠SUM(A1)'])
    expect(cellOf(formula), JSON.stringify(formula)).toBe(`"'${formula}"`)
  for (const plain of ['Olivia', 'a=b', '12', '', 'e-mail']) expect(cellOf(plain)).toBe(`"${plain}"`)
})
