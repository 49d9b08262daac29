import { createHash, randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assets } from '@clear-to-post/contract/assets'
import { accounts } from '@clear-to-post/contract/accounts'
import { apiKeys } from '@clear-to-post/contract/api-keys'
import { calendar } from '@clear-to-post/contract/calendar'
import { support } from '@clear-to-post/contract/support'
import { views } from '@clear-to-post/contract/views'
import type { CallInput, CallShape } from '@clear-to-post/contract/call'
import { edits } from '@clear-to-post/contract/edits'
import { notes } from '@clear-to-post/contract/notes'
import { notifications } from '@clear-to-post/contract/notifications'
import { projects } from '@clear-to-post/contract/projects'
import { scripts } from '@clear-to-post/contract/scripts'
import { publishing } from '@clear-to-post/contract/publishing'
import { push } from '@clear-to-post/contract/push'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { webhookTypes } from '@clear-to-post/domain/webhooks'
import { tracking } from '@clear-to-post/contract/tracking'
import { createPerson } from '../src/accounts/actions.ts'
import { exportBehind } from '../src/personal-data/actions.ts'
import { eraseJob, exportJob } from '../src/personal-data/jobs.ts'
import { impersonalTables, personalData } from '../src/personal-data/rooms.ts'
import { fileUrl } from '../src/assets/addresses.ts'
import { beginOrFindUpload, beginUpload } from '../src/assets/uploads.ts'
import { sql } from '../src/kernel/database.ts'
import { enqueue } from '../src/kernel/queue.ts'
import { registry } from '../src/main/registry.ts'
import { sendMail } from '../src/mail/actions.ts'
import { openMail } from '../src/outside/mail.ts'
import { storage } from '../src/outside/storage.ts'
import { onDisk } from './on-disk.ts'
import { addPlans, anySingle, buyer, cards, settle } from './buying.ts'
import { columnsOf, markedFields, placesOf, takeSamples, textFields } from './marks.ts'
import { jobContext } from './mails.ts'
import { makeEdit } from './make-edit.ts'
import {
  callConfirmed,
  makePerson,
  makeTenant,
  makePicture,
  makeVideo,
  openService,
  type Person,
  type Service,
} from './service.ts'

/**
 * A person who used every feature is removed, and every column and file is searched for a mark that was in each text that
 * they wrote.
 */
const mark = 'quillfeather'
const name = 'Quillfeather Zamboanga'
const email = 'quillfeather@marks.test'
const password = 'kettle-drum-41'
const timeZone = 'Pacific/Kiritimati'

let service: Service
let person: Person & { cookie: string }
let editor: Person, qa: Person, admin: Person, colleague: Person
const secrets: string[] = []
const written = new Set<string>()

beforeAll(async () => {
  service = await openService()
  openMail(service.config)
  ;[editor, qa, admin, colleague] = [
    await makePerson(service, 'Editor'),
    await makePerson(service, 'QA'),
    await makePerson(service, 'ADMIN'),
    await makePerson(service, 'User'),
  ]
  await rows(sql`
    insert into webhook_endpoint (id, url, description, events, secret, created_at, modified_at)
    values (gen_random_uuid(), 'https://hooks.example.com/', '', ${[...webhookTypes]}, 'sealed', now(), now())`)
  const { id } = await service.database.asSystem((tx) => createPerson(tx, { email, name, role: 'User', password }))
  const response = await service.app.inject({
    method: 'POST',
    url: '/identity/sign-in/password',
    payload: { email, password },
  })
  const cookie = response.cookies.map((one) => `${one.name}=${one.value}`).join('; ')
  const { idToken: token } = response.json() as { idToken: string }
  const refreshToken = response.cookies.find((one) => one.name === 'ctp_refresh')!.value
  person = { id, role: 'User', tenantId: null, securityStamp: 1, name, token, cookie, refreshToken }
})
afterAll(() => service.close())

const as = (who: Person) => callConfirmed(service, who)

/** A call of the person that records the text fields it fills; with a request id, so that its answer is stored. */
const mine = async <C extends CallShape>(shape: C, input: CallInput<C>) => {
  for (const field of markedFields(shape, input, new RegExp(mark, 'i'))) written.add(field)
  return as(person)(shape, input, { requestId: randomUUID() })
}

