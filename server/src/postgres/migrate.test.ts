import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { freshDatabase } from '../../test/database.ts'
import { migrate, requireMigrated } from './migrate.ts'

let directory: string
let ownerUrl: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'migrations-'))
  ownerUrl = (await freshDatabase()).ownerUrl
  // These tests bring their own migrations: the product's are put out of the way.
  await query(ownerUrl, 'DROP TABLE schema_migration')
  await write({ '0001_first.sql': 'CREATE TABLE first (id int); GRANT SELECT ON first TO clear_app;' })
})

afterEach(() => rm(directory, { recursive: true }))

test('pending migrations are applied once, and the app’s address opens', async () => {
  const { appUrl, applied } = await migrate({ ownerUrl, directory })
  expect(applied).toEqual(['0001_first.sql'])
  expect(await query(appUrl, 'SELECT current_user AS role')).toEqual([{ role: 'clear_app' }])
  await write({ '0002_second.sql': 'CREATE TABLE second (id int)' })
  expect((await migrate({ ownerUrl, directory })).applied).toEqual(['0002_second.sql'])
  expect((await migrate({ ownerUrl, directory })).applied).toEqual([])
})

test('eight servers that start at once apply each migration once', async () => {
  await write({ '0002_second.sql': 'CREATE TABLE second (id int)' })
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => migrate({ ownerUrl, directory })))
  expect(outcomes.flatMap(({ applied }) => applied).sort()).toEqual(['0001_first.sql', '0002_second.sql'])
})

test('a failed migration is undone, and the ones before it stay', async () => {
  await write({ '0002_broken.sql': 'CREATE TABLE half (id int); SELECT 1/0;' })
  await expect(migrate({ ownerUrl, directory })).rejects.toThrow(/0002_broken.sql failed, and was undone: division/)
  expect(await query(ownerUrl, `SELECT to_regclass('first') IS NOT NULL AS f, to_regclass('half') AS h`)).toEqual([
    { f: true, h: null },
  ])
})

test.each([
  ['changed', { '0001_first.sql': 'CREATE TABLE first (id bigint)' }, 'changed after it was applied'],
  ['without a number', { 'third.sql': '' }, 'should be called like'],
  ['with a number that is taken', { '0001_other.sql': '' }, 'have one number'],
  ['before an applied one', { '0000_early.sql': '' }, 'belongs to other code'],
  ['committing by itself', { '0002_commit.sql': 'CREATE TABLE x (id int); COMMIT; BEGIN;' }, 'neither COMMIT'],
])('a migration file %s is refused', async (_, files, message) => {
  await migrate({ ownerUrl, directory })
  await write(files)
  await expect(migrate({ ownerUrl, directory })).rejects.toThrow(message)
})

test('other line endings are no change of a migration', async () => {
  await write({ '0002_lines.sql': 'SELECT 1;\nSELECT 2;\n' })
  await migrate({ ownerUrl, directory })
  await write({ '0002_lines.sql': 'SELECT 1;\r\nSELECT 2;\r\n' })
  expect((await migrate({ ownerUrl, directory })).applied).toEqual([])
})

test('a database that is ahead of the code is refused', async () => {
  await migrate({ ownerUrl, directory })
  await query(ownerUrl, `INSERT INTO schema_migration (name, sha256) VALUES ('0002_future.sql', '')`)
  await expect(migrate({ ownerUrl, directory })).rejects.toThrow('ahead of this code: it has 0002_future.sql')
})

