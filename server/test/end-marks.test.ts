import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, type TestDatabase } from './database.ts'

/**
 * What ended stays ended. Every time that a row may have or not is read from the catalogue, and the product's role tries to
 * take it away, with no policy in its way, as if a statement of ours had a mistake: what is no mark of an end, or may be
 * taken back, stands here with its reason.
 */
const mayBeCleared: Record<string, string> = {
  'api_key.last_used_at': 'no end: the last use',
  'charge.taken_back_at': 'a bank’s dispute that is won, or taken up once more, is told anew',
  'clip.removed_at': 'a clip is put back into its library',
  'connection.access_ends_at': 'no end: how long what the network gave is good for',
  'connection.ends_at': 'no end: the same',
  'post.measure_at': 'no end: when its figures are read next',
  'connection.refreshing_until': 'a turn, which is handed on',
  'coupon.redeem_by': 'what the payment provider says, read anew',
  'data_export.ends_at': 'an export that is asked for again waits anew',
  'data_export.ready_at': 'the same',
  'extra_project.stands_since': 'no end: when what it is paid for was bought',
  'mail.settled_at': 'a mail that failed waits for its next try',
  'mail.useless_at': 'no end: until when it is worth sending',
  'notification.opened_at': 'no end: it was read',
  'notification_trigger.next_execution': 'no end: when it runs next',
  'one_time_token.session_ends_at': 'no end: how long its session lasts',
  'passkey.last_used_at': 'no end: the last use',
  'payment_event.handled_at': 'one that is handled again changes nothing: the thing itself is read, not the event',
  'person.email_verified_at': 'a removal takes it, and an address that is not confirmed gives no right',
  'post.armed_at': 'a post that is taken back from its day waits anew',
  'post.leased_until': 'a turn, which is handed on',
  'post.live_at': 'what a network says of it, read anew',
  'post.next_at': 'no end: its next try',
  'post.recalled_at': 'whoever tries again takes the recall back',
  'post_comment.armed_at': 'a comment that was not written waits anew',
  'post_comment.leased_until': 'a turn, which is handed on',
  'post_comment.live_at': 'what a network says of it, read anew',
  'post_comment.next_at': 'no end: its next try',
  'post_file.made_at': 'no end: posts compare both hashes, which a trigger holds',
  'product.changing_until': 'a turn, which is handed on',
  'project.answered_at': 'a rollback brings back what was before',
  'project.due_at': 'no end: a wish',
  'project.due_by': 'no end: a promise',
  'project.expires_at': 'no end: until when an answer is waited for',
  'project.publish_at': 'no end: a plan',
  'project.used_at': 'a video that is cancelled in time gives its place back',
  'project_comment.done_at': 'a tick, which is taken back',
  'project_comment.edited_at': 'no end: the last change',
  'push_delivery.settled_at': 'one that failed waits for its next try',
  'push_device.reached_at': 'no end: the last time',
  'sandbox_event.delivered_at': 'of the stand-in',
  'sandbox_object.due_at': 'of the stand-in',
  'subscription.changing_until': 'a turn, which is handed on',
  'subscription.period_since': 'is of the running period',
  'subscription.covered_since': 'the period that follows is paid by itself',
  'subscription.current_period_end': 'what the payment provider says, read anew',
  'subscription.current_period_start': 'the same',
  'subscription.discount_ends': 'the same',
  'subscription.ends_at': 'whoever goes on takes the end back',
  'subscription.owed_since': 'it is paid',
  'subscription.paused_from': 'it goes on',
  'webhook_delivery.leased_until': 'a turn, which is handed on',
  'webhook_delivery.settled_at': 'one that is sent again waits anew',
  'webhook_endpoint.failing_since': 'it is taken again',
  'webhook_endpoint.former_until': 'it goes with the former secret, and without it that signs nothing',
  'webhook_endpoint.last_delivered_at': 'no end: the last time',
  'webhook_endpoint.resting_until': 'no end: when it is tried next',
}

let urls: TestDatabase
let superuser: pg.Client
beforeAll(async () => {
  urls = await freshDatabase()
  superuser = new pg.Client({ connectionString: urls.superuserUrl })
  await superuser.connect()
})
afterAll(async () => {
  await superuser.end()
  await urls.drop()
})

test('no statement of the product takes a mark of an end away, but those that are explained', async () => {
  const { rows: columns } = await superuser.query<{ table: string; column: string }>(`
    select c.table_name as table, c.column_name as column from information_schema.columns c
      join pg_tables t on t.schemaname = c.table_schema and t.tablename = c.table_name
    where c.table_schema = 'public' and c.is_nullable = 'YES' and c.data_type like 'timestamp%' order by 1, 2`)
  expect(columns.length).toBeGreaterThan(50)
  const cleared: string[] = []
  for (const { table, column } of columns) if (await isCleared(table, column)) cleared.push(`${table}.${column}`)
  const unexplained = cleared
    .filter((name) => !mayBeCleared[name])
    .map((name) => `${name}: let a trigger keep it (migration 0214), or say here why it may be taken away`)
  expect(unexplained, unexplained.join('\n')).toEqual([])
  expect(Object.keys(mayBeCleared).filter((name) => !cleared.includes(name))).toEqual([])
})

/** Of a row that has nothing but this, with no condition but triggers: does the product's role take it away? */
const isCleared = async (table: string, column: string): Promise<boolean> => {
  await superuser.query('begin; set local session_replication_role = replica')
  try {
    await superuser.query(`
      do $$ declare c record; begin
        for c in select conname from pg_constraint where conrelid = '${table}'::regclass and contype <> 'n' order by contype = 'p' loop
          execute format('alter table ${table} drop constraint if exists %I cascade', c.conname);
        end loop;
        for c in select attname from pg_attribute where attrelid = '${table}'::regclass and attidentity <> '' loop
          execute format('alter table ${table} alter column %I drop identity', c.attname);
        end loop;
        for c in select conname from pg_constraint where conrelid = '${table}'::regclass and contype = 'n' loop
          execute format('alter table ${table} drop constraint %I', c.conname);
        end loop;
        -- What follows from a change, and no condition of it.
        for c in select tgname from pg_trigger where tgrelid = '${table}'::regclass and not tgisinternal and (tgtype & 2) = 0 loop
          execute format('alter table ${table} disable trigger %I', c.tgname);
        end loop;
      end $$;
      alter table ${table} no force row level security, disable row level security;
      delete from ${table};
      insert into ${table} (${column}) values (now());
      set local session_replication_role = origin; set local role clear_app`)
    const tried = await superuser.query(`update ${table} set ${column} = null`).catch((error: pg.DatabaseError) => {
      if (!['CT409', '42501'].includes(error.code!)) throw error
    })
    return tried?.rowCount === 1
  } finally {
    await superuser.query('rollback')
  }
}
