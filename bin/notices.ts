import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { installedPackages, readByHand } from './licences.ts'

/**
 * docs/generated/notices.txt: the notices and licence texts of what runs in production or is built into the panel, fonts and
 * emoji included. Packages whose texts differ only in whose copyright it is share one text, below the notice of each.
 */
export const noticesText = (): string => {
  const works: Work[] = [...ownCopies(), ...installedPackages().flatMap(workOf)]
  const groups = [...Map.groupBy(works, ({ body }) => comparable(body)).values()].toSorted((a, b) =>
    (a[0]!.licence + a[0]!.name).localeCompare(b[0]!.licence + b[0]!.name, 'en'),
  )
  return [heading, ...groups.map(groupText)].join(`\n${'='.repeat(80)}\n\n`)
}

/** One work of others: what it is called, under which licence, whose it is, and the text beneath. */
type Work = { name: string; licence: string; notices: string[]; body: string }

const root = resolve(import.meta.dirname, '..')
const heading = `Notices and licence texts of what others made (THIRD-PARTY.md says where each is used).

npm run docs writes this file from the texts that the packages carry. Builds of a package for one kind of machine
(@rolldown/binding-linux-x64-gnu) stand under the notice of the package that asks for them.
`

const groupText = (works: readonly Work[]): string => {
  const whose = works.map(({ name, licence, notices }) => [`${name} (${licence})`, ...notices].join('\n    '))
  return `${whose.join('\n')}\n\n${works[0]!.body}\n`
}

/** Fonts and emoji, whose texts lie beside our copies of them. */
const ownCopies = (): Work[] =>
  Object.entries({
    'Geist, the font': ['OFL-1.1', 'web/app/faces/geist.LICENSE'],
    'Funnel Display, the font': ['OFL-1.1', 'web/app/faces/funnel-display.LICENSE'],
    'Fluent Emoji': ['MIT', 'edit/emoji/LICENSE'],
  } as const).map(([name, [licence, file]]) => ({ name, licence, ...parted(readFileSync(join(root, file), 'utf8')) }))

const textName = /^(licen[cs]e|copying|notice|unlicense|copyright)/i

/** What a package says of itself. None for one that npm did not install, because it is for another kind of machine. */
const workOf = ({
  path,
  name,
  version,
  licence,
  isForOneMachine,
}: ReturnType<typeof installedPackages>[number]): Work[] => {
  const folder = join(root, path)
  if (isForOneMachine || !existsSync(folder)) return []
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name: file }) => file)
    .toSorted()
  const texts = files.filter((file) => textName.test(file)).map((file) => readFileSync(join(folder, file), 'utf8'))
  const readme = files.find((file) => /^readme/i.test(file))
  const granted =
    readme && /Copyright[^\n]*\n+Permission is hereby granted[\s\S]*/.exec(readFileSync(join(folder, readme), 'utf8'))
  const own = texts.length > 0 ? texts.join('\n\n') : granted?.[0]
  const work = { name: `${name} ${version}`, licence }
  if (own !== undefined) return [{ ...work, ...parted(own) }]
  const { author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    author?: string | { name: string }
  }
  const whose = (typeof author === 'string' ? author : author?.name)?.replace(/ <.*/, '')
  return [
    {
      ...work,
      notices: whose ? [`by ${whose}`] : [],
      body: `These carry no text: ${readByHand[name] ?? 'their package.json names the licence'}.`,
    },
  ]
}

/** A text without its title and without the lines that say whose it is. A collection of texts stays as it is. */
const parted = (text: string): Pick<Work, 'notices' | 'body'> => {
  if (text.length > 20_000) return { notices: [], body: text.trim() }
  const lines = text
    .replaceAll('\r', '')
    .replaceAll(/[ \t]+$/gm, '')
    .split('\n')
  const isNotice = (line: string) => /^\W*(copyright|\(c\)|©).*(\d{4}|\(c\)|©)/i.test(line) && line.length < 160
  const isTitle = (line: string) =>
    /^\W*(the )?[\w. -]*\(?(MIT|ISC|BSD|BlueOak)[^.]*licen[cs]e\)?[^.]{0,20}$/i.test(line) && line.length < 60
  const body = lines.filter((line) => !isNotice(line) && !isTitle(line)).join('\n')
  return {
    notices: [...new Set(lines.filter(isNotice).map((line) => line.replace(/^\W*(?=copyright|\(c\)|©)/i, '').trim()))],
    body: body.replaceAll(/\n{3,}/g, '\n\n').trim(),
  }
}

const comparable = (text: string): string => text.toLowerCase().replaceAll(/\W+/g, ' ')