/** Runs what waits in the queue, as a worker would. */
const runJobs = async (...names: ('project-event' | 'notice' | 'mail')[]) => {
  for (const name of names) {
    const jobs = await service.database.asSystem((tx) =>
      tx.rows(sql<{ data: never }>`select data from pgboss.job where name = ${name} and state = 'created'`),
    )
    for (const { data } of jobs) await registry[name].run(data, jobContext(service))
  }
}

/** Once, whichever test comes first. */
let used: Promise<void> | undefined
const everythingUsed = () => (used ??= useEverything())

const useEverything = async () => {
  const [plan] = (await addPlans(service)) as [string]
  await buyer(service, plan, person)
  await mine(subscriptions.charge, anySingle)
  await settle(service)
  await mine(subscriptions.portal, {})

  const picture = await makePicture(service, person)
  await mine(accounts.update, {
    body: {
      name,
      profession: `${mark} profession`,
      fcmToken: `${mark}-phone`,
      experienceId: `${mark}-experience`,
      nmlsNumber: '7310254986',
      licenceStates: ['GU', 'VI'],
      workWeek: Array.from({ length: 7 }, () => ({ from: '03:17', to: '03:19' })),
      timeOff: [{ from: '2091-03-17', to: '2091-03-19' }],
      timezone: timeZone,
      photoUrl: fileUrl(picture, 'original.png', new Date()),
      preferences: {
        facebookLink: `https://${mark}.test/f`,
        instagramLink: `https://${mark}.test/i`,
        bRoll: `${mark} roll`,
        phone: `${mark} phone`,
        city: `${mark} city`,
        logo: fileUrl(picture, 'original.png', new Date()),
      },
    },
  })
  await mine(accounts.update, { body: { name, was: { name, profession: `${mark} profession` } } })
  // They were in a company for a moment, which knew their hours.
  for (const tenantId of [await makeTenant(service), null])
    await rows(sql`update person set tenant_id = ${tenantId} where id = ${person.id}`)
  await mine(accounts.setup, {
    body: {
      name,
      profession: `${mark} profession`,
      preferences: {
        facebookLink: `https://${mark}.test/f`,
        instagramLink: `https://${mark}.test/i`,
        bRoll: `${mark} roll`,
        phone: `${mark} phone`,
        city: `${mark} city`,
      },
    },
  })
  const script = { title: `${mark} title`, content: `${mark} content`, tags: [mark] }
  const { id: scriptId } = await mine(scripts.create, { body: script })
  await mine(scripts.update, { params: { id: scriptId }, body: { ...script, was: script } })
  const { id: viewId } = await mine(views.create, {
    body: { page: '/panel/people', name: `${mark} view`, search: { q: mark } },
  })
  await mine(views.rename, { params: { viewId }, body: { name: `${mark} other view` } })
  const { id: threadId } = await mine(support.ask, { body: { subject: `${mark} question`, body: `${mark} words` } })
  await mine(support.reply, { params: { threadId }, body: { body: `${mark} more` } })
  // As the panel sends it, so that the answer is kept for a repeat.
  const answerTo = (thread: string) =>
    as(admin)(
      support.reply,
      { params: { threadId: thread }, body: { body: `${mark} said staff` } },
      { requestId: randomUUID() },
    )
  await answerTo(threadId)
  const link = (await mine(calendar.renew, {})).url.split('/').at(-1)!.replace('.ics', '')
  secrets.push(link, createHash('sha256').update(link).digest('hex'))
  const { key } = await mine(apiKeys.create, {
    body: { name: `${mark} key`, scopes: ['videos.read'], days: 7 },
  })
  secrets.push(key, createHash('sha256').update(key).digest('hex'))
  await mine(accounts.createToken, {})
  await mine(accounts.startExport, {})
  await registry.export.run(
    { exportId: (await rows<{ id: string }>(sql`select id from data_export`))[0]!.id },
    jobContext(service),
  )

  // Codes and wrong passwords are counted for the address.
  await mine(accounts.sendCode, { query: { email } })
  await service.app.inject({ method: 'POST', url: '/identity/sign-in/password', payload: { email, password: 'no' } })
  await mine(tracking.contact, { body: { to: email, subject: `${mark} subject`, body: `${mark} letter` } as never })
  await answerTo((await rows<{ id: string }>(sql`select id from support_thread where guest_email = ${email}`))[0]!.id)

  const { publicKey } = await as(person)(push.read, {})
  const device = { endpoint: `https://fcm.googleapis.com/${mark}`, keys: keysFor(publicKey), name: `${mark} browser` }
  for (const field of markedFields(push.subscribe, { body: device }, new RegExp(mark))) written.add(field)
  const subscribed = await service.app.inject({
    method: 'POST',
    url: '/api/push/devices/',
    headers: { authorization: `Bearer ${person.token}`, cookie: person.cookie },
    payload: device,
  })
  expect(subscribed.statusCode).toBe(201)
  await mine(push.test, { params: { deviceId: (subscribed.json() as { id: string }).id } })
  await mine(notifications.choose, {
    // Quiet hours are far from now, since a delayed push is not stored yet.
    body: { kinds: [{ kind: 'news', email: 'daily' }], quiet: { from: hoursFromNow(6), until: hoursFromNow(12) } },
  })

  // A video that is finished and has come back, with everything that is written about it on the way.
  const source = await makeVideo(service, person)
  const { id: projectId } = await mine(projects.create, {
    body: {
      title: `${mark} video`,
      instructions: `${mark} instructions`,
      captionSuggestion: `${mark} script`,
      tour: { address: `${mark} lane`, price: mark, beds: mark, baths: mark },
      assets: [source],
    },
  })
  const at = { params: { projectId } }
  await as(admin)(projects.assign, { ...at, body: { editorId: editor.id } }, { requestId: randomUUID() })
  await as(editor)(projects.start, { body: { projectId } }, { requestId: randomUUID() })
  const recipe = await makeEdit(service, { id: projectId }, source)
  recipe.words.push({ id: 'w1', source: 's1', start: 0, end: 500, text: mark, confidence: 1, origin: 'typed' })
  await as(editor)(edits.save, { ...at, body: { revision: 1, recipe } })
  await as(editor)(edits.changeGlossary, {
    params: { userId: person.id },
    body: { whose: 'own', add: [{ term: `${mark} term` }] },
  })
  const send = async () => {
    const cut = await makeVideo(service, editor, { id: projectId })
    await as(editor)(projects.send, { ...at, body: { finalVideoId: cut } })
  }
  const deny = () =>
    as(qa)(projects.deny, {
      ...at,
      body: {
        denyFeedback: { criteria: [{ id: 'pacing', score: 3, comment: `${mark} stumbles` }] },
        categories: ['cut'],
      } as never,
    })
  await send()
  await deny()
  await as(editor)(projects.start, { body: { projectId } })
  await as(qa)(projects.comment, { ...at, body: { atMs: 1, text: `${mark} blinks` } }).catch(() => {})
  await send()
  await as(qa)(projects.approve, at)
  await postSomewhere(projectId)
  const said = await mine(projects.comment, { ...at, body: { atMs: 1, text: `${mark} comment` } })
  const ofComment = { params: { projectId, commentId: said.id } }
  await mine(projects.answerComment, { ...ofComment, body: { text: `${mark} answers it` } })
  await mine(projects.editComment, { ...ofComment, body: { text: `${mark} changed comment` } })
  await mine(projects.answer, { ...at, body: { score: 9, words: `${mark} answer` } })
  await mine(projects.review, { ...at, body: { revision: `${mark} revision` } })
  await as(editor)(projects.start, { body: { projectId } })
  await send()
  await deny()
  await service.database.asSystem(async (tx) => {
    // What jobs write while they work.
    await tx.count(sql`
      update edit set first_cut = recipe, script = ${mark}, transcript = ${JSON.stringify({ notes: [mark] })}, reason = ${mark},
        stage = ${mark} where project_id = ${projectId}`)
    await tx.count(sql`
      update asset set file_name = ${`${mark}.mp4`}, declared_type = ${mark}, sha256 = ${mark}, reason = ${mark},
        take_log = ${JSON.stringify({ again: [], shown: [], text: mark })},
        stage = ${mark}, notes = ${[mark]}, probe = ${JSON.stringify({ mark })}, derived = ${JSON.stringify({ original: 'original.mp4', name: mark })}
      where project_id = ${projectId} or id = ${picture}`)
    await tx.count(sql`
      insert into render (project_id, revision, recipe, changes, state, stage, reason, asked_by)
      values (${projectId}, 1, ${JSON.stringify(recipe)}, ${[mark]}, 'running', ${mark}, ${mark}, ${editor.id})`)
    await tx.count(sql`update charge set receipt_url = receipt_url || '#' || ${mark} where user_id = ${person.id}`)
    await tx.count(sql`update extra_project set request_id = ${mark} where user_id = ${person.id}`)
  })
  await runJobs('project-event', 'notice')

  // Texts that staff write about them, and notifications to others.
  const shown = await makeVideo(service, admin)
  await as(admin)(notes.save, {
    body: { userId: person.id, title: `About ${name}`, content: `${mark} likes slow cuts`, assets: [shown] },
  })
  await rows(sql`update asset set file_name = ${`${mark} speaks.mp4`} where id = ${shown}`)
  await as(admin)(
    notifications.push,
    { body: { userIds: [colleague.id, person.id], title: `Welcome, ${name}`, body: `${name} joined` } },
    { requestId: randomUUID() },
  )
  await as(admin)(accounts.update, { body: { userId: person.id, editorId: editor.id } }, { requestId: randomUUID() })
  // An old address, and mails that wait for it.
  await service.database.asSystem(async (tx) => {
    const key = () => `password:${randomUUID()}` as const
    const old = `old.${mark}@marks.test`
    await tx.count(sql`update person set email = ${old} where id = ${person.id}`)
    await sendMail(tx, { key: key(), to: old, template: 'addressChanged', data: { newAddress: email } })
    await sendMail(tx, { key: key(), to: old, template: 'passwordChanged', data: {} })
    await tx.count(sql`update person set email = ${email} where id = ${person.id}`)
    await sendMail(tx, { key: key(), to: email, template: 'passwordChanged', data: {} })
    await tx.count(sql`
      insert into connected_account (issuer, subject, person_id, provider, email)
      values ('https://issuer.test', ${mark}, ${person.id}, 'google', ${email})`)
    await tx.count(sql`
      insert into passkey (person_id, credential, public_key, counter, transports, name)
      values (${person.id}, ${mark}, ${Buffer.from(mark)}, 0, ${[mark]}, ${mark})`)
  })
  await runJobs('mail')
  const notice = {
    kind: 'news' as const,
    title: 'Soon',
    body: `${name} leaves`,
    cta: null,
    metadata: {},
    cause: `person:${person.id}`,
  }
  await service.database.asSystem((tx) => enqueue(tx, 'notice', { notice, userIds: [colleague.id] }))
  await service.database.asSystem(async (tx) => {
    await tx.count(sql`update mail set error = ${`no such person: ${email}`} where recipient = ${email}`)
    await tx.count(sql`update push_delivery set error = ${mark} where person_id = ${person.id}`)
    await tx.count(
      sql`update notification set error = ${mark}, metadata = ${JSON.stringify({ mark })} where user_id = ${person.id}`,
    )
    await tx.count(sql`
      update pgboss.job set state = 'failed', output = ${JSON.stringify({ message: `550 ${email}` })} where name = 'mail'`)
    await tx.count(sql`
      insert into one_time_token (hash, purpose, email, ends_at)
      values (${Buffer.from(mark)}, 'address', ${email}, now() + interval '1 day')`)
  })

  // A sentence said anew, which is still being filmed, with its words on another device.
  const { id: open } = await beginOrFindUpload(service.database, person, {
    size: null,
    fileName: `${mark} sentence.webm`,
    fileType: 'video/webm',
    takeId: randomUUID(),
  })
  await mine(assets.note, { params: { assetId: open }, body: { again: [], shown: [], sentence: `${mark} sentence` } })
  await mine(assets.prompt, { body: { from: 'recorder', text: `${mark} words` } })
  // An upload in the middle, a render at work, chunks of an earlier one.
  const upload = await beginUpload(service.database, person, {
    size: 1000,
    fileName: `${mark} upload.mp4`,
    fileType: `video/${mark}`,
  })
  await storage().create(upload)
  await storage().append(upload, 0, Readable.from([Buffer.from(`${mark} bytes`)]))
  const [render] = await rows<{ id: string }>(sql`select id from render`)
  for (const folder of [`renders/${render!.id}/1`, `listening/${projectId}/1`, `chunks/${projectId}`])
    await writeFile(join(await storage().workFolder(folder), 'made.mp4'), mark)
  const place = onDisk().path(source, '')
  await mkdir(place, { recursive: true })
  await writeFile(join(place, 'original.mp4'), mark)
  // A hash of the address identifies them too.
  for (const said of [email, `code ${email}`]) secrets.push(createHash('sha256').update(said).digest('hex'))
  secrets.push(
    ...(await rows<{ id: string }>(sql`select id from session_family where person_id = ${person.id}`)).map(
      ({ id }) => id,
    ),
  )
}

