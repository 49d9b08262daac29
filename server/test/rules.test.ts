import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

/**
 * Rules about roles and statuses stand in the domain's tables: a room of the server and the panel name no role and no number
 * of a status. What is found is told with its line; what stays is listed here with its reason.
 */
const root = resolve(import.meta.dirname, '../..')
const elsewhere = new Set(['kernel', 'outside', 'stand-ins', 'http', 'main', 'postgres', 'backup'])

/** The source of the server's rooms and of the panel, without tests and without what people read. */
const sources = (): string[] => {
  const below = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`)
  return [...below('server/src').filter((file) => !elsewhere.has(file.split('/')[2]!)), ...below('web/app')].filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\/messages\.ts$|^web\/app\/dev\//.test(file),
  )
}

/** Lines that hold what is looked for, as `file: line`. */
const linesWith = (pattern: RegExp): string[] =>
  sources().flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .filter((line) => pattern.test(line.replace(/^\s*(\/\/|\/?\*).*/, '')))
      .map((line) => `${file}: ${line.trim()}`),
  )

/** A role by name, also in SQL; the helpers that stand for several. */
const roleByName = /'(User|Editor|QA|ADMIN|SYSTEM)'|\bisStaff\b|^\s*(User|Editor|QA|ADMIN|SYSTEM): /
const rolesNamed: Record<string, string> = {
  "server/src/accounts/account-state.ts: User: 'an officer',": 'words of a mail, a row a role',
  "server/src/accounts/account-state.ts: Editor: 'an editor',": 'the same',
  "server/src/accounts/account-state.ts: QA: 'a reviewer',": 'the same',
  "server/src/accounts/account-state.ts: ADMIN: 'an admin',": 'the same',
  "server/src/assets/store.ts: and (project_id is not null or (select actor_role()) in ('SYSTEM', 'ADMIN')":
    'repeats a policy of the database in its words',
}

it('no room of the server and no page of the panel names a role', () => {
  expect(linesWith(roleByName).filter((line) => !(line in rolesNamed))).toEqual([])
  expect(Object.keys(rolesNamed).filter((line) => !linesWith(roleByName).includes(line))).toEqual([])
})

/** A status beside a digit: compared, listed, given, in TypeScript and in SQL; a table whose keys are the digits. */
const statusByNumber =
  /\b(status|statuses|to_status|\.to|\.from)\b['")\]]*\s*([!=]==?|<>|[<>]=?|=|:|(not )?in)\s*[([]?\s*[0-7]\b(?![\d.])|\b[Ss]tatus(es)?\b.*(?<![\w.\])])\[[0-7](, [0-7])*\]|(?<![\w.\])])\[[0-7](, [0-7])*\].*\b[Ss]tatus(es)?\b|^\s+[0-7]: /
const numbersNamed: Record<string, string> = {}

it('no room of the server and no page of the panel writes a status as a number', () => {
  expect(linesWith(statusByNumber).filter((line) => !(line in numbersNamed))).toEqual([])
  expect(Object.keys(numbersNamed).filter((line) => !linesWith(statusByNumber).includes(line))).toEqual([])
})

it('a role name and a status number are both found in a sample', () => {
  for (const line of [
    "if (actor.role === 'QA')",
    "p.role in ('Editor', 'ADMIN')",
    'isStaff(caller.role)',
    '  User: [videos],',
  ])
    expect(line).toMatch(roleByName)
  for (const line of [
    'where p.status = 0 and x',
    'p.status in (4, 5)',
    'status not in (2, 6)',
    'project.status === 3',
    'decision.to !== 7',
    'search: { status: 0 }',
    'const open: Status[] = [0, 1, 3]',
    '[2, 6].includes(status)',
    '  6: () => words,',
  ])
    expect(line).toMatch(statusByNumber)
  for (const line of ['status === 404', 'reply.code(status), 2', 'status: 201,'])
    expect(line).not.toMatch(statusByNumber)
})

it('calls.ts binds calls: it holds no SQL and opens no transaction', () => {
  const found = sources()
    .filter((file) => file.endsWith('/calls.ts'))
    .flatMap((file) =>
      [
        ...readFileSync(join(root, file), 'utf8').matchAll(/\bsql[`<(]|\b(asSystem|asService|inTenant|readOnly)\(/g),
      ].map(([what]) => `${file}: ${what}`),
    )
  expect(found).toEqual([])
})
