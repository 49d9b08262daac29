import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** Packages whose licence stands in their files and not in their package.json. */
export const readByHand: Record<string, string> = {
  'combine-errors': 'MIT (its readme)',
  'urlsafe-base64': 'MIT (its readme)',
}

type Locked = {
  version?: string
  license?: string
  dev?: boolean
  link?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
}

/** The packages that run in production or are built into the panel, as the lock file pins them. */
export const installedPackages = () => {
  const lock = JSON.parse(readFileSync(resolve(import.meta.dirname, '../package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  return Object.entries(lock.packages)
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
    .map(([path, { version = '', license, os, cpu, libc }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      const licence = license ?? readByHand[name] ?? 'not said'
      return { path, name, version, licence, isForOneMachine: (os ?? cpu ?? libc) !== undefined }
    })
}

/** Those packages by licence: a table. */
export const packagesTable = (): string => {
  const named = installedPackages().map(({ name, version, licence }) => ({ name: `${name} ${version}`, licence }))
  const groups = [...Map.groupBy(named, ({ licence }) => licence)].sort(([a], [b]) => (a < b ? -1 : 1))
  const rows = groups.map(([licence, packages]) => {
    const names = [...new Set(packages.map(({ name }) => name))].toSorted().join(', ')
    return `| ${licence} | ${names} |`
  })
  return ['| licence | packages |', '|---|---|', ...rows].join('\n')
}

const begin = '<!-- packages: npm run docs writes what follows -->'
const end = '<!-- packages: end -->'

/** THIRD-PARTY.md with its table of packages as it is now. Throws where its marks are gone. */
export const withPackages = (page: string): string => {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error('THIRD-PARTY.md has lost the marks around its packages.')
  return `${page.slice(0, from)}${begin}\n\n${packagesTable()}\n\n${page.slice(to)}`
}
