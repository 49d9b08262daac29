import { randomUUID } from 'node:crypto'
import { apiKeys } from '@clear-to-post/contract/api-keys'
import { clips } from '@clear-to-post/contract/clips'
import { looks } from '@clear-to-post/contract/looks'
import { notes } from '@clear-to-post/contract/notes'
import { notifications } from '@clear-to-post/contract/notifications'
import { projects } from '@clear-to-post/contract/projects'
import { scripts } from '@clear-to-post/contract/scripts'
import { support } from '@clear-to-post/contract/support'
import { views } from '@clear-to-post/contract/views'
import { lookOf } from '@clear-to-post/edit/look'
import { type Recipe } from '@clear-to-post/edit/recipe'
import { feedbackCriteria } from '@clear-to-post/domain/feedback'
import { sql } from '../src/kernel/database.ts'
import { makeEdit } from './make-edit.ts'
import {
  callAs,
  callConfirmed,
  makePerson,
  makeTenant,
  makeVideo,
  subscribe,
  type Person,
  type Service,
} from './service.ts'

/** A tenant with people and one of each thing that a call may name by its id. */
export type Stage = {
  tenantId: string
  officer: Person
  editor: Person
  qa: Person
  admin: Person
  project: { id: string }
  /** The project's source. */
  asset: string
  /** A video of the officer's that no project has. */
  unused: string
  /** A project that the editor has in hand, and a cut of it that was not sent yet. */
  begun: { id: string }
  cut: string
  /** Its edit, saved once, and a render of it that was stopped. */
  recipe: Recipe
  render: string
  /** The officer's browser, in a sign-in of theirs. */
  device: string
  note: string
  triggerId: string
  script: string
  category: string
  libraryScript: string
  /** A clip of the company's B-roll library, its file, and a file of the ADMIN's that no library has. */
  clip: string
  clipFile: string
  clipDraft: string
  /** A take of the officer's that is still being recorded. */
  take: string
  /** A look of the company. */
  look: string
  /** An account that the officer connected, and a post of theirs that failed. */
  connection: string
  /** An account at a network of the company’s, with which the officer posts. */
  account: string
  post: string
  /** A comment of the officer's on their project. */
  comment: string
  notification: string
  /** An invitation of the company's that is open. */
  invitation: string
  /** A key of the officer's for programs. */
  apiKey: string
  /** A key of the company's own, and the company as who acts by it. */
  companysKey: string
  company: string
  /** A webhook endpoint of the company's, and what waits for it. */
  endpoint: string
  delivery: string
  /** A question of the officer's to support. */
  thread: string
  /** A view of a list that the officer keeps. */
  view: string
  /** A payment of the officer's, as the payment service names it. */
  charge: string
}

