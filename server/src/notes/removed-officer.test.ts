import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { assets } from '@clear-to-post/contract/assets'
import { notes } from '@clear-to-post/contract/notes'
import { eraseJob } from '../personal-data/jobs.ts'
import { sql } from '../kernel/database.ts'
import { fileUrl } from '../assets/addresses.ts'
import { openMail } from '../outside/mail.ts'
import { jobContext } from '../../test/mails.ts'
import { onDisk } from '../../test/on-disk.ts'
import { submitProject } from '../../test/factories.ts'
import {
  callConfirmed,
  makePerson,
  makePicture,
  makeTenant,
  makeVideo,
  openService,
  outcome,
  subscribe,
  type Person,
  type Service,
} from '../../test/service.ts'

let service: Service
let tenantId: string
let qa: Person
beforeAll(async () => {
  service = await openService()
  openMail(service.config)
  tenantId = await makeTenant(service)
  await subscribe(service, { tenantId })
  qa = await makePerson(service, 'QA', { tenantId })
})
afterAll(() => service.close())

const as = (person: Person) => callConfirmed(service, person)
const rows = <Row>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
  service.database.asSystem((tx) => tx.rows(query))
const officerHere = () => makePerson(service, 'User', { tenantId })
/** A file of QA's, with bytes. */
const fileOf = async (made: Promise<string>): Promise<string> => {
  const id = await made
  await mkdir(onDisk().path(id, ''), { recursive: true })
  await writeFile(join(onDisk().path(id, ''), 'original.mp4'), 'a voice')
  return id
}
const note = (about: Person, ...ids: string[]) =>
  as(qa)(notes.save, { body: { userId: about.id, title: 'Pace', content: 'Slow', assets: ids } })
const remove = async (officer: Person) => {
  await as(officer)(accounts.remove, { query: {} })
  const [removal] = await rows<{ id: string }>(sql`select id from removal where person_id = ${officer.id}`)
  await eraseJob.run({ removalId: removal!.id }, jobContext(service))
}
const bytesOf = (id: string) => readdir(onDisk().path(id, '')).catch(() => [])

test('files in notes about a removed officer go with the notes, whatever became of note and author', async () => {
  const officer = await officerHere()
  const files: Record<string, string> = {}
  const attached = async (what: string) => {
    files[what] = await fileOf(makeVideo(service, qa))
    return note(officer, files[what])
  }
  await attached('in a note')
  const deleted = await attached('in a deleted note')
  await as(qa)(notes.remove, { params: { id: deleted.id } })
  const emptied = await attached('taken out of a note')
  await as(qa)(notes.change, { params: { id: emptied.id }, body: { assets: [] } })
  await attached('by an author who was moved')
  const elsewhere = await makeTenant(service)
  await rows(sql`update asset set tenant_id = ${elsewhere} where id = ${files['by an author who was moved']}`)
  await remove(officer)
  const { items } = await as(qa)(assets.unused, {})
  const left = await Promise.all(
    Object.entries(files).map(async ([what, id]) => [
      what,
      await outcome(as(qa)(assets.find, { params: { assetId: id } })),
      items.some((one) => one.assetId === id),
      await bytesOf(id),
    ]),
  )
  expect(left).toEqual(Object.keys(files).map((what) => [what, 'asset.not-found', false, []]))
})

test('a file in a note about a removed officer stays while another note, a photo or a video uses it', async () => {
  const [officer, other] = [await officerHere(), await officerHere()]
  const shared = await fileOf(makeVideo(service, qa))
  await note(other, shared)
  const photo = await fileOf(makePicture(service, qa))
  await as(qa)(accounts.update, { body: { photoUrl: fileUrl(photo, 'original.png', new Date()) } })
  const editor = await makePerson(service, 'Editor', { tenantId })
  const project = await submitProject(service, other)
  const cut = await fileOf(makeVideo(service, editor, { id: project.id, tenantId }))
  await note(officer, shared, photo, cut)
  await remove(officer)
  for (const id of [shared, photo, cut]) {
    expect(await rows(sql`select id from asset where id = ${id}`)).toHaveLength(1)
    expect(await bytesOf(id)).toEqual(['original.mp4'])
  }
})
