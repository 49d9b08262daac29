import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseSync } from 'vite'
import { expect, it } from 'vitest'

// Loan officers are licensed and read in the United States.
const british =
  /\b\w*(?:[cC]olour|[lL]icence|[fF]avour|[bB]ehaviour|[nN]eighbour|[hH]arbour|ecognis|rganis|mphasis(?:e|ing)|[cC]entred|[cC]ancelled|[cC]atalogue|[gG]rey)\w*/g

const root = import.meta.dirname
const files = [
  ...globSync(['**/*messages*.ts', '**/words/*.ts', '**/words.ts', '**/*-words.ts'], { cwd: root }),
  ...globSync('../../contract/src/{errors,refusals-of-*}.ts', { cwd: root }),
]

it('words for people are spelled as in the United States', () => {
  expect(files.length).toBeGreaterThan(70)
  const found = files.flatMap((file) =>
    textsOf(readFileSync(join(root, file), 'utf8')).flatMap((text) =>
      (text.match(british) ?? []).map((word) => `${relative(root, join(root, file))}: ${word} in “${text}”`),
    ),
  )
  expect(found).toEqual([])
})

it('a British word is found in a text and in a template, and not in a name or an import', () => {
  const code =
    "import { c } from './colour.ts'\nexport const a = { colour: 'The colour', b: (n) => `${n} licences`, catalogue: c.grey }"
  expect(textsOf(code).flatMap((text) => text.match(british) ?? [])).toEqual(['colour', 'licences'])
})

/** Every text of a file, but for addresses of other files. */
const textsOf = (code: string): string[] => {
  const texts: string[] = []
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(walk)
    if (typeof node !== 'object' || node === null) return
    const { type, value } = node as { type?: string; value?: unknown }
    if (type === 'ImportDeclaration') return
    if (type === 'Literal' && typeof value === 'string') texts.push(value)
    if (type === 'TemplateElement') texts.push((value as { cooked: string }).cooked)
    if (type === 'Property') {
      const { key, computed, value: held } = node as { key: unknown; computed?: boolean; value: unknown }
      if (computed) walk(key)
      return walk(held)
    }
    Object.values(node).forEach(walk)
  }
  walk(parseSync('words.ts', code).program)
  return texts
}