/** Sets a stage in a tenant of its own. */
export const openStage = async (service: Service): Promise<Stage> => {
  const tenantId = await makeTenant(service)
  await subscribe(service, { tenantId })
  const make = (role: Parameters<typeof makePerson>[1]) => makePerson(service, role, { tenantId })
  const [officer, editor, qa, admin] = [await make('User'), await make('Editor'), await make('QA'), await make('ADMIN')]
  const bound = sql`update person set editor_id = ${editor.id} where id = ${officer.id}`
  await service.database.asSystem((tx) => tx.count(bound))
  const asset = await makeVideo(service, officer)
  const as = (person: Person) => callAs(service, person)
  const project = await as(officer)(projects.create, { body: { title: 'Matrix', assets: [asset] } })
  const { id: note } = await as(admin)(notes.save, { body: { userId: officer.id, title: 'Taste', content: 'Slow' } })
  const { id: triggerId } = await callConfirmed(service, admin)(notifications.createTrigger, { body: trigger })
  const { id: script } = await as(officer)(scripts.create, { body: { title: 'Mine', content: 'Words' } })
  const { id: category } = await as(admin)(scripts.saveCategory, { body: inLibrary })
  const { id: libraryScript } = await as(admin)(scripts.create, {
    body: { title: 'Ours', content: 'Words', categoryId: category },
  })
  await callConfirmed(service, admin)(notifications.push, {
    body: { userIds: [officer.id], title: 'Hello', body: 'There' },
  })
  const { id: notification } = (await as(officer)(notifications.list, {})).items[0]!
  const clipFile = await makeVideo(service, admin)
  const { id: clip } = await as(admin)(clips.add, { body: { assetId: clipFile, title: 'Keys', tags: ['house'] } })
  const clipDraft = await makeVideo(service, admin)
  const unused = await makeVideo(service, officer)
  const take = await makeVideo(service, officer)
  await service.database.asSystem((tx) =>
    tx.count(sql`
      update asset set take_id = gen_random_uuid(), state = 'uploading', is_open = true where id = ${take}`),
  )
  const source = await makeVideo(service, officer)
  const { id } = await as(officer)(projects.create, { body: { title: 'Begun', assets: [source] } })
  const begun = await as(editor)(projects.start, { body: { projectId: id } })
  const cut = await makeVideo(service, editor, begun)
  const recipe = await makeEdit(service, begun, source)
  // For reports, which count what was judged.
  const film = await makeVideo(service, officer)
  const judged = await as(officer)(projects.create, { body: { title: 'ReviewedCut', assets: [film] } })
  await as(editor)(projects.start, { body: { projectId: judged.id } })
  const sent = { params: { projectId: judged.id }, body: { finalVideoId: await makeVideo(service, editor, judged) } }
  await as(editor)(projects.send, sent)
  const denyFeedback = { criteria: [{ ...feedbackCriteria[0]!, score: 4 }] }
  await as(qa)(projects.deny, { ...sent, body: { denyFeedback, categories: ['cut'] } })
  const { id: look } = await as(editor)(looks.add, {
    params: { projectId: id },
    body: { name: 'Warm', content: lookOf(recipe) },
  })
  const { id: render } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ id: string }>`
      insert into render (project_id, tenant_id, revision, recipe, state, asked_by)
      values (${id}, ${tenantId}, 1, ${JSON.stringify(recipe)}, 'canceled', ${editor.id}) returning id`),
  ))!
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into render_ahead (project_id, tenant_id, revision, state) values (${id}, ${tenantId}, 1, 'stopped')`),
  )
  const { id: device } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ id: string }>`
      with family as (
        insert into session_family (person_id, ends_at) values (${officer.id}, now() + interval '1 day') returning id)
      insert into push_device (person_id, family_id, endpoint, p256dh, auth, name)
      select ${officer.id}, id, ${`https://push.example.com/${randomUUID()}`}, 'x', 'x', 'A phone' from family returning id`),
  ))!
  const { id: connection } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ id: string }>`
      insert into connection (user_id, network, account_id, name) values (${officer.id}, 'youtube', 'UC1', 'A channel') returning id`),
  ))!
  const { id: account } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ id: string }>`
      with account as (
        insert into connection (tenant_id, network, account_id, name) values (${tenantId}, 'youtube', 'UC2', 'The company’s')
        returning id),
      officer as (
        insert into connection_officer (connection_id, user_id, tenant_id, allowed_at)
        select id, ${officer.id}, ${tenantId}, now() from account)
      select id from account`),
  ))!
  const { id: post } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ id: string }>`
      insert into post (project_id, tenant_id, user_id, connection_id, network, asset_id, sha256, title, words, due_at, state, failure)
      values (${project.id}, ${tenantId}, ${officer.id}, ${connection}, 'youtube', ${asset}, 'x', 'Rates', 'Words', now(),
        'failed', 'retry')
      returning id`),
  ))!
  const { id: comment } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ id: string }>`
      insert into project_comment (project_id, user_id, tenant_id, number, at_ms, text, author_id, internal)
      values (${project.id}, ${officer.id}, ${tenantId}, 1, 0, 'Shorter', ${officer.id}, false) returning id`),
  ))!
  const { id: invitation } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ id: string }>`
      insert into invitation (email, mailbox, role, tenant_id, invited_by, token_hash, mail_id, sent_at, mailed_at, ends_at)
      values (${`${randomUUID()}@new.test`}, 'sample@new.test', 'QA', ${tenantId}, ${admin.id}, sha256(${randomUUID()}::bytea), gen_random_uuid(),
        now() - interval '1 hour', array[now() - interval '1 hour'], now() + interval '6 days')
      returning id`),
  ))!
  const { made } = await callConfirmed(service, officer)(apiKeys.create, {
    body: { name: 'Reports', scopes: ['videos.read'], days: 30 },
  })
  const apiKey = made.id
  const { made: ofCompany } = await callConfirmed(service, admin)(apiKeys.create, {
    body: { name: 'Warehouse', scopes: ['videos.read'], days: 30, forCompany: true },
  })
  const companysKey = ofCompany.id
  const { company } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ company: string }>`select person_id as company from api_key where id = ${companysKey}`),
  ))!
  const { id: endpoint } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ id: string }>`
      insert into webhook_endpoint (tenant_id, url, description, events, secret)
      values (${tenantId}, 'https://program.example/hook', 'Our CRM', '{video.approved}', '1.none') returning id`),
  ))!
  const { id: delivery } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ id: string }>`
      with event as (
        insert into webhook_event (tenant_id, project_id, type, data, at)
        values (${tenantId}, ${project.id}, 'video.approved', '{}', now() - interval '1 minute') returning id),
      delivery as (
        insert into webhook_delivery (endpoint_id, event_id, tenant_id, turn_id, state, at, next_at)
        select ${endpoint}, event.id, ${tenantId}, ${project.id}, 'failed', now() - interval '1 minute', now() from event returning id),
      attempt as (
        insert into webhook_attempt (delivery_id, tenant_id, at, ms, status, answer)
        select delivery.id, ${tenantId}, now(), 12, 500, 'Out of order' from delivery)
      select id from delivery`),
  ))!
  const kept = { page: '/panel/people', name: 'Mine', search: { q: 'Eli' } }
  const { id: view } = await as(officer)(views.create, { body: kept })
  const { id: thread } = await as(officer)(support.ask, { body: { subject: 'Invoice', body: 'Where is it?' } })
  await as(admin)(support.assign, { params: { threadId: thread }, body: { assigneeId: admin.id } })
  const { id: charge } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ id: string }>`
      insert into charge (id, user_id, created_at, paid, receipt_url, status, price, currency, payment_type, reading)
      values (${`ch_${randomUUID()}`}, ${officer.id}, now(), true, '', 'succeeded', 9900, 'usd', 'card', 1) returning id`),
  ))!
  return {
    tenantId,
    officer,
    editor,
    qa,
    admin,
    project,
    asset,
    unused,
    begun,
    cut,
    recipe,
    render,
    device,
    note,
    triggerId,
    script,
    category,
    libraryScript,
    clip,
    clipFile,
    clipDraft,
    take,
    connection,
    account,
    post,
    comment,
    look,
    notification,
    invitation,
    apiKey,
    companysKey,
    company,
    endpoint,
    delivery,
    view,
    thread,
    charge,
  }
}

export const trigger = {
  title: 'Come back',
  transportType: ['push' as const],
  notification: { title: 'Hi', body: 'Film one' },
  timeOfDay: '09:00',
  criteria: { type: 'allUsers' as const },
}
export const inLibrary = { title: 'Market', backgroundColor: '#aabbcc' }
