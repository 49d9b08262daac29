import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readMigrations } from '../src/postgres/migrate.ts'
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

/**
 * Migrations since the last release that raise the floor (decision 460): from each on, code of before is refused. A number that
 * stands here has to be in the changelog, where operators read that hosts of before are stopped first.
 */
const raising = async (): Promise<string[]> => {
  const released = (await readList(migrationList)).at(-1)!.name
  let highest = ''
  return (await readMigrations()).flatMap(({ name, floor }) => {
    const raises = floor > highest
    if (raises) highest = floor
    return raises && name > released ? [name] : []
  })
}

/** Migrations without a line that says their floor, which demands the newest code, and why they stay so: an applied file does. */
const withoutFloor = {
  '0280_support.sql':
    'older code does not know the kind `support` of notifications, at which its pages and jobs would stop',
  '0296_letters_after_questions.sql': 'forgotten; older code would run beside it',
}

it('each migration since the last release says its floor, or demands the newest code for a reason', async () => {
  const released = (await readList(migrationList)).at(-1)!.name
  const silent = (await readMigrations()).filter(({ name, sql }) => name > released && !sql.startsWith('-- floor: '))
  expect(silent.map(({ name }) => name)).toEqual(Object.keys(withoutFloor))
})

it('each migration that refuses older code beside it stands in the changelog, in an operators’ part', async () => {
  const changelog = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8')
  const forOperators = [...changelog.matchAll(/\*\*For operators\*\*\n([^]*?)(?=\n\*\*|\n## |$)/g)].map(
    ([, text]) => text,
  )
  const numbers = new Set(forOperators.flatMap((text) => text!.match(/\b\d{4}\b/g) ?? []))
  const found = await raising()
  // 0280 was found by hand; the others are its sisters.
  expect(found).toContain('0280_support.sql')
  const untold = found.filter((name) => !numbers.has(name.slice(0, 4)))
  expect(untold, 'say in CHANGELOG.md, For operators, that older code is refused from this migration on').toEqual([])
})

/** Released migrations that change rows and do not say who asks, and why they may. */
const asNobody = {
  '0004_sign_in.sql': 'prompt had no row-level security yet',
  '0010_accounts.sql': 'service_secret had no row-level security yet',
  '0015_payments.sql': 'payment_round had no row-level security yet',
  '0046_edit_authors.sql': 'filled by 0181',
  '0099_paid_periods.sql':
    'the daily reading of every subscription fills it (reconcile in server/src/subscriptions/mirror.ts)',
  '0101_chunks_of_a_revision.sql': 'what was made ahead without it is made anew',
  '0179_what_went_back_elsewhere.sql': 'filled by 0181',
}

it('migrations that change rows say that the service asks: row-level security shows nobody’s rows to nobody', async () => {
  const silent = (await readMigrations()).filter(({ sql }) => changesAsNobody(sql).length > 0)
  expect(silent.map(({ name }) => name)).toEqual(Object.keys(asNobody))
})

it('a change of rows before or after the service is named is found, in a function it is not', () => {
  const [asService, asBefore] = [
    `select set_config('app.role', 'SYSTEM', true);`,
    `select set_config('app.role', '', true);`,
  ]
  expect(changesAsNobody(`update person set name = '';`)).toEqual([`update person set name = ''`])
  expect(changesAsNobody(`${asService} update person set name = '';${asBefore}`)).toEqual([])
  expect(
    changesAsNobody(`${asService}${asBefore}\n-- All of them.\nwith old as (select) delete from person;`),
  ).toHaveLength(1)
  expect(changesAsNobody(`create function f() as $$ begin delete from person; end $$;`)).toEqual([])
  expect(changesAsNobody(`do $$ begin delete from person; end $$;`)).toHaveLength(1)
})

/** Statements that change rows while nobody is named who asks; bodies of functions run later, for whoever calls them. */
function changesAsNobody(text: string): string[] {
  const statements = text
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\$(\w*)\$.*?\$\1\$/gs, (body) => body.replaceAll(';', ' '))
    .split(';')
    .map((one) => one.trim())
  let isNamed = false
  return statements.filter((one) => {
    const role = /set_config\('app\.role', '(\w*)'/.exec(one)?.[1]
    if (role !== undefined && !/^create/i.test(one)) isNamed = role !== ''
    return !isNamed && /^(insert|update|delete|merge|with|do)\b/i.test(one)
  })
}
