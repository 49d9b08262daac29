import { globSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { titlesOf } from './titles.ts'

const root = resolve(import.meta.dirname, '../..')

/** Whoever reads the name of a failed test knows what the product should do (STYLE.md). */
it('every test title has at most 110 characters and names its subject instead of “who” or “what”', () => {
  const files = globSync('{contract,domain,e2e,edit,media,server,speech,web}/**/*.{test.ts,test.tsx,e2e.ts}', {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path),
  })
  const titles = files.flatMap((file) => titlesOf(join(root, file)).map((title) => ({ file, title })))
  expect(titles.length).toBeGreaterThan(1000)
  const riddles = titles.filter(({ title }) => title.length > 110 || /^(who|what|which|whose)(ever)?\b/i.test(title))
  expect(riddles.map(({ file, title }) => `${relative(root, join(root, file))}: ${title}`)).toEqual([])
})
