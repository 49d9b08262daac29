import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { decisions, decisionsPage } from '../../bin/decisions.ts'
import { installedPackages, withPackages } from '../../bin/licences.ts'
import { noticesText } from '../../bin/notices.ts'
import { paths } from '../../web/app/paths.ts'

const root = resolve(import.meta.dirname, '../..')
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...(readdirSync(join(root, 'docs'), { recursive: true }) as string[])
    .filter((name) => name.endsWith('.md') && !name.startsWith('generated/'))
    .map((name) => `docs/${name}`),
].map((page) => ({ page, text: readFileSync(join(root, page), 'utf8') }))

it('the index of decisions is complete (npm run docs writes it)', () => {
  expect(readFileSync(join(root, 'docs/decisions/README.md'), 'utf8')).toBe(decisionsPage())
})

it('the packages of THIRD-PARTY.md are those of the lock file (npm run docs writes them)', () => {
  const page = readFileSync(join(root, 'THIRD-PARTY.md'), 'utf8')
  expect(page).toBe(withPackages(page))
})

it('the notices and licence texts are those of the installed packages, fonts and emoji (npm run docs writes them)', () => {
  const text = readFileSync(join(root, 'docs/generated/notices.txt'), 'utf8')
  expect(text).toBe(noticesText())
  for (const { name, version, isForOneMachine, path } of installedPackages())
    if (!isForOneMachine && existsSync(join(root, path))) expect(text).toContain(`\n${name} ${version} (`)
  for (const name of ['Geist, the font', 'Funnel Display, the font', 'Fluent Emoji']) expect(text).toContain(name)
})

it('decisions have unique numbers, and are superseded or changed only by later ones that exist', () => {
  const all = decisions()
  const numbers = all.map(({ number }) => number)
  expect(numbers).toEqual([...new Set(numbers)])
  expect(all.filter(({ number, later }) => later.some((one) => one <= number || !numbers.includes(one)))).toEqual([])
})

it('every decision that a page cites by its number exists', () => {
  const numbers = new Set(decisions().map(({ number }) => number))
  const named = pages.flatMap(({ page, text }) =>
    [...text.matchAll(/\bdecision (\d+)/g)].map(([, number]) => ({ page, number: Number(number) })),
  )
  expect(named.filter(({ number }) => !numbers.has(number))).toEqual([])
})

it('every page and file that a page links to exists', () => {
  const links = pages.flatMap(({ page, text }) =>
    [...text.matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)].map(([, to]) => ({ page, to: to! })),
  )
  expect(links.length).toBeGreaterThan(100)
  expect(links.filter(({ page, to }) => !existsSync(join(root, dirname(page), to)))).toEqual([])
})

it('every file that CONTRIBUTING, a how-to or the specification names exists', () => {
  const named = pages
    .filter(({ page }) => /^(CONTRIBUTING\.md|docs\/(how-to|specification)\/)/.test(page))
    .flatMap(({ page, text }) =>
      [...text.matchAll(/`((?:bin|bench|contract|docs|domain|e2e|edit|media|server|speech|web)\/[\w./-]+\w)`/g)].map(
        ([, file]) => ({ page, file: file! }),
      ),
    )
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter(({ file }) => !/NNNN/.test(file) && !existsSync(join(root, file)))).toEqual([])
})

it('every command that a page names exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
  const named = pages.flatMap(({ page, text }) =>
    [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => ({ page, name: name! })),
  )
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter(({ name }) => !(name in scripts))).toEqual([])
})

it('every page of the panel is opened by the journey over all pages', () => {
  const journey = ['panel-pages', 'pages.e2e'].map((name) => readFileSync(join(root, `e2e/${name}.ts`), 'utf8')).join()
  // A page of one object is reached from its list: its path up to the first id.
  const opened = (path: string) => [`'${path}'`, `"${path}/"`].some((address) => journey.includes(address))
  const all = Object.values(paths).filter((path) => path.startsWith('/panel'))
  expect(all.filter((path) => !opened(path.replace(/\/\$.*/, '')))).toEqual([])
})

it('comments cite only parts of the specification and decisions that exist in this repository', () => {
  const outside = /\b(product|decisions)\.md, sections?|specification(’s|'s)?,? sections? \d/
  const wrong = sources().flatMap(({ file, text }) => [
    ...(outside.test(text) ? [`${file} cites a section`] : []),
    ...[...text.matchAll(/docs\/specification\/[\w-]+\.md/g)]
      .filter(([page]) => !existsSync(join(root, page)))
      .map(([page]) => `${file}: ${page}`),
  ])
  expect(wrong).toEqual([])
})

function sources(): { file: string; text: string }[] {
  return ['bench', 'bin', 'contract', 'domain', 'e2e', 'edit', 'media', 'server', 'speech', 'web']
    .flatMap((room) => under(room))
    .filter((file) => /\.(tsx?|mjs|css)$/.test(file) && join(root, file) !== import.meta.filename)
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
}

function under(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return /^(node_modules|dist)$/.test(entry.name) ? [] : under(`${folder}/${entry.name}`)
    return [`${folder}/${entry.name}`]
  })
}
