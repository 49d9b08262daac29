import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseSync } from 'vite'
import { expect, it } from 'vitest'

/**
 * Rules about roles and statuses stand in the domain's tables: the server and the panel name no role and no number of a status,
 * and a right is answered as an action. What is found is told with its line; what stays is listed here with its reason.
 */
const root = resolve(import.meta.dirname, '../..')

/** The TypeScript of a folder, without tests and without what people read. */
const below = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\/messages\.ts$|^web\/app\/dev\//.test(file))

/** The source of the whole server and of the browser's side. */
const sources = (): string[] => [...below('server/src'), ...below('web/app')]

/** Lines of these files that hold what is looked for, as `file: line`. */
const matching = (files: readonly string[], pattern: RegExp): string[] =>
  files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .filter((line) => pattern.test(line.replace(/^\s*(\/\/|\/?\*).*/, '')))
      .map((line) => `${file}: ${line.trim()}`),
  )
const linesWith = (pattern: RegExp): string[] => matching(sources(), pattern)

/** A role by name, also in SQL; the helpers that stand for several. */
const roleByName = /'(User|Editor|QA|ADMIN|SYSTEM)'|\bisStaff\b|^\s*(User|Editor|QA|ADMIN|SYSTEM): /
const rolesNamed: Record<string, string> = {
  "server/src/assets/store.ts: and (project_id is not null or (select actor_role()) in ('SYSTEM', 'ADMIN')":
    'repeats a policy of the database in its words',
  "server/src/main/admin.ts: const person = await createPerson(tx, { email, name, role: 'ADMIN', password })":
    'a command that makes an admin',
  "server/src/main/demo/people.ts: role: 'User',": 'people of the demo, a role each',
  "server/src/main/demo/people.ts: editor: { email: 'editor@demo.test', name: 'Eli Brandt', role: 'Editor' },":
    'the same',
  "server/src/main/demo/people.ts: qa: { email: 'qa@demo.test', name: 'Quinn Avery', role: 'QA' },": 'the same',
  "server/src/main/demo/people.ts: company: { email: 'company@demo.test', name: 'Mara Quill', role: 'ADMIN', company: 'harbor' },":
    'the same',
  "server/src/main/demo/people.ts: admin: { email: 'admin@demo.test', name: 'Ada Moreno', role: 'ADMIN' },": 'the same',
}

it('nothing of the server and no page of the panel names a role', () => {
  expect(linesWith(roleByName).filter((line) => !(line in rolesNamed))).toEqual([])
  expect(Object.keys(rolesNamed).filter((line) => !linesWith(roleByName).includes(line))).toEqual([])
})

