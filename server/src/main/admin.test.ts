import { execFile } from 'node:child_process'
import { expect, test } from 'vitest'
import { readCommand } from './admin-command.ts'

test('the operator’s commands refuse what is no command, and names and addresses that calls refuse', () => {
  const refused =
    (...args: string[]) =>
    (words: string) =>
      expect(() => readCommand(args), args.join(' ')).toThrow(words)
  for (const name of ['constructor', '__proto__', 'toString', 'nothing']) refused(name)('Say what to do')
  const made = (email: string, name: string) => refused('create-admin', '--email', email, '--name', name)
  made('<a8>@attack.test', 'Ada')('is no e-mail address')
  made('ada@example.com', 'Evil\nName')('in one line')
  made('ada@example.com', 'x'.repeat(121))('in one line')
  refused('check', '--sample', '0')('--sample is a number')
  refused('hold-back', '--as-of', 'tomorrow')('--as-of is the moment')
  refused('disable', '--email', 'a@example.com', '--email', 'b@example.com')('--email once')
})

test('a refused command says why on its error output, and ends before it opens a database', async () => {
  const said = await new Promise<string>((resolve) =>
    execFile(process.execPath, [new URL('admin.ts', import.meta.url).pathname, 'nothing'], (_, _out, err) =>
      resolve(err),
    ),
  )
  expect(said).toContain('✗ Say what to do')
})
