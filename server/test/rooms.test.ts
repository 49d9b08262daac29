import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** Who may import whom (ARCHITECTURE.md). First match counts; a file's own room is always allowed. */
const may: [from: RegExp, to: RegExp[]][] = [
  [/\.test\.ts$|^(e2e|bench|server\/test)\//, [/./]],
  [/^domain\//, []],
  [/^contract\//, [/^domain\//, /^zod$/]],
  [/^edit\//, [/^zod$/]],
  [/^media\//, [/^edit\//, /^node:/]],
  [/^speech\//, [/^(edit|media)\//, /^node:/]],
  [/^web\/vite\.config\.ts$/, [/./]],
  [/^web\//, [/^(domain|contract|edit)\//, /^(?!node:)[@\w]/]],
  [/^server\/src\/main\//, [/./]],
  // The service's table of contents lists every room.
  [
    /^server\/src\/http\/app\.ts$/,
    [/^server\/src\/\w+\/calls\.ts$/, outside(), /^server\/src\/(db|main\/config)/, /^(domain|contract|media)\//],
  ],
  [/^server\/src\/jobs\/registry\.ts$/, [/^server\/src\/\w+\/jobs\.ts$/]],
  // What each room holds about a person, in one list.
  [
    /^server\/src\/accounts\/personal-data\.ts$/,
    [/^server\/src\/\w+\/personal-data\.ts$/, /^server\/src\/(db|outside)\//],
  ],
  // Uploads and media are the files' own doors.
  [
    /^server\/src\/http\/(uploads|media)\.ts$/,
    [/^server\/src\/(assets|http|db|outside|(edits|accounts)\/actions)/, /^(domain|contract|media)\//, outside()],
  ],
  [
    /^server\/src\/(http|db|jobs|outside)\//,
    [
      /^(domain|contract|edit|media)\//,
      /^server\/src\/(http|db|jobs|outside)\//,
      /^server\/src\/\w+\/actions\.ts$/,
      /^server\/src\/main\/config\.ts$/,
      outside(),
    ],
  ],
  [
    /^server\/src\/\w+\//,
    [
      /^(domain|contract|edit|media|speech)\//,
      /^server\/src\/(db|jobs|outside|http)\//,
      /^server\/src\/\w+\/actions\.ts$/,
      /^server\/src\/main\/config\.ts$/,
      outside(),
    ],
  ],
]

it('no file imports what its room may not', () => {
  const wrong: string[] = []
  for (const file of sources()) {
    const rule = may.find(([from]) => from.test(file))
    if (!rule) continue
    const room = roomOf(file)
    for (const target of importsOf(file)) {
      if (target !== file && roomOf(target) === room) continue
      if (!rule[1].some((to) => to.test(target))) wrong.push(`${file} → ${target}`)
    }
  }
  expect(wrong).toEqual([])
})

it('notifications is imported by nobody, and no folder is called utils', () => {
  const files = sources()
  const importers = files.filter(
    (file) =>
      !/^server\/src\/(main|http\/app|jobs\/registry|accounts\/personal-data)|\.test\.ts$|^server\/(test|src\/notifications)/.test(
        file,
      ) && importsOf(file).some((target) => target.startsWith('server/src/notifications/')),
  )
  expect(importers).toEqual([])
  expect(files.filter((file) => /\/(utils|helpers|shared|common|lib)\//.test(file))).toEqual([])
})

it('every command that the pages name is there', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    'ARCHITECTURE.md',
    'docs/operations.md',
    ...readdirSync(join(root, 'docs/decisions')).map((name) => `docs/decisions/${name}`),
  ]
  const named = pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => ({
      page,
      name: name!,
    })),
  )
  expect(named.filter(({ name }) => !(name in scripts))).toEqual([])
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
function outside() {
  return /^(?!domain\/|contract\/|edit\/|media\/|speech\/|server\/|web\/)[@\w]/
}

function roomOf(file: string): string {
  return file.startsWith('server/src/') ? file.split('/').slice(0, 3).join('/') : file.split('/')[0]!
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
  // Types vanish before anything runs: only values bind rooms together.
  return [
    ...text.matchAll(/^(?:import|export) (?!type\b)(?:[\w*{}\s,]+ from )?'([^'\n]+)'|\bimport\('([^']+)'\)/gm),
  ].map(([, fixed, late]) => {
    const name = fixed ?? late
    if (name!.startsWith('.')) return relative(root, resolve(root, dirname(file), name!))
    return name!.startsWith('@clear-to-post/') ? `${name!.slice(15).replace('/', '/src/')}.ts` : name!
  })
}
