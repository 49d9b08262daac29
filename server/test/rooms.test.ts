import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** Who may import whom (ARCHITECTURE.md), types included. First match counts; a file's own room is always allowed. */
const may: [from: RegExp, to: RegExp[]][] = [
  [/\.test\.ts$|^(e2e|bench|server\/test)\//, [/./]],
  [/^domain\//, []],
  [/^contract\//, [/^domain\//, /^zod$/]],
  [/^edit\//, [/^domain\//, /^zod$/]],
  [/^media\//, [/^edit\//, /^node:/]],
  [/^speech\//, [/^(domain|edit|media)\//, /^node:/]],
  [/^web\/(vite\.config\.ts$|build\/)/, [/./]],
  [/^web\//, [/^(domain|contract|edit)\//, /^(?!node:)[@\w]/]],
  [/^server\//, [/^(domain|contract|edit|media|speech|server\/src)\//, packages()]],
]

it('no file imports what its package may not import', () => {
  const wrong: string[] = []
  for (const file of sources()) {
    const rule = may.find(([from]) => from.test(file))
    if (!rule) continue
    for (const target of importsOf(file)) {
      if (target.split('/')[0] === file.split('/')[0]) continue
      if (!rule[1].some((to) => to.test(target))) wrong.push(`${file} → ${target}`)
    }
  }
  expect(wrong).toEqual([])
})

/** The server from the ground up: each storey imports only what stands before it. */
const storeys = ['kernel', 'outside', 'rooms', 'stand-ins', 'http', 'main'] as const
/** Beside them: the embedded cluster, which knows the configuration alone, and the backup, a program of its own. */
const beside: Record<string, readonly string[]> = {
  postgres: ['kernel'],
  backup: ['kernel', 'outside', 'rooms', 'postgres'],
}

/** The arrows upwards that there are, each with its reason. */
const upwards: Record<string, string> = {}

it('no file of the server imports from a storey above its own', () => {
  const found = arrows()
    .filter(({ from, to }) => !allowed(storeyOf(from), storeyOf(to)))
    .map(({ from, to }) => `${from} → ${to}`)
  expect(found).toEqual(Object.keys(upwards))
  expect(found.length).toBeLessThanOrEqual(6)
})

it('a room imports another room’s actions only, and personal-data what each room holds about people', () => {
  const wrong = arrows().filter(
    ({ from, to }) =>
      storeyOf(from) === 'rooms' &&
      storeyOf(to) === 'rooms' &&
      !to.endsWith('/actions.ts') &&
      !(from === 'personal-data/rooms.ts' && to.endsWith('/personal-data.ts')),
  )
  expect(wrong).toEqual([])
})

it('rooms import each other without a circle', () => {
  const uses = new Map<string, Set<string>>()
  for (const { from, to } of arrows())
    if (storeyOf(from) === 'rooms' && storeyOf(to) === 'rooms')
      uses.set(room(from), (uses.get(room(from)) ?? new Set()).add(room(to)))
  const circles: string[] = []
  const visit = (at: string, way: readonly string[]) => {
    if (way.includes(at)) return void circles.push([...way.slice(way.indexOf(at)), at].join(' → '))
    for (const next of uses.get(at) ?? []) visit(next, [...way, at])
  }
  for (const start of uses.keys()) visit(start, [])
  expect([...new Set(circles)]).toEqual([])
})

it('nobody imports main or notifications directly, and no folder is called utils', () => {
  const into = (to: string, from: (file: string) => boolean) =>
    arrows().filter((arrow) => room(arrow.to) === to && from(arrow.from))
  expect(into('main', () => true)).toEqual([])
  expect(into('notifications', (file) => !/^(main|personal-data)\//.test(file))).toEqual([])
  expect(sources().filter((file) => /\/(utils|helpers|shared|common|lib)\//.test(file))).toEqual([])
})

it('only advance writes a project’s status', () => {
  const writers = sources()
    .filter((file) => file.startsWith('server/src/') && !file.endsWith('.test.ts'))
    .filter((file) =>
      /update\s+project\s+set[^`]*\bstatus\s*=/.test(readFileSync(join(root, file), 'utf8').replace(/where[^`]*/g, '')),
    )
  expect(writers).toEqual([])
})

// npm packages and node itself.
function packages() {
  return /^(?!domain\/|contract\/|edit\/|media\/|speech\/|server\/|web\/)[@\w]/
}

/** Each import between two rooms of the server, both below server/src. */
function arrows(): { from: string; to: string }[] {
  const below = 'server/src/'
  return sources()
    .filter((file) => file.startsWith(below) && !file.endsWith('.test.ts'))
    .flatMap((file) =>
      importsOf(file)
        .filter((target) => target.startsWith(below))
        .map((target) => ({ from: file.slice(below.length), to: target.slice(below.length) })),
    )
    .filter(({ from, to }) => room(from) !== room(to))
}

function room(file: string): string {
  return file.split('/')[0]!
}

function storeyOf(file: string): string {
  const name = room(file)
  return name in beside || (storeys as readonly string[]).includes(name) ? name : 'rooms'
}

function allowed(from: string, to: string): boolean {
  if (from === 'main') return true
  if (from in beside) return beside[from]!.includes(to)
  const [own, other] = [from, to].map((name) => (storeys as readonly string[]).indexOf(name))
  return other! >= 0 && other! <= own!
}

function sources(): string[] {
  return ['domain', 'contract', 'edit', 'media', 'speech', 'server', 'web'].flatMap((room) =>
    (
      readdirSync(join(root, room), { recursive: true, withFileTypes: true }) as unknown as {
        name: string
        parentPath: string
      }[]
    )
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      .filter((path) => /\.tsx?$/.test(path) && !path.includes('node_modules') && !path.includes('dist/')),
  )
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/^(?:import|export) (?:[\w*{}\s,]+ from )?'([^'\n]+)'|\bimport\('([^']+)'\)/gm)].map(
    ([, fixed, late]) => {
      const name = fixed ?? late
      if (name!.startsWith('.')) return relative(root, resolve(root, dirname(file), name!))
      return name!.startsWith('@clear-to-post/') ? `${name!.slice(15).replace('/', '/src/')}.ts` : name!
    },
  )
}