/** A status beside a digit: compared, listed, given, in TypeScript and in SQL; a table whose keys are the digits. */
const statusByNumber =
  /\b(status|statuses|to_status|\.to|\.from)\b['")\]]*\s*([!=]==?|<>|[<>]=?|=|:|(not )?in)\s*[([]?\s*[0-7]\b(?![\d.])|\b[Ss]tatus(es)?\b.*(?<![\w.\])])\[[0-7](, [0-7])*\]|(?<![\w.\])])\[[0-7](, [0-7])*\].*\b[Ss]tatus(es)?\b|^\s+[0-7]: |\bstatus:(eq|in|neq|nin|\w+):\d/
const numbersNamed: Record<string, string> = {}

it('nothing of the server and no page of the panel writes a status as a number', () => {
  expect(linesWith(statusByNumber).filter((line) => !(line in numbersNamed))).toEqual([])
  expect(Object.keys(numbersNamed).filter((line) => !linesWith(statusByNumber).includes(line))).toEqual([])
})

/** A right that is answered as a boolean: the words for a disabled button, and the rule behind it, would stand elsewhere. */
const booleanRight = /\b((may|can|could|allows)[A-Z]\w*|is\w*(Allowed|Permitted)): z\.boolean\(/
const rightsNamed: Record<string, string> = {
  'contract/src/projects.ts: returns: z.object({ canCreate: z.boolean() }),': 'the specification names this answer',
}

it('a right is answered as an action, never as a boolean', () => {
  const found = matching(below('contract/src'), booleanRight)
  expect(found.filter((line) => !(line in rightsNamed))).toEqual([])
  expect(Object.keys(rightsNamed).filter((line) => !found.includes(line))).toEqual([])
  for (const line of ['mayWrite: z.boolean(),', 'canPay: z.boolean().optional(),', 'isDownloadAllowed: z.boolean(),'])
    expect(line).toMatch(booleanRight)
})

/** Whether somebody serves one company or all: what follows from it for their rights is a row of the domain. */
const tenantless = /tenantId (===|!==) (undefined|null)/
const tenantlessNamed: Record<string, string> = {
  'web/app/panel/accounts/editors.ts: editors.filter((one) => !one.isDisabled && (one.tenantId === undefined || one.tenantId === tenantId))':
    'which of the others are offered, not what this person may do',
  'web/app/panel/profile/brand-form.tsx: const company = useQuery({ ...myTenant, enabled: user.tenantId !== undefined }).data?.preferences':
    'there is a company to ask for',
  'web/app/panel/projects/new-video-page.tsx: const company = useQuery({ ...myTenant, enabled: user.tenantId !== undefined }).data?.preferences':
    'the same',
  'web/app/panel/reports/parts-card.tsx: ...(tenantId === undefined ? {} : { tenantId }),':
    'the company that the page asks about',
  "web/app/panel/shell.tsx: if (user.tenantId === undefined && onDevice.read('brand') !== null)": 'whose colours',
  'web/app/panel/shell.tsx: useUser().tenantId === undefined ? (': 'whose logo',
  'web/app/panel/triggers/who-fields.tsx: {tenantId === undefined ? (': 'which companies there are to choose from',
}

it('no page of the panel decides by the company of who is signed in', () => {
  const found = matching(
    sources().filter((file) => file.startsWith('web/')),
    tenantless,
  )
  expect(found.filter((line) => !(line in tenantlessNamed))).toEqual([])
  expect(Object.keys(tenantlessNamed).filter((line) => !found.includes(line))).toEqual([])
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
    "wheres: ['status:in:1,3,4']",
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

/** What is printed goes by `terminal.ts`, is our own question, or a stand-in's word for the program that has started it. */
const printed = [
  "server/src/main/admin.ts: if (hidden) process.stdout.write('Password (12 characters or more): ')",
  "server/src/main/admin.ts: if (hidden) process.stdout.write('\\n')",
  'server/src/main/terminal.ts: export const print = (text: string): void => console.log(forTerminal(text))',
  'server/src/main/terminal.ts: export const printError = (text: string): void => console.error(forTerminal(text))',
  "server/src/stand-ins/networks/program.ts: console.log(`listening on http://127.0.0.1:${typeof address === 'object' ? address?.port : port}`)",
]

it('a command writes to the terminal by what lets nothing drive it', () => {
  const lines = matching(below('server/src'), /\bconsole\.|\bprocess\.std(out|err)\.write/)
  expect(lines.toSorted()).toEqual(printed.toSorted())
})

it('words of npm, compilers and package managers about a failed step drive no terminal', () => {
  const programs = readdirSync(join(root, 'bin'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => `bin/${name}`)
  const printed = matching(programs, /\bconsole\.\w+\(.*\b(message|output)\b|\bconsole\.\w+\(error\b/)
  expect(printed.length).toBeGreaterThan(2)
  expect(printed.filter((line) => !line.includes('forTerminal('))).toEqual([])
})

/** The regular expressions that a file of ours holds. */
const expressionsIn = (file: string): string[] => {
  const found: string[] = []
  const read = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, regex } = node as { type?: string; regex?: { pattern: string } | null }
    if (type === 'Literal' && regex) found.push(regex.pattern)
    for (const value of Object.values(node)) read(value)
  }
  read(parseSync(file, readFileSync(join(root, file), 'utf8')).program)
  return found
}

/** The alternatives of an expression: parted by the bars that stand in no brackets. */
const alternativesOf = (expression: string): string[] => {
  const all = ['']
  let depth = 0
  for (const [part] of expression.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|./gsu)) {
    depth += part === '(' ? 1 : part === ')' ? -1 : 0
    if (part === '|' && depth === 0) all.push('')
    else all[all.length - 1] += part
  }
  return all
}

/** One that looks for the end of a run from each of its signs: of a text that is all such signs but its last it asks them all for each. */
const isOfEachSign = (alternative: string): boolean =>
  /(?<!\\)[+*]\$$/.test(alternative) && !/^\^|\(\?<[!=]/.test(alternative)

/** One that begins with a run and wants more after it: of a text that is all such signs it reads on to their end from each. */
const beginsWithRun = (alternative: string): boolean =>
  /^\(?(?:\\p\{\w+\}|\\.|\[(?:\\.|[^\]\\])*\]|[^\\[(^])[+*](?!\)*$)/u.test(alternative)

/** What stays, and why it asks no sign twice. */
const ofShortTexts: Record<string, string> = {
  'server/src/outside/push/browsers.ts: [^\\s<>]+@[^\\s<>]+': 'what the operator sets as the sender of mails',
  'server/src/kernel/network.ts: :\\d+$': 'a colon, which is no digit, begins it',
  'server/src/kernel/network.ts: \\d+$': 'the end of an IPv4 address',
}

it('no text keeps the one thread busy: a run of signs is read from its beginning alone', () => {
  const files = ['server', 'contract', 'domain', 'edit', 'media', 'speech'].flatMap((room) => below(`${room}/src`))
  const found = files.flatMap((file) =>
    expressionsIn(file)
      .filter((expression) => alternativesOf(expression).some((one) => isOfEachSign(one) || beginsWithRun(one)))
      .map((expression) => `${file}: ${expression}`),
  )
  expect(found.toSorted()).toEqual(Object.keys(ofShortTexts).toSorted())
})

/** Of a text of some thousand letters that nearly holds what is looked for all along, LIKE reads the whole of it at each letter. */
const searchedByLike = /\bi?like\s*\$\{/i
const likesNamed: Record<string, string> = {
  'server/src/kernel/page.ts: return sql`${column} ilike ${`${escapeLike(value)}%`}`': 'from the beginning alone',
  'server/src/kernel/page.ts: return some(sql`word ilike ${`${escapeLike(value)}%`}`)': 'the same',
  'server/src/notifications/personal-data.ts: of: (personId) => sql`exists (select from unnest(t.error_list) as words where words like ${`${personId}: %`})`,':
    'the same',
  'server/src/assets/personal-data.ts: and a.file_name not like ${patternsOf([erasedName])[0]!.slice(1)}`)': 'the same',
}

it('words that people look for within texts are found by `holds`, which reads each text once', () => {
  const lines = matching(below('server/src'), searchedByLike)
  expect(lines.filter((line) => !(line in likesNamed))).toEqual([])
  expect(Object.keys(likesNamed).filter((line) => !lines.includes(line))).toEqual([])
})

it('nothing among the backups is removed by a path with all below it: who writes there may lead it elsewhere', () => {
  const removed = matching(below('server/src/backup'), /\b(rm|rmSync|rmdir|rmdirSync)\(.*recursive/)
  expect(removed.map((line) => `${line}: use removeFolder (server/src/backup/remove.ts, decision 952)`)).toEqual([])
})

it('no thread is given the environment, where secrets are', () => {
  const begun = ['server', 'media', 'speech']
    .flatMap((room) => below(`${room}/src`))
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split(/\bnew Worker\(/)
        .slice(1)
        .map((call) => ({ file, call })),
    )
  expect(begun.length).toBeGreaterThanOrEqual(3)
  expect(begun.filter(({ call }) => !/^[^;]*?\benv: \{\}/.test(call)).map(({ file }) => file)).toEqual([])
})

/** What a save names of the thing it was made from. */
const moments = new Set(['version', 'modified', 'revision', 'seq', 'was', 'lastMessageId'])

/** Where a form keeps what it was begun with, and what was shown of it since a save was refused. */
const begunWith = /^(from|now|draft)\b/

/** What else is sent, and why it is what the person had in sight. */
const otherMoments: Record<string, string> = {
  'web/app/panel/board/bulk-bar.tsx: seq: project.seq': 'one press, about the cards that were ticked',
  'web/app/panel/board/use-moves.ts: seq: project.seq': 'one press, about the card in sight',
  'web/app/panel/catalogue/product-menu.tsx: version: product.version':
    'one press, about the product in sight; its undo is made from its own answer',
  'web/app/panel/edits/render-panel.tsx: revision': 'the answer of the save before it',
  'web/app/panel/edits/use-bench.ts: revision': 'kept with the work in hand, and moved on by a conflict alone',
  'web/app/panel/feedback/criteria-form.tsx: revision: fresh.revision': 'an undo, made from the answer of its save',
  'web/app/panel/notes/notes.tsx: modified: note.modified': 'asked about as it was when the question was opened',
  'web/app/panel/project/act.ts: revision': 'the words of what is asked for',
  'web/app/panel/project/act.ts: seq':
    'one press, or a question that holds the video as it was asked; what is said of a cut names it',
  'web/app/panel/publishing/use-move.ts: seq': 'what was in sight as the card was taken up',
  'web/app/panel/support/bulk-close.tsx: lastMessageId: thread.lastMessageId': 'as it was when it was chosen',
  'web/app/panel/support/thread-page.tsx: lastMessageId': 'one press, beside all that was said',
}

type Node = { type: string; start: number; end: number } & Record<string, unknown>

/** What these properties are given within the `body` and `query` of calls in a source, as it is written there. */
const momentsIn = (file: string, source: string): string[] => {
  const found: string[] = []
  const read = (value: unknown, isSent: boolean): void => {
    if (typeof value !== 'object' || value === null) return
    const node = value as Node
    if (node.type === 'ObjectPattern') return
    const name = node.type === 'Property' ? (node['key'] as { name?: string }).name : undefined
    if (name !== undefined && isSent && moments.has(name)) found.push(source.slice(node.start, node.end))
    const goesOut = isSent || name === 'body' || name === 'query'
    for (const part of Object.values(node)) read(part, goesOut)
  }
  read(parseSync(file, source).program, false)
  return found
}

/** A source in which what a form began with is what is read of it now. */
const heldByNothing = /\bconst (?:from|now|draft)(?:: [^=]+)? = (?!useState|useDraft|useWritten|useMeanwhile)/
const isLive = (text: string): boolean => !begunWith.test(text.split(': ')[1] ?? text)

it('a save names what its form was begun with, never what is read of it by then', () => {
  const files = below('web/app/panel')
  const found = files.flatMap((file) =>
    momentsIn(file, readFileSync(join(root, file), 'utf8'))
      .filter(isLive)
      .map((text) => `${file}: ${text}`),
  )
  expect([...new Set(found)].toSorted()).toEqual(Object.keys(otherMoments).toSorted())
  // `was` is made in one place, from what the form was begun with; an undo goes back to that.
  const made = files.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8')
    if (!source.includes('ui/changes-of.ts')) return []
    return [...source.matchAll(/\bchangesOf(?:<\w+>)?\((?!from\b)\w+, ([^,)]+)/g)]
      .filter(([, from]) => !begunWith.test(from!))
      .map(([text]) => `${file}: ${text}`)
  })
  expect(made).toEqual([])
  const naming = files.filter((file) => {
    const source = readFileSync(join(root, file), 'utf8')
    return source.includes('ui/changes-of.ts') || momentsIn(file, source).some((text) => !isLive(text))
  })
  expect(naming.length).toBeGreaterThan(5)
  expect(matching(naming, heldByNothing)).toEqual([])
})

it('a save that names what is read by then is found in a sample', () => {
  const sent = (value: string) => momentsIn('a.ts', `change.mutate({ body: { title, ${value} } })`).filter(isLive)
  expect(sent('version: product.version')).toEqual(['version: product.version'])
  expect(sent('...(trigger && { modified: trigger.modified })')).toEqual(['modified: trigger.modified'])
  expect(sent('version: now.version, was: from')).toEqual([])
  expect('  const from = formOf(product)').toMatch(heldByNothing)
  expect('  const [from] = useState(formOf(product))').not.toMatch(heldByNothing)
})
