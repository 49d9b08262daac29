import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { everyCall } from '@clear-to-post/contract/api'
import { assets } from '@clear-to-post/contract/assets'
import { addressOf, client } from '@clear-to-post/contract/client'
import { projects } from '@clear-to-post/contract/projects'
import { access } from '@clear-to-post/domain/access'
import { aboutName } from '../src/backup/folder.ts'
import { putBack } from '../src/backup/put-back.ts'
import { demoPassword, demoPeople, type DemoPerson } from '../src/main/demo/people.ts'
import { faultsOf } from './ledger.ts'
import { dropFolder, originalsOf, sha256, startLivingProduct, type LivingProduct } from './living-product.ts'
import { isLong } from './random.ts'
import { fixtureList, fixtures, migrationsNow, readList, unpack } from './releases.ts'
import { folderInMemory } from './in-memory.ts'

/**
 * The data of every release is migrated to this code, and all of it is read over the API; in `npm test` that of the first
 * release, which every migration changes, and after it that of the last.
 */
const releases = (await readList(fixtureList)).map(({ name }) => name)
for (const [place, name] of (isLong ? releases : [releases[0]!, releases.at(-1)!]).entries())
  it(
    `the data of ${name} is migrated: everybody can sign in, calls answer, a project moves on, files are served`,
    { timeout: 300_000, ...(place === 0 ? {} : { tags: 'long' }) },
    async ({ onTestFinished }) => {
      const folder = await folderInMemory('upgrade')
      onTestFinished(() => dropFolder(folder))
      const dataDir = await dataOf(name, folder)
      const product = await startLivingProduct(dataDir)
      onTestFinished(async () => void (await product.stop()))

      const applied = await product.behind('select name, sha256 from schema_migration order by name collate "C"')
      expect(applied).toEqual(await migrationsNow())
      expect(await faultsOf(product.service)).toEqual([])
      const tokens = {} as Record<DemoPerson, string>
      const there = (await product.behind<{ email: string }>('select email from person')).map(({ email }) => email)
      // Older releases have no company's administrator.
      for (const [who, { email }] of Object.entries(demoPeople).filter(([, one]) => there.includes(one.email)))
        tokens[who as DemoPerson] = await product.enter(email, demoPassword)

      expect(await failedReads(product, tokens)).toEqual([])
      await moveOn(product, tokens)
      expect(await filesServedWrongly(product, tokens.admin)).toEqual([])
      expect(await faultsOf(product.service)).toEqual([])
    },
  )

/** Early fixtures are a data folder, the others a backup. */
const dataOf = async (name: string, folder: string): Promise<string> => {
  const packedIn = join(folder, 'packed')
  await unpack(join(fixtures, name), packedIn)
  if (!existsSync(join(packedIn, aboutName))) return packedIn
  const { finish } = await putBack(packedIn, join(folder, 'data'))
  await finish()
  return join(folder, 'data')
}

/** Makes every reading call as every role that may, about one object of each kind; returns the failures. */
const failedReads = async (product: LivingProduct, tokens: Record<DemoPerson, string>): Promise<string[]> => {
  const things = await oneOfEach(product)
  const failed: string[] = []
  for (const { name, shape } of everyCall.filter((call) => call.shape.method === 'GET')) {
    const { params, query, absent = [] } = asked[name]?.(things) ?? {}
    const needed = [...shape.path.matchAll(/:(\w+)/g)].map(([, key]) => key!)
    const missing = needed.filter((key) => !params?.[key])
    if (missing.length > 0) failed.push(`${name}: this test does not say which ${missing.join(', ')} to ask for`)
    for (const [who, token] of Object.entries(tokens)) {
      const { role } = demoPeople[who as DemoPerson]
      const may = shape.access === 'anyone' || shape.access === 'signed-in' || access[shape.access].includes(role)
      // What belongs to the first company looks absent to the officer of the other one.
      if (!may || (who === 'neighbor' && needed.length > 0 && shape.access !== 'anyone')) continue
      const answer = await fetch(product.origin + addressOf(shape, params, query), {
        headers: { authorization: `Bearer ${token}` },
      })
      const body = (await answer.json()) as { code?: string }
      if (answer.status !== 200 && !absent.includes(body.code ?? ''))
        failed.push(`${name} as ${who}: ${answer.status} ${body.code}`)
    }
  }
  return failed
}

type Things = Record<
  'project' | 'edited' | 'officer' | 'editor' | 'asset' | 'trigger' | 'tenant' | 'product' | 'code',
  string
>

const oneOfEach = async ({ behind }: LivingProduct): Promise<Things> => {
  const [row] = await behind<Things>(
    `select p.id as officer, p.tenant_id as tenant, t.invite_code as code,
       (select id from person where email = $2) as editor,
       (select id from project where user_id = p.id and status = 3 limit 1) as project,
       (select e.project_id from edit e join project j on j.id = e.project_id where j.user_id = p.id and e.recipe is not null limit 1) as edited,
       (select a.id from asset a join project j on j.id = a.project_id
        where j.user_id = p.id and a.purpose = 'source' and a.derived ? 'original' limit 1) as asset,
       (select id from notification_trigger limit 1) as trigger, (select id from product limit 1) as product
     from person p join tenant t on t.id = p.tenant_id where p.email = $1`,
    [demoPeople.officer.email, demoPeople.editor.email],
  )
  return row!
}

const november = { from: '2026-11-01', to: '2026-11-30', timezone: 'America/Chicago' }

/** Of what no release has. */
const nothing = '00000000-0000-4000-8000-000000000000'

/** How a reading call is asked where it needs more than its name; `absent`: refusals that are an answer, too. */
const asked: Record<
  string,
  (things: Things) => { params?: Record<string, string>; query?: Record<string, unknown>; absent?: string[] }