/** `HH:MM` where they live. */
const hoursFromNow = (hours: number): string =>
  new Date(Date.now() + hours * 3_600_000).toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })

const rows = <Row>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
  service.database.asSystem((tx) => tx.rows(query))

const everywhere = () =>
  placesOf({ superuserUrl: service.urls.superuserUrl, folder: service.config.dataDir }, [
    mark,
    email,
    ...secrets,
    cards.pays,
    cards.pays.slice(-4),
  ])

/** A trigger could not tell them: as such a failure is kept, and as it was kept before. */
const failToTell = async () => {
  const [trigger] = await rows<{ id: string }>(sql`
    insert into notification_trigger (title, description, transport_type, notification, time_zone, time_of_day, criteria)
    values ('News', '', '{push}', '{}', 'UTC', '09:00', '{}') returning id`)
  await rows(sql`
    insert into trigger_run (trigger_id, due_at, fired_at, time_zone, content, try_at, error_list)
    values (${trigger!.id}, now(), now(), 'UTC', '{}', now(),
      array[${`${person.id}: ${email} does not fit`}, ${`${name}: does not fit`}, 'Given up'])`)
}

/** The approved video is scheduled for a network, taken back, and said to be there. */
const postSomewhere = async (projectId: string) => {
  const at = { params: { projectId } }
  const [connection] = await rows<{ id: string }>(sql`
    insert into connection (user_id, network, account_id, name, tokens)
    values (${person.id}, 'youtube', ${mark}, ${mark}, ${mark}) returning id`)
  await service.database.asSystem(async (tx) => {
    await tx.count(sql`
      insert into connection_walk (state_hash, user_id, network, verifier, ends_at)
      values (${Buffer.from(mark)}, ${person.id}, 'youtube', ${mark}, now() + interval '1 day')`)
    await tx.count(sql`update asset set sha256 = 'x' where project_id = ${projectId}`)
  })
  await rows(sql`
    insert into refund (charge_id, user_id, kind, amount, currency, reason, by_id)
    select c.id, c.user_id, 'card', 1, c.currency, ${mark}, c.user_id from charge c where c.user_id = ${person.id} and c.paid limit 1`)
  await rows(sql`
    insert into invitation (email, mailbox, role, invited_by, mail_id, sent_at, mailed_at, ends_at, accepted_at, accepted_by)
    values (${email}, ${email}, 'User', ${person.id}, gen_random_uuid(), now(), array[now()], now(), now(), ${person.id})`)
  await mine(projects.schedule, {
    ...at,
    body: {
      publishAt: new Date(Date.now() + 86_400_000).toISOString(),
      posts: [
        { connectionId: connection!.id, words: `${mark} words`, title: `${mark} title`, comment: `${mark} comment` },
      ],
    },
  })
  const [waiting] = await rows<{ id: string }>(sql`select id from post where project_id = ${projectId}`)
  await mine(publishing.reword, {
    params: { postId: waiting!.id },
    body: { words: `${mark} other words`, title: `${mark} other title`, comment: `${mark} other comment` },
  })
  await mine(projects.unschedule, at)
  await mine(publishing.setSlots, { body: { items: [{ weekday: 2, time: '09:00' }] } })
  const [post] = await rows<{ id: string }>(sql`
    update post set state = 'unconfirmed', failure_words = ${mark}, handles = ${JSON.stringify({ mark })}, remote_id = ${mark}
    where project_id = ${projectId} returning id`)
  await rows(sql`
    update post_comment set failure_words = ${mark}, handles = ${JSON.stringify({ mark })}, remote_id = ${mark} where post_id = ${post!.id}`)
  await mine(publishing.confirm, { params: { postId: post!.id }, body: { address: `https://${mark}.test/post` } })
}

