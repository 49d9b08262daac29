import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { forgetInTab } from './forget.ts'
import { hasScriptOrTitle, putScript } from './panel/projects/draft.ts'
import { inTab, onDevice } from './storage.ts'
import { keptUnder, keepText, textKept } from './written.ts'

/** As a browser's, whose storage may be full, or forbidden: then its name alone throws. */
const kept: Record<string, string> = {}
let state: 'free' | 'full' | 'forbidden' = 'free'
const browsers = new Proxy(kept, {
  get: (_, name: string) =>
    ({
      getItem: (key: string) => kept[key] ?? null,
      setItem: (key: string, text: string) => {
        if (state === 'full') throw new DOMException('Full', 'QuotaExceededError')
        kept[key] = text
      },
      removeItem: (key: string) => void delete kept[key],
    })[name] ?? kept[name],
})
const own = ['localStorage', 'sessionStorage'].map(
  (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
)
beforeEach(() => {
  for (const [name] of own)
    Object.defineProperty(globalThis, name, {
      configurable: true,
      get: () => {
        if (state === 'forbidden') throw new DOMException('Forbidden', 'SecurityError')
        return browsers
      },
    })
})
afterEach(() => {
  state = 'free'
  for (const texts of [onDevice, inTab]) for (const key of texts.keys()) texts.drop(key)
  for (const [name, was] of own)
    if (was) Object.defineProperty(globalThis, name, was)
    else Reflect.deleteProperty(globalThis, name)
  vi.unstubAllGlobals()
})

it.each(['full', 'forbidden'] as const)('a text is kept as long as the page stands where storage is %s', (how) => {
  for (const texts of [onDevice, inTab]) {
    state = how
    texts.keep('one', 'a')
    expect([texts.read('one'), texts.keys()]).toEqual(['a', ['one']])
    texts.drop('one')
    expect([texts.read('one'), texts.keys()]).toEqual([null, []])
  }
})

it('an older text does not come back after a reload where there was no room for the newer one', () => {
  onDevice.keep('one', 'older')
  state = 'full'
  onDevice.keep('one', 'newer')
  expect([onDevice.read('one'), kept['one']]).toEqual(['newer', undefined])
  // As soon as there is room, it is the browser's again.
  state = 'free'
  onDevice.keep('one', 'newest')
  expect([onDevice.read('one'), kept['one']]).toEqual(['newest', 'newest'])
})

it.each(['full', 'forbidden'] as const)('a script is put into a new video where storage is %s', (how) => {
  state = how
  putScript('anna', { title: 'Rate lock', words: 'Rates fell.' })
  expect([hasScriptOrTitle('anna'), hasScriptOrTitle('bo')]).toEqual([true, false])
})

it('words that a tab had no room for are forgotten with their person, and those of others stay', () => {
  state = 'full'
  for (const person of ['anna', 'bo']) keepText(person, 'note', 'Words')
  forgetInTab('anna')
  expect([textKept('anna', 'note'), keptUnder('anna', ''), textKept('bo', 'note')]).toEqual([null, [], 'Words'])
})

/** Scripts of pages that stand before there is an app, and load nothing: each touches storage within a `try`. */
const alone = ['sign-in/at-rest.ts', 'site/home.ts', 'site/tags.ts', '../public/theme.js']
const root = import.meta.dirname
const sources = globSync(['**/*.{ts,tsx}', '../public/*.js'], { cwd: root }).filter(
  (file) => !/\.test\.tsx?$/.test(file) && file !== 'storage.ts',
)

type Tree = { type?: string; [part: string]: unknown }
/** Where a file names a storage: `true` where that is within a `try`, or handed over as a function. */
const namesOf = (file: string): boolean[] => {
  const found: boolean[] = []
  const walk = (node: unknown, isCaught: boolean): void => {
    if (Array.isArray(node)) for (const one of node) walk(one, isCaught)
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return
    const tree = node as Tree
    const name = tree.type === 'Identifier' ? tree['name'] : undefined
    if (name === 'localStorage' || name === 'sessionStorage') found.push(isCaught)
    for (const [part, child] of Object.entries(tree))
      walk(
        child,
        isCaught ||
          (tree.type === 'TryStatement' && part === 'block') ||
          (tree.type === 'ArrowFunctionExpression' && part === 'body' && (child as Tree).type === 'Identifier'),
      )
  }
  const text = readFileSync(join(root, file), 'utf8')
  if (/localStorage|sessionStorage/.test(text)) walk(parseSync(file, text).program, false)
  return found
}

it('the storage of a browser is used by storage.ts alone, and by pages without an app where nothing can throw', () => {
  const naming = sources.map((file) => ({ file, names: namesOf(file) })).filter(({ names }) => names.length > 0)
  expect(naming.map(({ file }) => file).toSorted()).toEqual(alone.toSorted())
  expect(naming.filter(({ names }) => names.includes(false)).map(({ file }) => file)).toEqual([])
})
