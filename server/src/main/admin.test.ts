import { execFile } from 'node:child_process'
import { expect, test } from 'vitest'

/** What the operator's command answers on its error output; it ends before it opens a database. */
const refused = (...args: string[]) =>
  new Promise<string>((resolve) =>
    execFile(process.execPath, [new URL('admin.ts', import.meta.url).pathname, ...args], (_, _out, err) =>
      resolve(err),
    ),
  )

test('the operator’s commands refuse what is no command, and names and addresses that calls refuse', async () => {
  for (const name of ['constructor', '__proto__', 'toString', 'nothing'])
    expect(await refused(name), name).toContain('Say what to do')
  const made = (email: string, name: string) => refused('create-admin', '--email', email, '--name', name)
  expect(await made('<a8>@attack.test', 'Ada')).toContain('is no e-mail address')
  expect(await made('ada@example.com', 'Evil\nName')).toContain('in one line')
  expect(await made('ada@example.com', 'x'.repeat(121))).toContain('in one line')
  expect(await refused('check', '--sample', '0')).toContain('--sample is a number')
  expect(await refused('hold-back', '--as-of', 'tomorrow')).toContain('--as-of is the moment')
  expect(await refused('disable', '--email', 'a@example.com', '--email', 'b@example.com')).toContain('--email once')
})