test('every column of every table is declared once, with its owner, its removal and its export', async () => {
  const declared = new Map<string, { removal: string[]; file: string[] }>()
  const names = (text = '') => text.split(/\s+/).filter((one) => one !== '')
  for (const [, { tables }] of personalData)
    for (const [table, { erased, stays = {}, given, withheld = {} }] of Object.entries(tables))
      declared.set(table, {
        removal: [...names(erased), ...Object.values(stays).flatMap(names)],
        file: [...names(given), ...Object.values(withheld).flatMap(names)],
      })
  const nobodys = new Set(Object.values(impersonalTables).flat())
  const there = Map.groupBy(await columnsOf(service.urls.superuserUrl), ({ table }) => table)
  const wrong: string[] = []
  for (const [table, columns] of there) {
    if (nobodys.has(table) || (table.startsWith('pgboss.') && table !== 'pgboss.job')) continue
    const say = declared.get(table)
    if (!say) wrong.push(`${table}: say in its room’s personal-data.ts what it holds about people`)
    const is = columns.map(({ column }) => column).toSorted()
    for (const use of ['removal', 'file'] as const)
      if (say && say[use].toSorted().join(' ') !== is.join(' '))
        wrong.push(
          `${table}, ${use}: ${
            say[use]
              .filter((one) => !is.includes(one))
              .concat(is.filter((one) => !say[use].includes(one)))
              .join(' ') || 'named twice'
          }`,
        )
  }
  const gone = [...declared.keys(), ...nobodys].filter((table) => !there.has(table))
  expect({ wrong, gone }).toEqual({ wrong: [], gone: [] })
})

