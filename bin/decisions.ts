import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const folder = resolve(import.meta.dirname, '../docs/decisions')

/** A page of docs/decisions. `status` is "accepted" where no line says otherwise; `later` are the numbers it names. */
export type Decision = { file: string; number: number; title: string; status: string; later: number[] }

/** Every decision, oldest first. Throws with the file's name where its heading or its status cannot be read. */
export const decisions = (): Decision[] =>
  readdirSync(folder)
    .filter((file) => /^\d{4}-.+\.md$/.test(file))
    .toSorted()
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      const [, number, title] = /^# (\d+)\. (.+)\n\n/.exec(text) ?? []
      if (Number(number) !== Number(file.slice(0, 4)))
        throw new Error(`${file}: the first line is "# ${Number(file.slice(0, 4))}. Title", then an empty line.`)
      const [, status = 'accepted'] = /^Status: (.+)$/m.exec(text) ?? []
      if (!/^(accepted|(superseded|changed) by \d+(, \d+)*)$/.test(status))
        throw new Error(`${file}: a status is "superseded by 12" or "changed by 12, 13".`)
      const later = [...status.matchAll(/\d+/g)].map(([one]) => Number(one))
      return { file, number: Number(number), title: title!, status, later }
    })

/** The index, docs/decisions/README.md. */
export const decisionsPage = (): string => {
  const all = decisions()
  const fileOf = new Map(all.map(({ number, file }) => [number, file]))
  const linked = (status: string) =>
    status.replace(/\d+/g, (number) => `[${number}](${fileOf.get(Number(number)) ?? 'missing'})`)
  return `# Decisions

Why things are as they are. Each page says what was decided, why, and what was left. A number is a name: it says when,
roughly, and nothing else; numbers that are missing were never used. \`npm run docs\` writes this page.

A decision that no longer holds says \`Status: superseded by 12\` in its third line; one of which a part no longer holds,
\`Status: changed by 12\`. All others are accepted.

| | decision | status |
|---|---|---|
${all.map(({ number, file, title, status }) => `| ${number} | [${title}](${file}) | ${linked(status)} |`).join('\n')}
`
}
