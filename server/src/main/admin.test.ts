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
  for (const moment of ['tomorrow', '5', '11-26', '2026-11-26', '2026-11-26T12:00:00', '9999-01-01T00:00:00Z'])
    refused('hold-back', '--as-of', moment)('--as-of is the moment')
  expect(readCommand(['hold-back', '--as-of', '2026-11-26T12:00:00+01:00']).given['as-of']).toBe(
    '2026-11-26T12:00:00+01:00',
  )
  refused('disable-demo', '--email', 'a@example.com')('disable-demo takes no --email')
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
