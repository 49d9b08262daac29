import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { projects, type Project } from '@clear-to-post/contract/projects'
import { letDayPass, submitProject } from '../../test/factories.ts'
import {
  callAs,
  makeOfficer,
  makePerson,
  makeTenant,
  openService,
  type Person,
  type Service,
} from '../../test/service.ts'
import { sql } from '../kernel/database.ts'

let service: Service
let officer: Person
let admin: Person

beforeAll(async () => {
  service = await openService()
  officer = await makeOfficer(service)
  admin = await makePerson(service, 'ADMIN')
})
beforeEach(() => letDayPass(service))
afterAll(() => service.close())

const as = (person: Person | null) => callAs(service, person)

it('open work comes in the order of what was promised, page by page, and nothing that is over is among it', async () => {
  const lone = await makePerson(service, 'User', { tenantId: officer.tenantId })
  const [last, canceled, first] = [
    await submitProject(service, lone),
    await submitProject(service, lone),
    await submitProject(service, lone),
  ]
  const promise = (project: Project, hours: number) =>
    service.database.asSystem((tx) =>
      tx.count(sql`update project set due_by = ${new Date(Date.now() + hours * 3_600_000)} where id = ${project.id}`),
    )
  await promise(last, 9)
  await promise(first, 1)
  await promise(canceled, 5)
  await as(lone)(projects.cancel, { params: { projectId: canceled.id } })
  const query = { orderBy: 'dueBy:asc', perPage: 1, wheres: `userId:eq:${lone.id}` }
  const one = await as(admin)(projects.list, { query })
  const two = await as(admin)(projects.list, { query: { ...query, cursor: one.nextCursor! } })
  expect([...one.items, ...two.items].map(({ id }) => id)).toEqual([first.id, last.id])
  expect(two.nextCursor).toBeNull()
})

it('the order of promises is walked by its index, of all companies and of one', async () => {
  for (const condition of [sql`true`, sql`p.tenant_id = ${officer.tenantId}`]) {
    const plan = await service.database.asSystem(async (tx) => {
      await tx.count(sql`set local enable_seqscan = off`)
      await tx.count(sql`set local enable_sort = off`)
      return tx.rows(sql<{ 'QUERY PLAN': string }>`
        explain select p.id from project p
        where ${condition} and p.due_by is not null and p.status in (0, 1, 3, 4, 5) order by p.due_by, p.id limit 51`)
    })
    const words = plan.map((line) => line['QUERY PLAN']).join('\n')
    expect(words).toMatch(/Index.*Scan using project_(tenant_)?promised/)
    expect(words).not.toContain('Sort')
  }
})

it('a video says its company to staff of the whole service, and to nobody of one company', async () => {
  const project = await submitProject(service, officer)
  const company = 'A tenant'
  const editorOfAll = await makePerson(service, 'Editor', { tenantId: null })
  await makeTenant(service)
  for (const who of [admin, editorOfAll]) {
    const found = (await as(who)(projects.list, { query: { perPage: 100 } })).items.find(({ id }) => id === project.id)
    expect(found).toMatchObject({ tenantName: company })
  }
  const qaOfOne = await makePerson(service, 'QA', { tenantId: officer.tenantId })
  for (const who of [officer, qaOfOne])
    expect(await as(who)(projects.find, { params: { projectId: project.id } })).not.toHaveProperty('tenantName')
})
