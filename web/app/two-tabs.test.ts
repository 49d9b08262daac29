import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { afterEach, expect, it, vi } from 'vitest'

/**
 * Two tabs of one browser: each has programs of its own, and both have one storage. A tab hears what the other one kept when the
 * test says so, as late as a busy machine may tell it.
 */
type Listener = (event: { key: string }) => void
const device = new Map<string, string>()
const tabs = [0, 1].map(() => ({ listeners: new Set<Listener>(), unheard: [] as string[] }))
let here = 0

const set = (key: string, value: string | null) => {
  if ((device.get(key) ?? null) === value) return
  if (value === null) device.delete(key)
  else device.set(key, value)
  tabs[1 - here]!.unheard.push(key)
}
/** What is done in a tab. */
const inside = <T>(tab: number, work: () => T): T => {
  here = tab
  return work()
}
/** A tab hears the oldest thing that it has not heard. */
const hear = (tab: number): boolean => {
  const key = tabs[tab]!.unheard.shift()
  if (key === undefined) return false
  inside(tab, () => tabs[tab]!.listeners.forEach((listener) => listener({ key })))
  return true
}
/** Until nothing is told any more. Two that answer each other for ever are found here. */
const hearAll = () => {
  for (let heard = 0; hear(0) || hear(1); heard++) expect(heard, 'the two answer each other').toBeLessThan(1000)
}

afterEach(() => vi.unstubAllGlobals())

/** Texts of a form, in a tab of its own. */
type Fields = { write: (field: string, text: string) => void; read: (field: string) => string; leave: () => void }

/** All that hears what another tab keeps, as a form that is written in; or why nothing that is written can be lost. */
const hearing: Record<string, { fields: [string, string]; open: () => Promise<Fields> } | { why: string }> = {
  'panel/projects/draft.ts': {
    fields: ['title', 'instructions'],
    open: async () => {
      const { openForm } = await import('./panel/projects/draft.ts')
      const form = openForm('anna')
      form.subscribe(() => {})
      return {
        write: (field, text) => form.change({ [field]: text }),
        read: (field) => form.held().draft[field as 'title'],
        leave: form.look,
      }
    },
  },
}

const openTabs = async (file: string) => {
  const one = hearing[file]
  if (!one || 'why' in one) throw new Error(`${file} is no form`)
  device.clear()
  for (const tab of tabs) {
    tab.listeners.clear()
    tab.unheard.length = 0
  }
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => device.get(key) ?? null,
    setItem: (key: string, value: string) => set(key, value),
    removeItem: (key: string) => set(key, null),
  })
  vi.stubGlobal('addEventListener', (_: string, listener: Listener) => tabs[here]!.listeners.add(listener))
  vi.stubGlobal('removeEventListener', (_: string, listener: Listener) => tabs[here]!.listeners.delete(listener))
  const opened: Fields[] = []
  for (const tab of [0, 1]) {
    here = tab
    vi.resetModules()
    opened.push(await one.open())
  }
  const [first, second] = one.fields
  return {
    first,
    second,
    write: (tab: number, field: string, text: string) => inside(tab, () => opened[tab]!.write(field, text)),
    /** As by a key: on what stands there. */
    type: (tab: number, field: string, sign: string) =>
      inside(tab, () => opened[tab]!.write(field, opened[tab]!.read(field) + sign)),
    leave: (tab: number) => inside(tab, () => opened[tab]!.leave()),
    read: (field: string) => [0, 1].map((tab) => inside(tab, () => opened[tab]!.read(field))),
  }
}

const text = 'Keep my dog in the frame, and do not show the house number at any time.'
const forms = Object.keys(hearing).filter((file) => 'open' in hearing[file]!)

it.each(forms)('%s: a tab that only hears takes no letter from the one that is typed in', async (file) => {
  for (const late of [0, 1, 2, 5, text.length]) {
    const { first, second, type, read, leave } = await openTabs(file)
    for (const [i, sign] of [...text].entries()) {
      type(0, first, sign)
      // Half of them come much later, and what the other tab says to them is heard between two letters.
      if (late === 0 || i % (late + 1) === late) hear(1)
      hear(0)
    }
    expect(read(first)[0], `heard every ${late + 1} letters`).toBe(text)
    leave(0)
    hearAll()
    expect([read(first), read(second)], `heard every ${late + 1} letters`).toEqual([
      [text, text],
      ['', ''],
    ])
  }
})