> = {
  'accounts.getToken': () => ({ absent: ['account.no-token'] }),
  'accounts.available': () => ({ query: { email: 'no@one.test' } }),
  'assets.find': ({ asset }) => ({ params: { assetId: asset } }),
  'edits.find': ({ edited }) => ({ params: { projectId: edited } }),
  'edits.clips': ({ edited }) => ({ params: { projectId: edited } }),
  'looks.list': ({ edited }) => ({ params: { projectId: edited } }),
  'edits.renders': ({ edited }) => ({ params: { projectId: edited } }),
  'edits.ahead': ({ edited }) => ({ params: { projectId: edited } }),
  'edits.handOver': ({ edited }) => ({ params: { projectId: edited } }),
  'edits.glossary': ({ officer }) => ({ params: { userId: officer } }),
  'support.find': () => ({ params: { threadId: nothing }, absent: ['support.not-found'] }),
  'webhooks.find': () => ({ params: { endpointId: nothing }, absent: ['webhook.not-found'] }),
  'webhooks.deliveries': () => ({ params: { endpointId: nothing }, absent: ['webhook.not-found'] }),
  'webhooks.delivery': () => ({
    params: { endpointId: nothing, deliveryId: nothing },
    absent: ['webhook.not-found'],
  }),
  // The service's own ADMIN connects nothing.
  'publishing.connections': () => ({ absent: ['connection.not-for-you'] }),
  'publishing.officers': () => ({ params: { connectionId: nothing }, absent: ['connection.not-found'] }),
  'publishing.captions': ({ project }) => ({ params: { projectId: project } }),
  'publishing.posts': ({ project }) => ({ params: { projectId: project } }),
  'publishing.calendar': () => ({ query: { from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z' } }),
  'notes.list': ({ officer }) => ({ params: { userId: officer } }),
  'notifications.trigger': ({ trigger }) => ({ params: { id: trigger } }),
  'notifications.triggerRuns': ({ trigger }) => ({ params: { id: trigger } }),
  'projects.find': ({ project }) => ({ params: { projectId: project } }),
  'projects.next': ({ editor }) => ({ params: { userId: editor } }),
  'accounts.person': ({ officer }) => ({ params: { userId: officer } }),
  'projects.allowanceOf': ({ officer }) => ({ params: { userId: officer } }),
  'security.ofPerson': ({ officer }) => ({ params: { userId: officer } }),
  'projects.history': ({ officer }) => ({ params: { userId: officer } }),
  'projects.cuts': ({ project }) => ({ params: { projectId: project } }),
  'projects.captions': ({ project, asset }) => ({
    params: { projectId: project, assetId: asset },
    absent: ['asset.not-found'],
  }),
  'projects.comments': ({ project }) => ({ params: { projectId: project } }),
  'projects.triage': () => ({ query: { until: '2026-12-01T00:00:00Z' } }),
  'reports.videos': () => ({ query: november }),
  'reports.parts': () => ({ query: { ...november, by: 'company' } }),
  'reports.lost': () => ({ query: november }),
  'reports.money': () => ({ query: november }),
  'reports.payroll': () => ({ query: { month: '2026-11', timezone: 'UTC' } }),
  'projects.sources': ({ project }) => ({ params: { projectId: project } }),
  'subscriptions.publicProduct': ({ product }) => ({ params: { id: product } }),
  'subscriptions.find': ({ officer }) => ({ params: { userId: officer } }),
  'subscriptions.chargesOf': ({ officer }) => ({ params: { payerId: officer } }),
  'subscriptions.active': () => ({ absent: ['subscription.none'] }),
  // Here nobody has a session cookie, which proves a fresh sign-in.
  'subscriptions.portal': () => ({ absent: ['payment.not-for-you', 'session.not-fresh'] }),
  'subscriptions.previewPlan': () => ({
    query: { planId: 'plan_team_month' },
    absent: ['payment.not-for-you', 'subscription.of-company'],
  }),
  'tenants.me': () => ({ absent: ['tenant.none'] }),
  'tenants.setUp': ({ tenant }) => ({ params: { tenantId: tenant } }),
  'tenants.find': ({ tenant }) => ({ params: { tenantId: tenant } }),
  'tenants.inviteCode': ({ tenant }) => ({ params: { tenantId: tenant }, absent: ['session.not-fresh'] }),
  'tenants.invitation': ({ code }) => ({ params: { code } }),
}

const moveOn = async ({ origin }: LivingProduct, tokens: Record<DemoPerson, string>): Promise<void> => {
  const editor = client({ origin, token: () => tokens.editor })
  const started = await editor(projects.start, { body: {} })
  expect(started).toMatchObject({ status: 1 })
}

/** Each file with an original, as an ADMIN sees it: addresses that do not answer, and originals with other bytes. */
const filesServedWrongly = async (product: LivingProduct, token: string): Promise<string[]> => {
  const wrong: string[] = []
  const ask = client({ origin: product.origin, token: () => token })
  for (const { id, path, sha256: known } of await originalsOf(product)) {
    const kept = await readFile(join(product.dataDir, 'media/assets', path)).catch(() => null)
    if (!kept || sha256(kept) !== known) wrong.push(`${path} is not on the disk as the database knows it`)
    const asset = await ask(assets.find, { params: { assetId: id } })
    for (const [field, address] of Object.entries(asset))
      if (field.endsWith('Url') && typeof address === 'string' && address) {
        const { status } = await fetch(new URL(address, product.origin))
        if (status !== 200) wrong.push(`${id} ${field}: ${status}`)
      }
  }
  return wrong
}
