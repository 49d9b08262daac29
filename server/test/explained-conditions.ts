const emptyList = 'a list that is asked for another’s is empty, so it names no key; as a whole it is noticed'

/**
 * Conditions that no answer to a request of conditions.test.ts shows: the call, how the condition begins (where the statement has
 * others), a part of the statement, and why that is no gap.
 */
export const explained: readonly { call: string; condition?: string; text: string; why: string }[] = [
  {
    call: 'accounts.createToken',
    condition: 'id = $1',
    text: 'select 1 from person where id = $1',
    why: 'locks of a person who was found before; where the stamp is asked, too, that is what refuses',
  },
  {
    call: 'apiKeys.create',
    text: 'select count(*)::integer as n from api_key k',
    why: 'how many keys of theirs are good: without it more is refused, and never less',
  },
  {
    call: 'apiKeys.create',
    text: 'select email from person where (/* wall */ id = $1)',
    why: 'the address of a mail, which no answer shows: without it a test of server/src/api-keys/api-keys.test.ts fails',
  },
  {
    call: 'accounts.info',
    text: 'select c.document, c.version::text as version from consent c where c.person_id = $1',
    why: 'nobody of these companies has agreed to anything: without it a test of walls-of-names.test.ts fails',
  },
  {
    call: 'audit.verify',
    condition: 's.tenant_id = $2',
    text: 'from audit_seal s left join lateral',
    why: 'no log is sealed here: without it a test of walls-of-names.test.ts fails',
  },
  {
    call: 'audit.list',
    condition: 'k.tenant_id = $5',
    text: 'with asked as (select unnest($1::text[]) as id)',
    why: 'nothing here was changed by a key of the service: without it a test of walls-of-names.test.ts fails',
  },
  {
    call: 'audit.list',
    condition: 'i.tenant_id = $6',
    text: 'with asked as (select unnest($1::text[]) as id)',
    why: 'nothing here names an invitation of others: without it a test of walls-of-names.test.ts fails',
  },
  {
    call: 'assets.discard',
    text: 'select from asset where id = $1 and author_id = $2 for update',
    why: 'a lock: the file is found and deleted by its author',
  },
  {
    call: 'calendar.renew',
    text: 'where id = actor_id() and email_verified_at is null',
    why: 'without it more is refused, and never less',
  },
  {
    call: 'identity.confirm',
    condition: 'p.id = $1',
    text: 'select p.email, p.name, p.role, coalesce(t.require_second_factor, false) as tenant_demands',
    why: 'nobody of these companies has a second factor: without it tests of second-factor.test.ts fail',
  },
  {
    call: 'edits.save',
    text: "where a.state in ('waiting', 'running') and a.project_id <> $1 and (p.tenant_id = $2::uuid or",
    why: 'how many edits of theirs wait to be rendered ahead: it decides over a turn alone, and answers nothing',
  },
  {
    call: 'notifications.choices',
    text: 'q.user_id = $1 in: select p.time_zone',
    why: 'said twice: q.user_id = p.id, and p.id is the caller',
  },
  {
    call: 'edits.retryRender',
    condition: 'o.company = $6',
    text: 'own as (select coalesce(max(round) + 1, 0) as round from open',
    why: 'a place in a queue, which no answer says: without it a test of server/src/kernel/turns-of-companies.test.ts fails',
  },
  {
    call: 'projects.create',
    text: 'select count(*)::integer as n from project where user_id = $1 and submitted_at > $2',
    why: 'it decides alone, and answers nothing: without it a test of server/test/kept-bytes.test.ts fails',
  },
  {
    call: 'projects.create',
    text: 'select used from quota_use where user_id = $1',
    why: 'it decides alone, and answers nothing: without it 14 tests of server/src/projects/release.test.ts fail',
  },
  {
    call: 'scripts.saveCategory',
    text: 'select 1 from tenant where id = $1',
    why: 'whether there is such a company: who may write for it was asked before',
  },
  {
    call: 'subscriptions.charge',
    text: 'from extra_project x where x.user_id = $1 and x.request_id = $2',
    why: 'a request id is random, and only who sent it knows it',
  },
  {
    call: 'subscriptions.checkout',
    text: 't.id = $1 in: select null as user_id, t.id as tenant_id, t.name, c.id as customer_id',
    why: 'no plan of these companies is for sale: without it two tests of server/src/subscriptions/paying.test.ts fail',
  },
  {
    call: 'projects.schedule',
    text: 'j.user_id = $2 in: select j.approved_video_id as asset_id',
    why: 'no video of these officers is approved: without it a test of server/src/publishing/calls.test.ts fails',
  },
  {
    call: 'projects.list',
    condition: 'p.tenant_id = $4',
    text: 'p.editor_id is null and (/* wall */ p.tenant_id = $4::uuid) and p.editor_id = $5',
    why: 'the pool, asked for one editor’s, is empty whosever it is',
  },
  {
    call: 'assets.unused',
    condition: 'c.',
    text: 'from asset where author_id = $1 and (/* wall */',
    why: 'a file that nothing uses is no cut that was sent, and no clip',
  },
  {
    call: 'assets.discard',
    condition: 'c.',
    text: 'delete from asset where id = $1 and author_id = $2',
    why: 'a file that nothing uses is no cut that was sent, and no clip',
  },
  {
    call: 'assets.note',
    condition: 'c.',
    text: 'update asset set take_log = $1',
    why: 'a take on its way is in no cut and no library',
  },
  {
    call: 'clips.add',
    condition: 'c.',
    text: "where id = any($1) and purpose = 'source' and author_id = any($2) and (/* wall */",
    why: 'a recording is no cut and no clip',
  },
  {
    call: 'clips.add',
    condition: 'id = $1',
    text: 'select from tenant where id = $1',
    why: 'whether there is such a company: whose the library may be was asked before',
  },
  {
    call: 'clips.add',
    text: 'coalesce((select file_size from asset where id = $1::uuid), 0)',
    why: 'how much is in a library: without it more is refused, and never less',
  },
  {
    call: 'looks.add',
    text: 'select count(*)::integer as n from look where',
    why: 'how many looks there are: without it more is refused, and never less',
  },
  {
    call: 'looks.rename',
    text: 'select from look where tenant_id is not distinct from $1::uuid and lower(name)',
    why: 'whether there is such a name: without it more is refused, and never less',
  },
  {
    call: 'edits.find',
    condition: 'c.tenant_id',
    text: 'from asset where project_id = $1 and (/* wall */',
    why: 'no file of a project is a clip',
  },
  {
    call: 'edits.save',
    text: 'select asset_id from asset_face where whose = any($1)',
    why: 'no request here names a picture: without it a test of server/src/edits/edits.test.ts fails',
  },
  {
    call: 'notes.save',
    text: 'coalesce(sum((select count(*) from note_asset a where a.note_id = n.id)), 0)',
    why: 'how much is noted about a person: without it more is refused, and never less',
  },
  {
    call: 'notifications.createTrigger',
    text: 'select t.status from notification_trigger t where',
    why: 'how many triggers will run: without it more is refused, and never less',
  },
  {
    call: 'notifications.testTrigger',
    condition: 'p.id = any($4',
    text: 'select p.id as person_id, d.id as device_id',
    why: 'no phone can be reached here: without it a test of server/src/push/phones.test.ts fails',
  },
  {
    call: 'projects.create',
    text: "from asset where project_id = any($1) and purpose = 'source' and (/* wall */",
    why: 'how long the recordings are: it decides over a turn alone, and answers nothing',
  },
  {
    call: 'projects.send',
    text: "where id = $1 and project_id = $2 and purpose = 'cut' and (/* wall */",
    why: 'the project that the file is a cut of was found behind its own wall, and is the caller’s to send',
  },
  {
    call: 'reports.forecast',
    condition: 'p.tenant_id = $2',
    text: 'select s.editor_id, s.started_at, e.at as sent_at from project_event e',
    why: 'only editors behind a wall of their own count: how fast one was at another company before, and nobody moves here',
  },
  {
    call: 'reports.payroll',
    condition: 'f.tenant_id = $3',
    text: 'with figure as ( select f.editor_id, m.tenant_id,',
    why: 'whoever is in a company edits its videos alone, and when they were there is asked beside it; it finds them by an index',
  },
  {
    call: 'reports.payroll',
    condition: 'm.tenant_id = $4',
    text: 'with figure as ( select f.editor_id, m.tenant_id,',
    why: 'the same the other way round; that each company has its own is noticed by payroll-moves.test.ts',
  },
  {
    call: 'reports.payroll',
    condition: 'r.tenant_id = $10',
    text: 'with figure as ( select f.editor_id, m.tenant_id,',
    why: 'a rate is read of the company of its row, whose own condition is noticed',
  },
  {
    call: 'views.create',
    text: 'and v.page = $2 and v.name = $3',
    why: 'whether a name is taken: with those of others one is refused or replaced, and nothing of theirs is answered',
  },
  {
    call: 'views.create',
    text: 'select count(*)::integer as n from saved_view v',
    why: 'how many there are: it decides over one more alone, and answers nothing',
  },
  {
    call: 'projects.history',
    condition: 'p.tenant_id = $2',
    text: 'where p.user_id = $1 and (/* wall */ p.tenant_id = $2::uuid) and p.id = $3',
    why: 'an own officer’s list, asked for a video of theirs, is empty; as a whole it is noticed',
  },
  {
    call: 'projects.history',
    condition: 'p.tenant_id = $2',
    text: 'where p.user_id = $1 and (/* wall */ p.tenant_id = $2::uuid) and p.user_id = $3',
    why: 'one officer’s list, asked for another’s, is empty whosever it is; as a whole it is noticed',
  },
  {
    call: 'projects.history',
    condition: 'p.tenant_id = $2',
    text: 'where p.user_id = $1 and (/* wall */ p.tenant_id = $2::uuid) and p.editor_id = $3',
    why: 'an own officer’s list, asked for an editor of theirs, is empty; as a whole it is noticed',
  },
  {
    call: 'projects.history',
    condition: 'p.tenant_id = $2',
    text: 'where p.user_id = $1 and (/* wall */ p.tenant_id = $2::uuid) and p.tenant_id = $3',
    why: 'an own officer’s list, asked for their company, is empty; as a whole it is noticed',
  },
  {
    call: 'projects.list',
    condition: 'k.',
    text: '(/* wall */ p.user_id = $1::uuid) and p.id = $2 and',
    why: emptyList,
  },
  {
    call: 'projects.history',
    condition: 'k.',
    text: '(/* wall */ p.user_id = $2::uuid) and p.id = $3 and',
    why: emptyList,
  },
  {
    call: 'projects.history',
    condition: 'k.',
    text: '(/* wall */ p.tenant_id = $2::uuid) and p.id = $3 and',
    why: emptyList,
  },
  {
    call: 'projects.list',
    condition: 'k.',
    text: '(/* wall */ p.user_id = $1::uuid) and p.user_id = $2 and',
    why: emptyList,
  },
  {
    call: 'projects.history',
    condition: 'k.',
    text: '(/* wall */ p.user_id = $2::uuid) and p.user_id = $3 and',
    why: emptyList,
  },
  {
    call: 'projects.history',
    condition: 'k.',
    text: '(/* wall */ p.tenant_id = $2::uuid) and p.user_id = $3 and',
    why: emptyList,
  },
  {
    call: 'projects.list',
    condition: 'k.',
    text: '(/* wall */ p.user_id = $1::uuid) and p.editor_id = $2 and',
    why: emptyList,
  },
  {
    call: 'projects.history',
    condition: 'k.',
    text: '(/* wall */ p.user_id = $2::uuid) and p.editor_id = $3 and',
    why: emptyList,
  },
  {
    call: 'projects.history',
    condition: 'k.',
    text: '(/* wall */ p.tenant_id = $2::uuid) and p.editor_id = $3 and',
    why: emptyList,
  },
  {
    call: 'projects.history',
    condition: 'k.',
    text: '(/* wall */ p.tenant_id = $2::uuid) and p.tenant_id = $3 and',
    why: emptyList,
  },
  {
    call: 'publishing.posts',
    condition: 'c.user_id = $4',
    text: 'where p.project_id = $8 and (/* wall */ j.tenant_id = $9::uuid) order by p.created_at desc',
    why: 'whether a post is offered to be taken down, and these staff may take nothing down',
  },
  {
    call: 'publishing.posts',
    condition: 'o.user_id = $6',
    text: 'where p.project_id = $8 and (/* wall */ j.tenant_id = $9::uuid) order by p.created_at desc',
    why: 'whether a post is offered to be taken down, and these staff may take nothing down',
  },
  {
    call: 'publishing.posts',
    condition: 'c.tenant_id = $5',
    text: 'where p.project_id = $8 and (/* wall */ j.tenant_id = $9::uuid) order by p.created_at desc',
    why: 'whether a post is offered to be taken down, and these staff may take nothing down',
  },
  {
    call: 'publishing.takeDown',
    condition: 'c.tenant_id',
    text: 'own.tenant_id = $7::uuid) for update of p',
    why: 'said twice: the post was found at an account of the caller’s company',
  },
  {
    call: 'publishing.takeDown',
    condition: 'u.tenant_id',
    text: 'own.tenant_id = $7::uuid) for update of p',
    why: 'whether its officer is gone decides over a post of which nobody knows, and this one is live',
  },
  {
    call: 'publishing.confirm',
    condition: 'c.tenant_id',
    text: 'own.tenant_id = $7::uuid) and not exists (',
    why: 'said twice: the post was found at an account of the caller’s company',
  },
  {
    call: 'publishing.confirm',
    condition: 'u.tenant_id = $4',
    text: 'own.tenant_id = $7::uuid) and not exists (',
    why: 'said twice: the post was found as one whose officer is gone',
  },
  {
    call: 'publishing.repeat',
    text: 'select from project j where j.id = (select p.project_id from post p where p.id = $1 and',
    why: 'a lock before the post is found as the caller’s own',
  },
  {
    call: 'publishing.disconnect',
    text: "update connection c set state = 'disconnected'",
    why: 'said twice: the account was found and locked as the caller’s',
  },
  {
    call: 'scripts.create',
    text: 'select count(*)::integer as n from script where user_id',
    why: 'how many scripts there are: without it more is refused, and never less',
  },
  {
    call: 'scripts.create',
    text: 'as letters from script s where s.user_id',
    why: 'how many scripts there are: without it more is refused, and never less',
  },
  {
    call: 'subscriptions.products',
    text: 'select distinct unnest(s.coupon_ids) as id from subscription s where',
    why: 'no plan of these companies is for sale: without it a test of server/src/subscriptions/catalogue.test.ts fails',
  },
  {
    call: 'support.mine',
    condition: 'a.id',
    text: 'left join person a on a.id = h.assignee_id and (/* wall */ a.id = $2)',
    why: 'who has a question is told to nobody who may not answer it',
  },
  {
    call: 'support.close',
    text: 'select 1 from support_thread h where h.id = $1 and',
    why: 'a lock before the question is found as one within reach',
  },
  {
    call: 'support.close',
    text: 'update support_thread h set state',
    why: 'said twice: the question was found within reach, under its lock',
  },
  {
    call: 'support.assign',
    text: 'update support_thread h set assignee_id',
    why: 'said twice: the question was found within reach, under its lock',
  },
  {
    call: 'support.assign',
    text: 'select p.id, p.role, p.tenant_id, p.name from person p where p.id = $1',
    why: 'whoever is of another company may not take it anyway: without it a test of walls-of-names.test.ts fails for the service’s',
  },
  {
    call: 'support.reply',
    text: 'select count(*)::integer as n from support_message m where (/* wall */ m.person_id',
    why: 'how much one said in a day: without it more is refused, and never less',
  },
  {
    call: 'support.ask',
    text: 'row_number() over (partition by p.tenant_id order by p.id =',
    why: 'who hears of a question, which no answer shows: without it a test of server/src/support/support.test.ts fails',
  },
  {
    call: 'tenants.me',
    text: 'select distinct on (s.tenant_id)',
    why: 'the answer takes the plans of the companies that it shows, and no other’s',
  },
]

/** `name`: of a condition, and the statement that it stands in. */
export const isExplainedBy = ({ condition = '', text }: (typeof explained)[number], name: string): boolean =>
  name.startsWith(condition) && name.includes(text)
