import { expect, it } from 'vitest'
import { faultsOfMigrations, fixtureList, migrationList, migrationsNow, packed, readList } from './releases.ts'

it('released migrations are unchanged, and new ones have higher numbers', async () => {
  const released = await readList(migrationList)
  expect(released.length).toBeGreaterThanOrEqual(19)
  expect(faultsOfMigrations(released, await migrationsNow())).toEqual([])
})

it('a released migration that changes, is gone or is overtaken is named', () => {
  const one = { name: '0001_one.sql', sha256: 'a' }
  const three = { name: '0003_three.sql', sha256: 'c' }
  const released = [one, three]
  expect(faultsOfMigrations(released, [one, three, { name: '0004_four.sql', sha256: 'd' }])).toEqual([])
  expect(faultsOfMigrations(released, [one, { ...three, sha256: 'x' }]).join()).toMatch(
    /^0003_three.sql was released and changed/,
  )
  expect(faultsOfMigrations(released, [three]).join()).toMatch(/^0001_one.sql was released and is gone/)
  expect(faultsOfMigrations(released, [one, { name: '0002_two.sql', sha256: 'b' }, three]).join()).toMatch(
    /^0002_two.sql is new and stands before 0003_three.sql/,
  )
})

it('the database dumps of earlier releases are unchanged', async () => {
  expect(await packed()).toEqual(await readList(fixtureList))
})