test('an export of a person who used every feature has the id of no staff in any of its files', async () => {
  await everythingUsed()
  await as(person)(accounts.startExport, {})
  const [made] = await rows<{ id: string }>(sql`select id from data_export where person_id = ${person.id}`)
  const [job] = await rows<{ data: Parameters<typeof exportJob.run>[0] }>(sql`
    select data from pgboss.job where name = 'export' and data->>'exportId' = ${made!.id}`)
  await exportJob.run(job!.data, jobContext(service))
  const { pages } = (await exportBehind(service.database, made!.id, new Date()))!
  const files = await Promise.all(
    pages.map(async ({ name: page, open }) => [page, await text((await open())!.stream())] as const),
  )
  expect(files.map(([file]) => file)).toEqual(
    expect.arrayContaining(['audit_value.json', 'project_event.json', 'webhook_event.json', 'notification.json']),
  )
  const staff = await rows<{ id: string }>(sql`select id from person where id not in (${person.id}, ${colleague.id})`)
  const named = files.flatMap(([file, words]) => staff.filter(({ id }) => words.includes(id)).map(() => file))
  expect(named).toEqual([])
})

test('a removed person who used every feature leaves no trace in any column or file', async () => {
  await everythingUsed()
  await failToTell()

  // The test counts only if it reaches every text field and every column that is to be erased.
  expect(textFields('User').filter((field) => !written.has(field) && !isNoText(field))).toEqual([])
  await takeSamples(service.urls.superuserUrl)
  const before = await everywhere()
  const sampled = before.filter((place) => place.startsWith('sample of '))
  expect(sampled.length).toBeGreaterThan(20)
  // The one with the receipt may leave after everything else is erased.
  expect(sampled.filter((place) => place.startsWith('sample of mail.'))).toEqual([])
  const erasable = personalData.flatMap(([, { tables }]) =>
    Object.entries(tables).flatMap(([table, { erased = '' }]) =>
      erased.split(' ').map((column) => `${table}.${column}`),
    ),
  )
  const texts = await textColumns()
  const missed = erasable.filter((place) => texts.has(place) && !before.includes(place) && !unmarked.has(place))
  expect(missed, 'erased, but never filled here: write it in useEverything').toEqual([])
  expect(before.filter((place) => place.startsWith('file ')).length).toBeGreaterThan(6)

  const answer = await service.app.inject({
    method: 'DELETE',
    url: '/api/accounts/user/delete/',
    headers: { authorization: `Bearer ${person.token}`, cookie: person.cookie },
  })
  expect(answer.json()).toMatchObject({ success: true, receipt: { number: expect.stringMatching(/^R-\w{8}$/) } })
  // The receipt goes to the address first; a kill of the job at any of its steps is made good by the next run.
  const [receiptMail] = await rows<{ id: string }>(sql`select id from mail where template = 'removed'`)
  await registry.mail.run({ mailId: receiptMail!.id }, jobContext(service))
  const [removal] = await rows<{ id: string }>(sql`select id from removal`)
  for (let i = 0; i < 2; i++) await eraseJob.run({ removalId: removal!.id }, jobContext(service))
  for (const { data } of await rows<{ data: never }>(sql`select data from pgboss.job where name = 'end-grant'`))
    await registry['end-grant'].run(data, jobContext(service))

  // What open pages were told is dropped two minutes later (main/worker.ts).
  await rows(sql`delete from news`)
  expect(await everywhere()).toEqual([])
  expect(await rows(sql`select error_list from trigger_run`)).toEqual([
    { error_list: [...Array(2).fill('Somebody who was removed could not be told.'), 'Given up'] },
  ])
  expect(await rows(sql`select from removal where work is null and finished_at is not null`)).toHaveLength(1)
  expect(
    await rows(sql`select nmls_number, licence_states, work_week, time_off from person where id = ${person.id}`),
  ).toEqual([{ nmls_number: null, licence_states: [], work_week: null, time_off: [] }])
  expect(
    await rows(sql`
      select distinct m.work_week, m.time_off from membership m where m.person_id = ${person.id} and m.time_zone = 'America/New_York'`),
  ).toEqual([{ work_week: null, time_off: [] }])
})

