// npm run pack:contract: makes the contract a package that any Node program can install (contract/dist).
// Node strips types only outside node_modules, so what is published is JavaScript with declarations beside it.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'

const root = resolve(import.meta.dirname, '..')
const out = resolve(root, process.argv[2] ?? 'contract/dist')
const { version, dependencies } = JSON.parse(readFileSync(join(root, 'contract/package.json'), 'utf8')) as {
  version: string
  dependencies: Record<string, string>
}
const rooms = sourcesIn('contract/src')

rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })

const bundle = await rolldown({ input: rooms.map((file) => join(root, 'contract/src', file)), external: ['zod'] })
await bundle.write({ dir: out, format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'shared/[name].js' })

const declarations = join(out, 'types')
execFileSync(
  process.execPath,
  [
    [
      join(root, 'node_modules/.bin/tsc'),
      '--ignoreConfig',
      '--declaration',
      '--emitDeclarationOnly',
      '--noEmit',
      'false',
    ],
    ['--outDir', declarations, '--rootDir', root, '--lib', 'es2024,dom', '--strict', '--skipLibCheck'],
    ['--target', 'es2024', '--module', 'nodenext', '--moduleResolution', 'nodenext'],
    ['--allowImportingTsExtensions', '--rewriteRelativeImportExtensions'],
    rooms.map((file) => join(root, 'contract/src', file)),
    sourcesIn('domain/src').map((file) => join(root, 'domain/src', file)),
  ].flat(),
  { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
)
// The rules the shapes are made of travel along; nobody has to install a second package for them.
for (const file of readdirSync(join(declarations, 'contract/src'))) {
  const path = join(declarations, 'contract/src', file)
  writeFileSync(path, readFileSync(path, 'utf8').replace(/@clear-to-post\/domain\/([\w-]+)/g, '../../domain/src/$1.js'))
}

writeFileSync(
  join(out, 'package.json'),
  `${JSON.stringify(
    {
      name: '@clear-to-post/contract',
      version,
      description: 'The API of Clear to Post: every call with its shapes, and a typed client',
      type: 'module',
      exports: { './*': { types: './types/contract/src/*.d.ts', default: './*.js' } },
      dependencies: { zod: dependencies.zod },
      engines: { node: '>=20' },
    },
    null,
    2,
  )}\n`,
)
console.log(`Packed ${rooms.length} rooms of the contract`)

function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder)).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
}
