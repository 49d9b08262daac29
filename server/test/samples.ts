import { randomUUID } from 'node:crypto'
import { apiKeys } from '@clear-to-post/contract/api-keys'
import { clips } from '@clear-to-post/contract/clips'
import { looks } from '@clear-to-post/contract/looks'
import { notes } from '@clear-to-post/contract/notes'
import { notifications } from '@clear-to-post/contract/notifications'
import { projects } from '@clear-to-post/contract/projects'
import { scripts } from '@clear-to-post/contract/scripts'
import { feedbackCriteria } from '@clear-to-post/domain/feedback'
import { termsVersions } from '@clear-to-post/domain/terms'
import { support } from '@clear-to-post/contract/support'
import { views } from '@clear-to-post/contract/views'
import { lookOf } from '@clear-to-post/edit/look'
import { wholeRecipe, type Recipe } from '@clear-to-post/edit/recipe'
import { sql } from '../src/kernel/database.ts'
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

/**
 * How a call is asked. `of` is the project (or other thing) that the sample touches: staff of another tenant must find it
 * absent.
 */
export type Sample = {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  of?: 'project' | 'thing'
}

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
    endpoint,
    delivery,
    view,
    thread,
    charge,
  }
}

/** Every call of the contract, as somebody of a stage would ask it. A new call must say here how it is asked. */
export const samplesOf = ({
  tenantId,
  officer,
  editor,
  project,
  asset,
  unused,
  begun,
  cut,
  recipe,
  render,
  note,
  triggerId,
  script,
  clip,
  clipDraft,
  take,
  connection,
  account,
  post,
  comment,
  look,
  invitation,
  apiKey,
  endpoint,
  delivery,
  thread,
}: Stage): Record<string, () => Sample> => {
  const inProject = (): Sample => ({ params: { projectId: project.id }, of: 'project' })
  const inComment = (): Sample => ({ params: { projectId: project.id, commentId: comment }, of: 'project' })
  const inEndpoint = (): Sample => ({ params: { endpointId: endpoint }, of: 'thing' })
  const inThread = (): Sample => ({ params: { threadId: thread }, of: 'thing' })
  const inDelivery = (): Sample => ({ params: { endpointId: endpoint, deliveryId: delivery }, of: 'thing' })
  const inBegun = (): Sample => ({ params: { projectId: begun.id }, of: 'project' })
  return {
    'accounts.login': () => ({ body: { system: 'APP', email: 'no@one.test', password: 'nothing' } }),
    'accounts.create': () => ({
      body: {
        email: `${randomUUID()}@new.test`,
        name: 'New',
        password: 'Long-enough-1x',
        passwordConfirmation: 'Long-enough-1x',
      },
    }),
    'accounts.info': () => ({}),
    'accounts.search': () => ({}),
    'accounts.consents': () => ({}),
    'tenants.setUp': () => ({ params: { tenantId }, of: 'thing' }),
    'accounts.person': () => ({ params: { userId: officer.id }, of: 'thing' }),
    'projects.allowanceOf': () => ({ params: { userId: officer.id }, of: 'thing' }),
    'security.ofPerson': () => ({ params: { userId: officer.id }, of: 'thing' }),
    // Nobody of this id: whoever may remove others must not remove the people of this test.
    'accounts.remove': () => ({ query: { userId: randomUUID() } }),
    // Nobody of this id: it ends the sessions of the people of this test.
    'accounts.previewRemoval': () => ({ query: { userId: officer.id }, of: 'thing' }),
    'accounts.removals': () => ({}),
    'accounts.dataExport': () => ({}),
    'accounts.startExport': () => ({}),
    'accounts.openExport': () => ({}),
    'accounts.resetSecondFactor': () => ({ body: { userId: randomUUID() } }),
    'accounts.createToken': () => ({}),
    'accounts.getToken': () => ({}),
    'accounts.sendCode': () => ({ query: { email: `${randomUUID()}@new.test` } }),
    'accounts.validateCode': () => ({ query: { email: 'no@one.test', code: '000000' } }),
    'accounts.changePassword': () => ({
      body: { email: 'no@one.test', pass: 'Long-enough-1x', passConfirm: 'Long-enough-1x', code: '000000' },
    }),
    'accounts.changeEmail': () => ({ body: { email: `${randomUUID()}@new.test`, code: '000000' } }),
    'accounts.verifyEmail': () => ({ body: { code: '000000' } }),
    'accounts.acceptTerms': () => ({ body: { documents: [{ document: 'terms', version: termsVersions.terms }] } }),
    'accounts.available': () => ({ query: { email: 'no@one.test' } }),
    'accounts.update': () => ({ body: { userId: officer.id, profession: 'Loan officer' }, of: 'thing' }),
    'accounts.setup': () => ({ body: { userId: officer.id, profession: 'Loan officer' }, of: 'thing' }),
    'accounts.bound': () => ({}),
    'apiKeys.list': () => ({}),
    'apiKeys.create': () => ({ body: { name: 'Reports', scopes: ['scripts.read'], days: 7 } }),
    'apiKeys.revoke': () => ({ params: { keyId: apiKey }, of: 'thing' }),
    'apiKeys.ofCompany': () => ({}),
    'webhooks.list': () => ({}),
    'webhooks.create': () => ({ body: { url: 'https://program.example/new', events: ['video.approved'] } }),
    'webhooks.find': inEndpoint,
    'webhooks.update': () => ({ ...inEndpoint(), body: { description: 'Our other CRM' } }),
    'webhooks.rotate': inEndpoint,
    'webhooks.pause': inEndpoint,
    'webhooks.resume': inEndpoint,
    'webhooks.remove': inEndpoint,
    'webhooks.test': inEndpoint,
    'webhooks.deliveries': inEndpoint,
    'webhooks.delivery': inDelivery,
    'webhooks.resend': inDelivery,
    'webhooks.resendSince': () => ({ ...inEndpoint(), body: { since: new Date(0).toISOString() } }),
    'publishing.connections': () => ({}),
    'publishing.connect': () => ({ body: { network: 'youtube' } }),
    'publishing.finishConnecting': () => ({ body: { state: 'nothing', code: 'nothing' } }),
    'publishing.connectWithPassword': () => ({
      body: { network: 'bluesky', name: 'sam.bsky.sandbox', password: 'abcd-efgh-ijkl-mnop' },
    }),
    'publishing.disconnect': () => ({ params: { connectionId: connection }, of: 'thing' }),
    'publishing.officers': () => ({ params: { connectionId: account }, of: 'thing' }),
    'publishing.letOfficer': () => ({ params: { connectionId: account, userId: officer.id }, of: 'thing' }),
    'publishing.stopOfficer': () => ({ params: { connectionId: account, userId: officer.id }, of: 'thing' }),
    'publishing.posts': () => ({ params: { projectId: project.id }, of: 'project' }),
    'publishing.captions': () => ({ params: { projectId: project.id }, of: 'project' }),
    'publishing.calendar': () => ({ query: { from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z' } }),
    'publishing.figures': () => ({}),
    'publishing.slots': () => ({}),
    'publishing.setSlots': () => ({ body: { items: [{ weekday: 2, time: '09:00' }] } }),
    'publishing.repeat': () => ({ params: { postId: post }, of: 'thing' }),
    'publishing.confirm': () => ({ params: { postId: post }, body: {}, of: 'thing' }),
    'publishing.deny': () => ({ params: { postId: post }, of: 'thing' }),
    'publishing.move': () => ({ params: { postId: post }, body: { dueAt: later }, of: 'thing' }),
    'publishing.repeatComment': () => ({ params: { postId: post }, of: 'thing' }),
    'publishing.confirmComment': () => ({ params: { postId: post }, of: 'thing' }),
    'publishing.withdraw': () => ({ params: { postId: post }, of: 'thing' }),
    'publishing.takeDown': () => ({ params: { postId: post }, of: 'thing' }),
    'assets.find': () => ({ params: { assetId: asset }, of: 'thing' }),
    'assets.unused': () => ({}),
    'assets.note': () => ({ params: { assetId: take }, body: { again: [], shown: [[0, 0]] }, of: 'thing' }),
    'assets.sendParts': () => ({ params: { assetId: take }, body: {}, of: 'thing' }),
    'assets.prompt': () => ({ body: { from: 'words' as const, press: 'hello' as const } }),
    'assets.discard': () => ({ params: { assetId: asset }, of: 'thing' }),
    'calendar.read': () => ({}),
    'calendar.renew': () => ({}),
    'calendar.remove': () => ({}),
    'clips.list': () => ({}),
    'clips.add': () => ({ body: { assetId: clipDraft, title: 'A street', tags: ['house'] } }),
    'clips.change': () => ({ params: { clipId: clip }, body: { title: 'Keys in a hand' }, of: 'thing' }),
    'looks.list': inBegun,
    'looks.add': () => ({ ...inBegun(), body: { name: `Calm ${randomUUID()}`, content: lookOf(recipe) } }),
    'looks.rename': () => ({ params: { lookId: look }, body: { name: `Quiet ${randomUUID()}` }, of: 'thing' }),
    'looks.remove': () => ({ params: { lookId: look }, of: 'thing' }),
    'edits.clips': inBegun,
    'edits.find': inBegun,
    'edits.save': () => ({ ...inBegun(), body: { revision: 1, recipe } }),
    'edits.make': () => ({ ...inBegun(), body: {} }),
    'edits.rules': () => ({}),
    'reports.videos': () => ({ query: reportPeriod() }),
    'reports.forecast': () => ({}),
    'reports.money': () => ({ query: reportPeriod() }),
    'reports.parts': () => ({ query: { ...reportPeriod(), by: 'officer' } }),
    // Lost until the day after tomorrow is who sent something in today.
    'reports.lost': () => ({ query: reportPeriod(1) }),
    'edits.renders': inBegun,
    'edits.ahead': inBegun,
    'edits.render': () => ({ ...inBegun(), body: { revision: 1 } }),
    'edits.cancelRender': () => ({ params: { renderId: render }, of: 'thing' }),
    'edits.retryRender': () => ({ params: { renderId: render }, of: 'thing' }),
    'edits.handOver': inBegun,
    'edits.glossary': () => ({ params: { userId: officer.id }, of: 'thing' }),
    'edits.setGlossary': () => ({
      params: { userId: officer.id },
      body: { whose: 'own', entries: [{ term: 'NMLS' }] },
      of: 'thing',
    }),
    'feedback.criteria': () => ({}),
    'feedback.setCriteria': () => ({ body: { criteria: feedbackCriteria } }),
    'identity.password': () => ({ body: { email: 'no@one.test', password: 'nothing' } }),
    'identity.customToken': () => ({ body: { token: 'nothing' } }),
    'identity.confirm': () => ({ body: { password: 'nothing' } }),
    'identity.refresh': () => ({}),
    'identity.signOut': () => ({ body: {} }),
    'identity.keys': () => ({}),
    'identity.providers': () => ({}),
    'identity.provider': () => ({ body: { state: 'nothing-of-twenty-letters', code: 'nothing' } }),
    'identity.passkeyStart': () => ({ body: {} }),
    'identity.passkey': () => ({ body: { credential } }),
    'identity.secondFactor': () => ({ body: { challenge: 'nothing', proof: { method: 'totp', code: '000000' } } }),
    'security.read': () => ({}),
    // With a challenge of nobody's: what they do for somebody signed in is asked in second-factor.test.ts.
    'security.startTotp': () => ({ body: { challenge: 'nothing' } }),
    'security.confirmTotp': () => ({ body: { challenge: 'nothing', code: '000000' } }),
    'security.startPasskey': () => ({ body: { challenge: 'nothing' } }),
    'security.addPasskey': () => ({ body: { challenge: 'nothing', name: 'Phone', credential } }),
    'security.removeTotp': () => ({}),
    'security.removePasskey': () => ({ body: { id: randomUUID() } }),
    'security.newRecoveryCodes': () => ({}),
    'security.connectProvider': () => ({ body: { state: 'nothing-of-twenty-letters', code: 'nothing' } }),
    'security.removeProvider': () => ({ body: { provider: 'google' } }),
    'notes.list': () => ({ params: { userId: officer.id }, of: 'thing' }),
    'notes.save': () => ({ body: { userId: officer.id, title: 'Taste', content: 'Slow cuts' }, of: 'thing' }),
    'notes.change': () => ({ params: { id: note }, body: { title: 'Tastes' }, of: 'thing' }),
    'notes.remove': () => ({ params: { id: note }, of: 'thing' }),
    'notifications.createTrigger': () => ({ body: trigger }),
    'notifications.triggers': () => ({}),
    'notifications.updateTrigger': () => ({ params: { id: triggerId }, body: { title: 'Other' }, of: 'thing' }),
    'notifications.deleteTrigger': () => ({ params: { id: triggerId }, of: 'thing' }),
    'notifications.trigger': () => ({ params: { id: triggerId }, of: 'thing' }),
    'notifications.triggerRuns': () => ({ params: { id: triggerId }, of: 'thing' }),
    'notifications.previewTrigger': () => ({
      body: { criteria: trigger.criteria, schedule: { timeOfDay: '09:00' } },
    }),
    'notifications.testTrigger': () => ({
      body: { transportType: trigger.transportType, notification: trigger.notification },
    }),
    'notifications.push': () => ({ body: { userIds: [officer.id], title: 'Hello', body: 'There' }, of: 'thing' }),
    'notifications.list': () => ({}),
    'notifications.read': () => ({ params: { id: randomUUID() } }),
    'notifications.clear': () => ({}),
    'notifications.readAll': () => ({}),
    'notifications.choices': () => ({}),
    'notifications.choose': () => ({ body: { kinds: [{ kind: 'news', email: 'daily' }], quiet: null } }),
    'projects.list': () => ({}),
    'projects.find': inProject,
    'projects.next': () => ({ params: { userId: randomUUID() } }),
    'projects.create': () => ({ body: { title: 'x', assets: [unused] } }),
    'projects.reorder': () => ({ body: { projectId: project.id, position: 1 }, of: 'project' }),
    'projects.start': () => ({ body: { projectId: project.id }, of: 'project' }),
    'projects.send': () => ({ params: { projectId: begun.id }, body: { finalVideoId: cut }, of: 'project' }),
    'projects.approve': inProject,
    'projects.deny': () => ({
      ...inProject(),
      body: { denyFeedback: { criteria: [{ id: 'pacing', label: 'Pacing', score: 3 }] }, categories: ['cut'] },
    }),
    'projects.review': () => ({ ...inProject(), body: { revision: 'Shorter' } }),
    'projects.schedule': () => ({
      ...inProject(),
      body: { publishAt: later, posts: [{ connectionId: connection, title: 'Rates', words: 'Words' }] },
    }),
    'projects.reschedule': () => ({ ...inProject(), body: { publishAt: later } }),
    'projects.unschedule': inProject,
    'projects.cancel': inProject,
    'projects.rollback': inProject,
    'projects.assign': () => ({ ...inProject(), body: { editorId: null } }),
    'projects.free': () => ({}),
    'projects.allowance': () => ({}),
    'projects.history': () => ({ params: { userId: officer.id } }),
    'projects.pool': () => ({}),
    'goals.list': () => ({}),
    'goals.set': () => ({ body: { editorId: randomUUID(), isoWeek: '2026-W47', target: 3 } }),
    'projects.cuts': inProject,
    'projects.comments': inProject,
    'projects.comment': () => ({ ...inProject(), body: { atMs: 1, text: 'Hello' } }),
    'projects.answerComment': () => ({ ...inComment(), body: { text: 'Why?' } }),
    'projects.editComment': () => ({ ...inComment(), body: { text: 'Later' } }),
    'projects.deleteComment': () => inComment(),
    'projects.decided': () => ({}),
    'projects.triage': () => ({ query: { until: '2026-11-24T00:00:00Z' } }),
    'projects.tickComment': () => ({ ...inComment(), body: { isDone: true } }),
    'projects.answer': () => ({ ...inProject(), body: { score: 9 } }),
    'projects.sources': inProject,
    'scripts.library': () => ({}),
    'scripts.create': () => ({ body: { title: 'Mine', content: 'Words' } }),
    'scripts.list': () => ({}),
    'scripts.update': () => ({ params: { id: script }, body: { title: 'Yours' }, of: 'thing' }),
    'scripts.remove': () => ({ params: { id: script }, of: 'thing' }),
    'scripts.saveCategory': () => ({ body: inLibrary }),
    'push.read': () => ({}),
    'push.subscribe': () => ({
      body: {
        endpoint: 'https://push.example.com/nobody',
        keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) },
        name: 'A browser',
      },
    }),
    'push.unsubscribe': () => ({ params: { deviceId: randomUUID() } }),
    'push.test': () => ({ params: { deviceId: randomUUID() } }),
    'subscriptions.products': () => ({}),
    'subscriptions.publicProduct': () => ({ params: { id: 'nothing' } }),
    'subscriptions.active': () => ({}),
    'subscriptions.find': () => ({ params: { userId: officer.id }, of: 'thing' }),
    'subscriptions.charges': () => ({}),
    'subscriptions.chargesOf': () => ({ params: { payerId: officer.id }, of: 'thing' }),
    'subscriptions.portal': () => ({}),
    'subscriptions.checkout': () => ({ body: { planId: 'nothing' } }),
    'subscriptions.charge': () => ({}),
    'subscriptions.pause': () => ({}),
    'subscriptions.resume': () => ({}),
    'subscriptions.previewPlan': () => ({ query: { planId: 'nothing' } }),
    'subscriptions.updatePlan': () => ({ body: { planId: 'nothing' } }),
    'tracking.send': () => ({ body: { category: 'page', label: 'home', action: 'seen' } }),
    'tracking.version': () => ({}),
    'tracking.contact': () => ({ body: { subject: 'Hello', body: 'There' } }),
    'subscriptions.publicProducts': () => ({}),
    'invitations.send': () => ({ body: { role: 'QA', tenantId, lines: [`${randomUUID()}@new.test`] }, of: 'thing' }),
    'invitations.list': () => ({}),
    'invitations.sendAgain': () => ({ params: { invitationId: invitation }, of: 'thing' }),
    'invitations.withdraw': () => ({ params: { invitationId: invitation }, of: 'thing' }),
    'invitations.read': () => ({ body: { token: 'nothing' } }),
    'invitations.open': () => ({
      body: { token: 'nothing', name: 'New', password: 'Long-enough-1x', passwordConfirmation: 'Long-enough-1x' },
    }),
    'invitations.accept': () => ({ body: { token: 'nothing' } }),
    'audit.list': () => ({}),
    'reports.payroll': () => ({ query: { month: '2026-11', timezone: 'America/Chicago' } }),
    'reports.setRate': () => ({
      body: { editorId: editor.id, fromMonth: '2026-11', rate: { unit: 'minute', amount: 300, currency: 'usd' } },
      of: 'thing',
    }),
    'support.mine': () => ({}),
    'support.list': () => ({}),
    'support.find': inThread,
    'support.ask': () => ({ body: { subject: 'Captions', body: 'Can they be larger?' } }),
    'support.reply': () => ({ ...inThread(), body: { body: 'It is for October.' } }),
    'support.assign': () => ({ ...inThread(), body: { assigneeId: null } }),
    'support.close': inThread,
    'support.reopen': inThread,
    'views.list': () => ({}),
    'views.create': () => ({ body: { page: '/panel/people', name: randomUUID(), search: { q: 'Eli' } } }),
    'views.rename': () => ({ params: { viewId: randomUUID() }, body: { name: 'Mine' } }),
    'views.remove': () => ({ params: { viewId: randomUUID() } }),
    'catalogue.list': () => ({}),
    'catalogue.createProduct': () => ({ body: soldProduct }),
    'catalogue.updateProduct': () => ({ params: { productId: 'nothing' }, body: { ...soldProduct, version: 'none' } }),
    'catalogue.createCoupon': () => ({
      body: { id: `C${randomUUID()}`.toUpperCase(), percentOff: 10 },
    }),
    'catalogue.retireCoupon': () => ({ params: { couponId: 'nothing' } }),
    'audit.verify': () => ({}),
    'jobs.givenUp': () => ({}),
    'jobs.counts': () => ({}),
    'jobs.sendAgain': () => ({ body: { jobIds: [randomUUID()] } }),
    'jobs.sendAll': () => ({ body: { kind: 'mail' } }),
    'jobs.letRest': () => ({ body: { jobIds: [randomUUID()] } }),
    'subscriptions.payments': () => ({}),
    'subscriptions.plans': () => ({}),
    'subscriptions.giveBack': () => ({
      params: { chargeId: `ch_${randomUUID()}` },
      body: { amount: 100, way: 'card', reason: 'Asked for', left: 1000 },
    }),
    'tenants.invitation': () => ({ params: { code: 'NOTHING' } }),
    'tenants.create': () => ({ body: { name: 'Another' } }),
    'tenants.me': () => ({}),
    'tenants.find': () => ({ params: { tenantId: tenantId }, of: 'thing' }),
    'tenants.inviteCode': () => ({ params: { tenantId: tenantId }, of: 'thing' }),
    'tenants.update': () => ({ body: { tenantId, data: { name: 'A tenant' } }, of: 'thing' }),
    'tenants.list': () => ({}),
  }
}

const credential = { id: 'x', rawId: 'x', type: 'public-key', response: {} } as const

/** The edit of a project as its first cut leaves it: everything of one source. */
export const makeEdit = async (
  { database }: Pick<Service, 'database'>,
  project: { id: string; tenantId?: string | undefined },
  assetId: string,
): Promise<Recipe> => {
  const fps = { num: 30, den: 1 }
  const source = {
    id: 's1',
    assetId,
    name: 'video.mp4',
    durationMs: 2000,
    width: 1080,
    height: 1920,
    fps,
    hasSound: true,
  }
  const brand = { primary: '#2647e0', secondary: '#ff5a3c', logo: null, name: 'An officer', line: '', legal: '' }
  const recipe = wholeRecipe([source], brand)
  await database.asSystem((tx) =>
    tx.count(sql`
      insert into edit (project_id, tenant_id, state, revision, recipe, first_cut)
      values (${project.id}, ${project.tenantId ?? null}, 'ready', 1, ${JSON.stringify(recipe)}, ${JSON.stringify(recipe)})`),
  )
  return recipe
}

const trigger = {
  title: 'Come back',
  transportType: ['push' as const],
  notification: { title: 'Hi', body: 'Film one' },
  timeOfDay: '09:00',
  criteria: { type: 'allUsers' as const },
}
const inLibrary = { title: 'Market', backgroundColor: '#aabbcc' }
const later = new Date(Date.now() + 86_400_000).toISOString()

/** Three days: yesterday, today and tomorrow, wherever the clocks of this machine stand; or so many days on from tomorrow. */
const reportPeriod = (first = -1) => {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  return { from: day(first), to: day(first + 2), timezone: 'UTC' }
}

const soldProduct = {
  name: 'A product',
  subtitle: '',
  description: '',
  position: 9,
  couponId: null,
  isActive: false,
  plans: [
    {
      currency: 'usd',
      price: 9_900,
      interval: 'month',
      projectsPerMonth: 4,
      revisionsPerProject: 1,
      turnaroundHours: 48,
    },
  ],
}
