// npm run prove -- dependencies: what the product is made of. Writes an SBOM (CycloneDX) to sbom.json, holds every licence to
// those that cost a company nothing, and asks the registry for known weaknesses of what runs in production.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { readByHand } from '../licences.ts'
import { environmentWith, npmOn } from '../node.mjs'

const root = resolve(import.meta.dirname, '../..')

/** Licences that ask for no money and leave our own code ours. A package under another one is listed with its reason. */
const free =
  'MIT MIT-0 ISC BSD-2-Clause BSD-3-Clause 0BSD Apache-2.0 BlueOak-1.0.0 CC0-1.0 Unlicense Python-2.0 OFL-1.1 Zlib'.split(
    ' ',
  )
const explained: Record<string, string> = {
  'CC-BY-4.0': 'data about browsers, named in its own package',
  'CC-BY-3.0': 'lists of licences and the like, named in their own packages',
  'MPL-2.0': 'used unchanged: its own files stay open, ours are not touched',
}
type Component = {
  name: string
  version: string
  licenses?: { license?: { id?: string; name?: string }; expression?: string }[]
}

const bom = npm(['sbom', '--sbom-format', 'cyclonedx'])
const { components } = JSON.parse(bom.stdout) as { components: Component[] }
writeFileSync(join(root, 'sbom.json'), bom.stdout)
console.log(`SBOM: ${components.length} packages, written to sbom.json`)

const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { workspaces: string[] }
const others = components.filter(({ name }) => !workspaces.includes(name))
const unknown = others.filter((one) => !(one.name in readByHand) && !licencesOf(one).some(isFree))
const counts = Map.groupBy(others, (one) => licencesOf(one).join(' or ') || 'none said')
for (const [licence, packages] of [...counts].sort((a, b) => b[1].length - a[1].length))
  console.log(
    `  ${String(packages.length).padStart(4)}  ${licence}${explained[licence] ? ` (${explained[licence]})` : ''}`,
  )
for (const { name, version } of unknown)
  console.log(`✗ ${name} ${version}: read its licence, then list it or replace it`)

const audit = npm(['audit', '--omit=dev', '--json'])
const report = readReport(audit.stdout)
const weak =
  report && Object.values(report.vulnerabilities).filter(({ severity }) => severity !== 'low' && severity !== 'info')
if (!report)
  console.log('✗ Known weaknesses: the registry that this machine reaches did not answer. Ask again from another one.')
else if (weak!.length === 0) console.log('Known weaknesses in what runs in production: none above low')
else
  for (const { name, severity, range } of weak!) console.log(`✗ ${name} ${range}: ${severity}. Update or replace it.`)

const failed = unknown.length + (weak?.length ?? 1)
console.log(`\n${failed === 0 ? 1 : 0} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

function licencesOf({ licenses = [] }: Component): string[] {
  return licenses.flatMap(({ license, expression }) =>
    (expression ?? license?.id ?? license?.name ?? '').replace(/[()]/g, '').split(' OR ').filter(Boolean),
  )
}

function isFree(licence: string): boolean {
  return licence.split(' AND ').every((one) => free.includes(one) || one in explained)
}

function readReport(
  text: string,
): { vulnerabilities: Record<string, { name: string; severity: string; range: string }> } | undefined {
  try {
    const report = JSON.parse(text) as { vulnerabilities?: Record<string, never> }
    return report.vulnerabilities ? { vulnerabilities: report.vulnerabilities } : undefined
  } catch {
    return undefined
  }
}

function npm(args: string[]) {
  const node = dirname(process.execPath)
  const [file, ...before] = npmOn(node) as [string, ...string[]]
  return spawnSync(file, [...before, ...args], {
    cwd: root,
    env: environmentWith(node),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
}
