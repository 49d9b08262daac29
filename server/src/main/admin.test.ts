import { execFile } from 'node:child_process'
import { expect, test } from 'vitest'
import { openService } from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { enqueue } from '../kernel/queue.ts'
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

/** What a command says on both of its outputs. */
const said = (args: readonly string[], env: Record<string, string> = {}) =>
  new Promise<{ out: string; err: string }>((resolve) =>
    execFile(
      process.execPath,
      [new URL('admin.ts', import.meta.url).pathname, ...args],
      { env: { ...process.env, ...env } },
      (_, out, err) => resolve({ out, err }),
    ),
  )

test('a refused command says why on its error output, and ends before it opens a database', async () => {
  expect((await said(['nothing'])).err).toContain('✗ Say what to do')
  const { err } = await said(['--\u001b[31m\u202E'])
  expect(err).toContain(String.raw`'--\u001b[31m\u202e'`)
  expect(err.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u)
})

test('a job that was given up is named with its error, whose signs drive no terminal', async () => {
  const service = await openService()
  try {
    const { boss } = service.queue
    await service.database.asSystem((tx) => enqueue(tx, 'mail', { mailId: '\u009b2J' }))
    await service.database.asSystem((tx) => tx.count(sql`update pgboss.job set retry_limit = 0 where name = 'mail'`))
    for (const { id } of await boss.fetch('mail'))
      await boss.fail('mail', id, new Error('550 \u001b]0;owned\u0007 \u009b31m no such\rbox\nmore'))
    const { out, err } = await said(['given-up'], {
      DATABASE_URL: service.urls.ownerUrl,
      DATA_DIR: service.config.dataDir,
    })
    expect(err).not.toContain('✗')
    expect(out).toContain(String.raw`{"mailId":"\u009b2J"}`)
    expect(out).toContain(String.raw`550 \u001b]0;owned\u0007 \u009b31m no such\u000dbox`)
    expect(out).not.toContain('more')
    expect(out.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  } finally {
    await service.close()
  }
})