describe('code that meets a newer schema', () => {
  const older = { '0001_first.sql': 'CREATE TABLE first (id int); GRANT SELECT ON first TO clear_app;' }
  const newer = { ...older, '0002_more.sql': '-- floor: 0001\nALTER TABLE first ADD COLUMN more int' }
  const asCode = async (files: Record<string, string>) => {
    await rm(directory, { recursive: true })
    await mkdir(directory)
    await write(files)
  }

  test('runs beside the newer release while the floor allows, and changes nothing of it', async () => {
    await asCode(newer)
    const { appUrl } = await migrate({ ownerUrl, directory })
    await asCode(older)
    const finished: string[] = []
    const finish = async (url: string) => ({ movedOn: finished.push(url) > 9 })
    expect(await migrate({ ownerUrl, directory, finish })).toEqual({ appUrl, applied: [], isAhead: true })
    expect(finished).toEqual([])
    await requireMigrated(appUrl, directory)
  })

  test('is refused with the floor in the message when one newer migration demands newer code', async () => {
    await asCode({ ...newer, '0003_less.sql': 'ALTER TABLE first DROP COLUMN id' })
    const { appUrl } = await migrate({ ownerUrl, directory })
    await asCode(older)
    const words = 'ahead of this code: it has 0003_less.sql. Start the newer version again. (Code that has 0003 may'
    await expect(migrate({ ownerUrl, directory })).rejects.toThrow(words)
    await expect(requireMigrated(appUrl, directory)).rejects.toThrow(words)
  })

  test('is refused when the newer release moved on what stands beside the migrations', async () => {
    await asCode(newer)
    await migrate({ ownerUrl, directory, finish: async () => ({ movedOn: true }) })
    await asCode(older)
    await expect(migrate({ ownerUrl, directory })).rejects.toThrow('Code that has 0002 may still run')
  })

  test('is told to migrate first when the schema is older, and changes nothing', async () => {
    const { appUrl } = await migrate({ ownerUrl, directory })
    await asCode(newer)
    await expect(requireMigrated(appUrl, directory)).rejects.toThrow(
      'lacks 1 of this code’s migrations (0002_more.sql)',
    )
    await query(ownerUrl, 'DROP TABLE schema_migration')
    await expect(requireMigrated(appUrl, directory)).rejects.toThrow(
      'lacks 2 of this code’s migrations (0001_first.sql)',
    )
  })

  test('finds the record of a release that knew no floors as demanding as before', async () => {
    await asCode(newer)
    const { appUrl } = await migrate({ ownerUrl, directory })
    await query(ownerUrl, 'ALTER TABLE schema_migration DROP COLUMN floor')
    await asCode(older)
    await expect(requireMigrated(appUrl, directory)).rejects.toThrow('ahead of this code')
    await asCode(newer)
    await requireMigrated(appUrl, directory)
    expect((await migrate({ ownerUrl, directory })).applied).toEqual([])
  })
})

test('a migration with a floor above itself is refused', async () => {
  await write({ '0002_high.sql': '-- floor: 0003\nSELECT 1' })
  await expect(migrate({ ownerUrl, directory })).rejects.toThrow('0002_high.sql has a floor above itself')
})

test('a server makes what else belongs to the schema within its turn', async () => {
  const order: string[] = []
  const finish = (name: string) => async () => {
    order.push(`${name} begins`)
    await query(ownerUrl, 'SELECT pg_sleep(0.05)')
    order.push(`${name} ends`)
    return { movedOn: false }
  }
  await Promise.all(['a', 'b', 'c'].map((name) => migrate({ ownerUrl, directory, finish: finish(name) })))
  for (let at = 0; at < 6; at += 2) expect(order[at + 1]).toBe(order[at]!.replace('begins', 'ends'))
})

test('a migration waits for a table in use with short locks', async () => {
  await migrate({ ownerUrl, directory })
  await write({ '0002_alter.sql': 'ALTER TABLE first ADD COLUMN more int' })
  const reader = new pg.Client({ connectionString: ownerUrl })
  await reader.connect()
  await reader.query('BEGIN; SELECT * FROM first')
  const lines: string[] = []
  const migrated = migrate({ ownerUrl, directory, log: (line) => void lines.push(line) })
  await expect.poll(() => lines).toContain('0002_alter.sql met a busy table: trying again')
  await reader.end()
  expect((await migrated).applied).toEqual(['0002_alter.sql'])
})

test('an app role that owns tables is refused', async () => {
  await expect(migrate({ ownerUrl, appUrl: ownerUrl, directory })).rejects.toThrow('owns tables')
})

async function write(files: Record<string, string>) {
  for (const [name, sql] of Object.entries(files)) await writeFile(join(directory, name), sql)
}

async function query(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
