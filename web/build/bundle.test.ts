import { expect, it } from 'vitest'
import type { Rolldown } from 'vite'
import { firstFontsIn } from './fonts-preloaded.ts'
import { formsIntoAddresses } from './forms-out-of-addresses.ts'
import { builtAs } from './later-files.ts'
import { pageAt } from './pages-at-their-addresses.ts'
import { replacedOnce } from './patch.ts'
import { recorderFilesIn } from './recorder-files.ts'
import { chunksFor } from './weighed.ts'

const chunk = (fileName: string, moduleIds: string[], imports: string[] = [], facadeModuleId = moduleIds[0]) =>
  ({ type: 'chunk', fileName, moduleIds, imports, facadeModuleId }) as unknown as Rolldown.OutputChunk
const sheet = (fileName: string, names: string[]) =>
  ({ type: 'asset', fileName, names }) as unknown as Rolldown.OutputAsset
const bundleOf = (...files: (Rolldown.OutputChunk | Rolldown.OutputAsset)[]) =>
  Object.fromEntries(files.map((file) => [file.fileName, file]))

it('the built name of a script or style sheet is found by its source, and a missing one fails the build', () => {
  const bundle = bundleOf(chunk('assets/tags-1.js', ['/x/web/app/site/tags.ts']), sheet('assets/i.css', ['index.css']))
  expect(builtAs('app/site/tags.ts', bundle)).toBe('assets/tags-1.js')
  expect(builtAs('app/styles.css', bundle)).toBe('assets/i.css')
  expect(() => builtAs('app/site/account.tsx', bundle)).toThrow('app/site/account.tsx is not in the bundle')
  expect(() => builtAs('app/styles.css', bundleOf(sheet('assets/h.css', ['home.css'])))).toThrow('not in the bundle')
})

it('both fonts of the first view are found, and more or fewer fail the build', () => {
  const [geist, funnel] = ['assets/geist-AbCd1234.woff2', 'assets/funnel-display-AbCd1234.woff2']
  expect(firstFontsIn([geist, 'assets/geist-more-AbCd1234.woff2', funnel, 'assets/a.js'])).toEqual([geist, funnel])
  expect(() => firstFontsIn([geist])).toThrow('1 were found')
})

it('the first page’s chunks include every chunk that its modules import, and a missing module fails the build', () => {
  const bundle = bundleOf(
    chunk('main.js', ['/x/web/app/main.tsx'], ['react.js']),
    chunk('react.js', ['/x/node_modules/react/index.js'], ['main.js']),
    chunk('other.js', ['/x/web/app/other.tsx']),
  )
  expect(chunksFor(['app/main.tsx'], bundle)).toEqual(['main.js', 'react.js'])
  expect(() => chunksFor(['app/gone.tsx'], bundle)).toThrow('app/gone.tsx is not in the bundle')
})

it('the recorder’s files are what its page begins with and loads later, with sheets, fonts and its workers', () => {
  const later = ['main.tsx', 'panel/shell.tsx', 'panel/record/record-page.tsx', 'panel/assets/takes.ts', 'forget.ts']
  const files = [
    ...later.map((name, n) => chunk(`assets/${n}.js`, [`/x/web/app/${name}`], n === 0 ? ['assets/react.js'] : [])),
    chunk('assets/react.js', ['/x/node_modules/react/index.js']),
    chunk('assets/workbench.js', ['/x/web/app/panel/edits/workbench-page.tsx']),
    sheet('assets/i.css', ['index.css']),
    ...['assets/geist-AbCd1234.woff2', 'assets/funnel-display-AbCd1234.woff2', 'assets/figtree-AbCd1234.woff2'].map(
      (name) => sheet(name, []),
    ),
  ]
  const workers = ['files-worker-AbCd1234.js', 'screen-camera-worker-AbCd1234.js'].map((name) =>
    sheet(`assets/${name}`, []),
  )
  expect(recorderFilesIn(bundleOf(...files, ...workers)).toSorted()).toEqual(
    '0.js 1.js 2.js 3.js 4.js react.js i.css geist-AbCd1234.woff2 funnel-display-AbCd1234.woff2 files-worker-AbCd1234.js screen-camera-worker-AbCd1234.js'
      .split(' ')
      .map((name) => `/assets/${name}`)
      .toSorted(),
  )
  expect(() => recorderFilesIn(bundleOf(...files, workers[0]!))).toThrow('could not start offline')
})

it('a form that would put what is typed into the address is found in a page, however it is written', () => {
  const [left, right] = ['<p><form noValidate class="a">', '<input name="current-password"></form></p>']
  expect(formsIntoAddresses(left + right)).toEqual(['<form noValidate class="a">'])
  for (const form of ['<form method="get">', '<form\n  METHOD=GET>', '<form data-method="post">'])
    expect(formsIntoAddresses(form + right)).toEqual([form])
  const button = '<button formmethod="get">'
  expect(formsIntoAddresses(`<form method="post">${button}${right}`)).toEqual([button])
  for (const form of [
    '<form method="post" action="/contact">',
    '<form class="a" method="dialog">',
    '<form method=post>',
  ])
    expect(formsIntoAddresses(form + right)).toEqual([])
})

it('in development / and /login without a mode are the public pages', () => {
  expect(['/', '/?a=1', '/login', '/login/', '/login?a=1'].map(pageAt)).toEqual([
    '/home.html',
    '/home.html',
    '/login.html',
    '/login.html',
    '/login.html',
  ])
  expect(['/terms', '/privacy/?a=1', '/contact'].map(pageAt)).toEqual(['/terms.html', '/privacy.html', '/contact.html'])
  for (const address of ['/panel', '/login?mode=forgot', '/login?a=1&invitation=x', '/api/x', ''])
    expect(pageAt(address)).toBe(address)
})

it('a text is replaced only if it occurs exactly once', () => {
  expect(replacedOnce('a b c', 'b', '$&', 'letters')).toBe('a $& c')
  expect(() => replacedOnce('a c', 'b', '', 'letters')).toThrow('letters: the passage that is replaced stands 0 times')
  expect(() => replacedOnce('b b', 'b', '', 'letters')).toThrow('2 times')
})