/** Fields that take a secret, a number of ours or a rule of a browser's, and nothing that a person thinks up. */
const isNoText = (field: string): boolean =>
  /\.(privacy|password|passwordConfirmation|pass|passConfirm|timezone|planId|keepCode|invitationCode)$/.test(field) ||
  // Digits alone; that they go is looked at by itself.
  /\.(nmlsNumber|workWeek.*|timeOff.*)$/.test(field) ||
  // Times of the week.
  field.startsWith('publishing.setSlots.') ||
  // Addresses of our own files, and colours.
  /\.(primaryColor|secondaryColor|photoUrl|logo)$/.test(field) ||
  /^(identity|security)\./.test(field) ||
  // What a network sends back.
  field.startsWith('publishing.finishConnecting.') ||
  // What a network is told; it answers how the account is called.
  field.startsWith('publishing.connectWithPassword.') ||
  // The same words go into the same columns as those of a profile.
  /^(accounts\.(create|login)|invitations)\./.test(field) ||
  // Sent by pages without a session, so it belongs to no known person.
  field.startsWith('tracking.send.')

/** Erased columns without text of a person: written by the product or by a program. */
const unmarked = new Set(
  [
    'person.nmls_number person.licence_states person.work_week person.time_off',
    'membership.work_week membership.time_off membership.time_zone',
    'post_slots.slots',
    'password.hash refresh_token.hash refresh_token.salt refresh_token.asked_by refresh_token.asked_before one_time_token.purpose totp.secret',
    'one_time_token.asked_by one_time_token.guesses',
    'recovery_code.hash connected_account.issuer connected_account.provider passkey.counter',
    'person.photo_url asset_face.field person.time_zone answered_request.request_id answered_request.digest',
    'data_export.state data_export.asked data_export.file_ids removal.work note_event.actor_email note.author_email',
    'subscription.payment_method_id subscription.card_brand charge.brand customer.id',
    'project_event.before pgboss.job.source_output push.url push_device.p256dh push_device.auth push_delivery.key',
    'push_delivery.state notification.status notification.cta notification.cause notification.kind',
    'notification_choice.kind notification_choice.email notification_quiet.from_time notification_quiet.until_time',
    'notification_waiting.channel mail.key mail.template mail.state',
    'api_key.prefix api_key.scopes api_key.ended_by saved_view.page support_thread.state support_thread.from_net support_message.kind',
    'audit_value.salt connection.network connection.state connection_walk.network post_comment.state post_comment.failure invitation.role invitation.token_hash invitation.mailed_at',
  ].flatMap((line) => line.split(' ')),
)

const textColumns = async (): Promise<Set<string>> =>
  new Set(
    (
      await rows<{ place: string }>(sql`
        select case table_schema when 'public' then '' else table_schema || '.' end || table_name || '.' || column_name as place
        from information_schema.columns where data_type in ('text', 'jsonb', 'json', 'bytea', 'ARRAY', 'character varying')`)
    ).map(({ place }) => place),
  )

/** Keys of a browser, well-formed: nothing is ever sent to it here. */
const keysFor = (publicKey: string) => ({ p256dh: publicKey, auth: 'A'.repeat(22) })
