import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { assets } from '@clear-to-post/contract/assets'
import { projects } from '@clear-to-post/contract/projects'
import { submitProject } from '../../test/factories.ts'
import { callAs, makePerson, makeTenant, openService, subscribe, type Service } from '../../test/service.ts'
import { assetsById, putFile, requireCut } from './actions.ts'

let service: Service
let folder: string
beforeAll(async () => {
  service = await openService()
  folder = await mkdtemp(join(tmpdir(), 'clear-to-post-sendable-'))
})
afterAll(async () => {
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

/** With a cover, which a cut may not have: a file that is taken was not asked what it hides. */
const covered = {
  'song.mp3': '-map 0 -map 1 -c:v png -id3v2_version 3',
  'song.m4a': '-map 0 -map 1 -c:a aac -c:v png -disposition:v attached_pic',
  'layer.mp4': '-map 2 -map 0 -map 1 -pix_fmt:v:0 yuv420p -c:v:1 png -disposition:v:1 attached_pic',
}
const inputs =
  '-f lavfi -i sine=d=1 -f lavfi -i color=s=96x64:d=0.1:r=10 -f lavfi -i testsrc=s=96x64:r=30:d=1 -f lavfi -i color=red@0.5:s=96x64:d=1,format=rgba'

const begun = async () => {
  const tenantId = await makeTenant(service)
  await subscribe(service, { tenantId })
  const { id: projectId } = await submitProject(service, await makePerson(service, 'User', { tenantId }))
  return { projectId, editor: await makePerson(service, 'Editor') }
}
type Begun = Awaited<ReturnType<typeof begun>>

const put = async (name: string, line: string, { projectId, editor }: Begun): Promise<string> => {
  const path = join(folder, name)
  await promisify(execFile)('ffmpeg', `-v error -y ${inputs} ${line} ${path}`.split(' '))
  return putFile(service.database, editor, { path, projectId }, { log: pino({ level: 'silent' }) })
}

/** Taken, since they are layers, and never sent. */
const layers = {
  'sticker.mov': ['-map 3 -c:v prores_ks -profile:v 4444 -pix_fmt yuva444p10', /has transparency.*Export it without/],
  'sticker.webm': ['-map 3 -c:v libvpx-vp9 -pix_fmt yuva420p -cpu-used 8', /has transparency.*Export it without/],
  'bright.mp4': [
    '-map 2 -c:v libx265 -pix_fmt yuv420p10 -x265-params log-level=none:transfer=smpte2084 -color_trc smpte2084 -tag:v hvc1',
    /HDR.*Export it in Rec. 709/,
  ],
} as const

it('a video with transparency or in PQ is taken as a layer with a note, and cannot be sent for approval', async () => {
  const { projectId, editor } = await begun()
  await callAs(service, editor)(projects.start, { body: { projectId } })
  for (const [name, [line, words]] of Object.entries(layers)) {
    const assetId = await put(name, line, { projectId, editor })
    const send = service.database.asSystem((tx) => requireCut(tx, { assetId, projectId }))
    await expect(send, name).rejects.toMatchObject({ code: 'asset.not-plain', message: expect.stringMatching(words) })
    const row = await service.database.asSystem((tx) => assetsById(tx, [assetId]))
    const notes = [expect.stringMatching(new RegExp(`^It can be B-roll or a layer.*${words.source}`))]
    expect(row.get(assetId), name).toMatchObject({ state: 'ready', notes: expect.arrayContaining(notes) })
    expect((await callAs(service, editor)(assets.find, { params: { assetId } })).isBRollOnly, name).toBe(true)
  }
  const { actions, unsentCuts } = await callAs(service, editor)(projects.find, { params: { projectId } })
  expect(actions).toContain('send')
  expect(unsentCuts).toBeUndefined()
})

it('a file brought to a video is asked what it hides or cannot be sent, and music with a cover is taken', async () => {
  const { projectId, editor } = await begun()
  const outcomes: Record<string, string> = {}
  for (const [name, line] of Object.entries(covered))
    outcomes[name] = await put(name, line, { projectId, editor })
      .then((assetId) => service.database.asSystem((tx) => requireCut(tx, { assetId, projectId })))
      .then(() => 'may be sent', String)
  expect(outcomes).toEqual({
    'song.mp3': expect.stringContaining('not a video'),
    'song.m4a': expect.stringContaining('not a video'),
    'layer.mp4': expect.stringMatching(/a cover, .*Export it with one picture.* this goes for B-roll and layers, too/),
  })
})
