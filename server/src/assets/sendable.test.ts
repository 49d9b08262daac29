import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { submitProject } from '../../test/factories.ts'
import { makePerson, makeTenant, openService, subscribe, type Service } from '../../test/service.ts'
import { putFile, requireCut } from './actions.ts'

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
const inputs = '-f lavfi -i sine=d=1 -f lavfi -i color=s=96x64:d=0.1:r=10 -f lavfi -i testsrc=s=96x64:r=30:d=1'

it('a file brought to a video is asked what it hides or cannot be sent, and music with a cover is taken', async () => {
  const tenantId = await makeTenant(service)
  await subscribe(service, { tenantId })
  const { id: projectId } = await submitProject(service, await makePerson(service, 'User', { tenantId }))
  const editor = await makePerson(service, 'Editor')
  const log = pino({ level: 'silent' })
  const outcomes: Record<string, string> = {}
  for (const [name, line] of Object.entries(covered)) {
    const path = join(folder, name)
    await promisify(execFile)('ffmpeg', `-v error -y ${inputs} ${line} ${path}`.split(' '))
    outcomes[name] = await putFile(service.database, editor, { path, projectId }, { log })
      .then((assetId) => service.database.asSystem((tx) => requireCut(tx, { assetId, projectId })))
      .then(() => 'may be sent', String)
  }
  expect(outcomes).toEqual({
    'song.mp3': expect.stringContaining('not a video'),
    'song.m4a': expect.stringContaining('not a video'),
    'layer.mp4': expect.stringMatching(/a cover, .*Export it with one picture.* this goes for B-roll and layers, too/),
  })
})
