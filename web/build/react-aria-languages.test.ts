import { globSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { languages, wordsFile } from './react-aria-languages.ts'

/** Every module of React Aria’s that is named after a language. */
const files = ['react-aria', 'react-stately', 'react-aria-components'].flatMap((name) => {
  const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
  return globSync('dist/**/[a-z][a-z]-[A-Z][A-Z].mjs', { cwd: folder }).map((file) => join(folder, file))
})

it('every translation file of React Aria is recognised as one', () => {
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => !wordsFile.test(file))).toEqual([])
})

it('React Aria has translations for each language of the panel', () => {
  for (const language of languages)
    expect(
      files.some((file) => file.endsWith(`${language}.mjs`)),
      language,
    ).toBe(true)
})
