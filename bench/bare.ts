// What somebody in a hurry would write: Fastify, pg, SQL by hand. The same rows are read and written as by the product,
// with no session, no policies, no validation, no request ids, no signed addresses. For comparison only.
import { randomUUID } from 'node:crypto'
import fastify from 'fastify'
import pg from 'pg'

const [url] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: url, max: 20 })
const app = fastify()
app.addHook('onError', async (_request, _reply, error) => console.error(error.message))
pool.on('error', () => {})
process.on('disconnect', () => process.exit())

// What the product's rows show: names, company, cover, timeline, how posts stand, and whose the waiting cut is.
const shown = `
  select p.*, u.name as user_name, coalesce(u.time_zone, 'UTC') as time_zone, e.name as editor_name, t.name as tenant_name,
    t.four_eyes, a.derived->>'thumb' as thumb, a.duration_ms as length,
    (select json_agg(json_build_object('status', v.to_status, 'title', v.title, 'description', v.description,
                                       'timestamp', v.at, 'metadata', v.metadata, 'verb', v.verb, 'actorId', v.actor_id,
                                       'cut', v.counted->>'cut') order by v.seq)
     from project_event v where v.project_id = p.id) as timeline,
    case when p.status = 2 then (
      select json_agg(json_build_object('network', l.network, 'state', l.state, 'failure', l.failure) order by l.network)
      from post l where l.project_id = p.id and l.asset_id = p.approved_video_id) end as posts,
    case when p.status = 3 then (
      select json_build_object('number', c.number, 'editorId', c.editor_id, 'sentAt', c.sent_at, 'uploadedBy', f.author_id)
      from project_cut c join asset f on f.id = c.asset_id
      where c.project_id = p.id and c.verdict <> 'replaced' order by c.number desc limit 1) end as cut`
const joined = `
  left join person u on u.id = p.user_id left join person e on e.id = p.editor_id left join asset a on a.id = p.cover_id
  left join tenant t on t.id = p.tenant_id`

type Query = { Querystring: { id: string; role: string } }

app.get<Query>('/api/projects/list', async ({ query: { id, role } }) => {
  const lists = {
    User: `select * from project where user_id = $1 order by submitted_at desc, id desc limit 20`,
    Editor: `select * from (
        (select * from project where editor_id = $1 order by submitted_at desc, id desc limit 20)
        union all
        (select * from project where status = 0 and editor_id is null order by submitted_at desc, id desc limit 20)) both_lists
      order by submitted_at desc, id desc limit 20`,
    ADMIN: `select * from project where $1::uuid is not null order by submitted_at desc, id desc limit 20`,
  }
  const { rows } = await pool.query(
    `${shown} from (${lists[role as keyof typeof lists]}) p ${joined} order by p.submitted_at desc, p.id desc`,
    [id],
  )
  return { items: rows, nextCursor: rows.at(-1)?.id ?? null }
})

app.get<{ Params: { userId: string } }>('/api/projects/:userId/next', async ({ params: { userId } }) => {
  const id = await nextOf(pool, userId, '')
  return project(pool, id)
})

app.put<Query>('/api/projects/edition/start/', async ({ query: { id: editor } }) =>
  inTransaction(async (client) => {
    const id = await nextOf(client, editor, 'for update skip locked')
    const { rows } = await client.query(
      `update project set status = 1, editor_id = $2, queue_position = null, editing_begun = true, modified_at = now(),
         seq = seq + 1
       where id = $1 returning *`,
      [id, editor],
    )
    await record(client, rows[0], 'start', 0, editor)
    return project(client, id)
  }),
)

app.post<Query & { Params: { projectId: string } }>('/api/projects/:projectId/approve/', async (request) =>
  inTransaction(async (client) => {
    const { projectId } = request.params
    await client.query('select * from project where id = $1 and status = 3 for update', [projectId])
    const cut = await client.query('select * from project_cut where project_id = $1 order by number desc limit 1', [
      projectId,
    ])
    const { asset_id, editor_id, number, sent_at } = cut.rows[0]
    await client.query(`update project_cut set verdict = 'approved' where project_id = $1 and number = $2`, [
      projectId,
      number,
    ])
    const goal = await client.query(
      `insert into goal (editor_id, iso_week, target) values ($1, to_char($2::timestamptz, 'IYYY-"W"IW'), 10)
       on conflict (editor_id, iso_week) do update set progress = goal.progress + 1 returning id`,
      [editor_id, sent_at],
    )
    await client.query(
      `insert into goal_day (goal_id, date, target) values ($1, $2::date, 2)
       on conflict (goal_id, date) do update set progress = goal_day.progress + 1`,
      [goal.rows[0].id, sent_at],
    )
    const { rows } = await client.query(
      `update project set status = 2, approved_video_id = $2, cover_id = $2, feedback = null, due_by = null,
         expires_at = now() + interval '90 days', modified_at = now(), seq = seq + 1
       where id = $1 returning *`,
      [projectId, asset_id],
    )
    await record(client, rows[0], 'approve', 3, request.query.id)
    return project(client, projectId)
  }),
)

type Client = pg.Pool | pg.PoolClient

const nextOf = async (client: Client, editor: string, locked: string): Promise<string> => {
  const { rows } = await client.query(
    `select id from project where status in (4, 5) and editor_id = $1 order by queue_position, id limit 1 ${locked}`,
    [editor],
  )
  if (rows[0]) return rows[0].id
  const head = await client.query(
    `select id from project where status = 0 and (editor_id is null or editor_id = $1)
     order by queue_position, id limit 1 ${locked}`,
    [editor],
  )
  return head.rows[0].id
}

const record = async (
  client: Client,
  row: { id: string; seq: number; [key: string]: unknown },
  verb: string,
  from: number,
  actor: string,
) => {
  await client.query(
    `insert into project_event (project_id, seq, user_id, tenant_id, verb, from_status, to_status, title, description, metadata,
       actor_id, actor_role, actor_serves_all, at, before)
     values ($1, $2, $3, $4, $5, $6, $7, 'What happened', 'The video was sent on its way.', $8, $9, 'Editor', false, now(), $10)`,
    [row.id, row.seq, row.user_id, row.tenant_id, verb, from, row.status, { verb, actorId: actor }, actor, row],
  )
  // Who wants to be told of it.
  await client.query(
    `select id from webhook_endpoint where (tenant_id is null or tenant_id = $1) and $2 = any(events) and state <> 'full'`,
    [row.tenant_id, `project.${verb}`],
  )
  await client.query(`insert into pgboss.job (id, name, data) values ($1, 'project-event', $2)`, [
    randomUUID(),
    { projectId: row.id, seq: row.seq },
  ])
}

const project = async (client: Client, id: string) => {
  const { rows } = await client.query(
    `${shown}, u.preferences->>'bRoll' as b_roll, u.preferences->>'facebookLink' as facebook_link,
       u.preferences->>'instagramLink' as instagram_link, t.preferences->>'guidelinesUrl' as guidelines_url
     from project p ${joined} where p.id = $1`,
    [id],
  )
  const files = await client.query(
    `select * from asset where project_id = $1 and purpose = 'source' order by uploaded_at, id`,
    [id],
  )
  return { ...rows[0], assets: files.rows }
}

const inTransaction = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