it.each(forms)('%s: two fields that are written in two tabs at once lose nothing, and stand in both', async (file) => {
  const { first, second, type, read, leave } = await openTabs(file)
  for (const [i, sign] of [...text].entries()) {
    type(0, first, sign)
    type(1, second, sign)
    if (i % 3 === 0) hear(1)
    if (i % 5 === 0) hear(0)
  }
  hearAll()
  expect([read(first), read(second)]).toEqual([
    [text, text],
    [text, text],
  ])
  leave(0)
  leave(1)
  expect([read(first), read(second)]).toEqual([
    [text, text],
    [text, text],
  ])
})

it.each(forms)('%s: of one field that two tabs write at once the words of one stand, whole', async (file) => {
  const { first, second, type, write, read, leave } = await openTabs(file)
  write(0, second, 'Words of another field')
  for (const [i, sign] of [...text].entries()) {
    type(0, first, sign)
    type(1, first, sign.toUpperCase())
    if (i % 3 === 0) hear(1)
    if (i % 4 === 0) hear(0)
  }
  expect(read(first), 'each shows its own while it is written in').toEqual([text, text.toUpperCase()])
  leave(0)
  leave(1)
  hearAll()
  expect(read(first)).toEqual([text.toUpperCase(), text.toUpperCase()])
  expect(read(second)).toEqual(['Words of another field', 'Words of another field'])
})

const sources = globSync('**/*.{ts,tsx}', { cwd: import.meta.dirname }).filter(
  (file) => !file.includes('.test.') && !file.startsWith('dev/'),
)
const textOf = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8')

it('all that hears what another tab keeps is listed, and no other', () => {
  const found = sources.filter((file) => /addEventListener\(\s*['"`]storage|\bonstorage\b/.test(textOf(file)))
  expect(found.toSorted()).toEqual(Object.keys(hearing).toSorted())
})

type Tree = { type?: string; callee?: Tree; property?: Tree; name?: string; arguments?: Tree[] }
const nameOf = ({ name, property }: Tree): string => name ?? (property && nameOf(property)) ?? ''
const childrenOf = (tree: object): Tree[] =>
  Object.values(tree)
    .flat()
    .filter((one): one is Tree => typeof one === 'object' && one !== null)
const callsIn = (tree: Tree): Tree[] => [
  ...(tree.type === 'CallExpression' ? [tree] : []),
  ...childrenOf(tree).flatMap(callsIn),
]
/** What keeps a text. */
const keeping = /^(?:keep|drop|keepText|dropText|keepWritten|dropWritten|putScript|setItem|removeItem)$/
/** What effects keep all the same, or seem to, and why nothing of another tab is lost by it. */
const inEffects: Record<string, string> = {
  'panel/clips/clip-dialog.tsx: drop': 'Its own: it throws a file away at the service.',
  'panel/edits/use-bench.ts: keep': 'Under a key of this page alone, which no other tab writes (kept.ts).',
  'panel/record/recorder-person.ts: keep': 'Who is signed in, as the service says it: nobody types that.',
}

it('no effect keeps a text: what was drawn may come from another tab, and would be kept over what is newer', () => {
  const found = sources.flatMap((file) => {
    if (!/\buse(?:Layout)?Effect\(/.test(textOf(file))) return []
    return callsIn(parseSync(file, textOf(file)).program as Tree)
      .filter(({ callee }) => /^use(?:Layout)?Effect$/.test(nameOf(callee!)))
      .flatMap(({ arguments: given }) => callsIn(given![0]!).map(({ callee }) => nameOf(callee!)))
      .filter((name) => keeping.test(name))
      .map((name) => `${file}: ${name}`)
  })
  expect([...new Set(found)].toSorted()).toEqual(Object.keys(inEffects))
})
