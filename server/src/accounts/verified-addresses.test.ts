import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { expect, test } from 'vitest'
import { freshDatabase } from '../../test/database.ts'
import { migrate } from '../db/migrate.ts'

const migrations = fileURLToPath(new URL('../../migrations', import.meta.url))

test('people who were here before count as verified where there is evidence, and nobody else', async () => {
  const { ownerUrl, superuserUrl } = await freshDatabase()
  const before = await mkdtemp(join(tmpdir(), 'migrations-before-'))
  const client = new pg.Client({ connectionString: superuserUrl })
  try {
    for (const name of await readdir(migrations))
      if (name < '0040') await cp(join(migrations, name), join(before, name))
    await client.connect()
    await client.query('drop schema public cascade; create schema public authorization clear_owner')
    await migrate({ ownerUrl, directory: before })
    await client.query(`
      insert into person (email, name, role, created_at)
        select local || '@old.test', local, case local when 'editor' then 'Editor' else 'User' end, now() - interval '1 month'
        from unnest(array['editor', 'google', 'planted', 'redeemed', 'unredeemed', 'reset', 'moved', 'reset-by-who-had-it-before', 'never']) local;
      insert into person (email, name, role) values ('officer@demo.test', 'Demo', 'User'), ('removed@old.test', 'R', 'Editor');
      update person set removed_at = now() where email = 'removed@old.test';
      insert into seeded (step) values ('people');
      insert into connected_account (issuer, subject, person_id, provider, email, connected_at)
        select 'https://accounts.google.com', name, id, 'google', email,
          case name when 'google' then created_at else created_at + interval '1 second' end
        from person where name in ('google', 'planted');
      insert into one_time_token (hash, purpose, person_id, email, ends_at, redeemed_at)
        select sha256(name::bytea), 'password', id, email, now(), case name when 'redeemed' then now() end
        from person where name in ('redeemed', 'unredeemed');
      insert into mail (key, recipient, template, data, created_at) values
        ('1', 'reset@old.test', 'passwordChanged', '{}', now()),
        ('2', 'reset-by-who-had-it-before@old.test', 'passwordChanged', '{}', now() - interval '1 year'),
        ('3', 'elsewhere@old.test', 'addressChanged', '{"newAddress": "moved@old.test"}', now()),
        ('4', 'never@old.test', 'code', '{"codeId": "x"}', now());
    `)
    await migrate({ ownerUrl })
    const { rows } = await client.query(
      'select name, email_verified_at, created_at from person order by name collate "C"',
    )
    expect(rows.filter((one) => one.email_verified_at !== null).map(({ name }) => name)).toEqual([
      'Demo',
      'editor',
      'google',
      'moved',
      'redeemed',
      'reset',
    ])
    for (const one of rows) if (one.email_verified_at) expect(one.email_verified_at).toEqual(one.created_at)
  } finally {
    await client.end()
    await rm(before, { recursive: true })
  }
})
