import { chmodSync, writeFileSync } from 'node:fs'
import { afterEach, expect, it, vi } from 'vitest'
import { scratch } from '../test/footage.ts'
import { ffmpegVersion } from './ffmpeg.ts'

const { path, bin } = scratch()
afterEach(() => {
  vi.unstubAllEnvs()
  bin()
})

it('ffmpeg is asked for its version once, and again when another file stands in its place', async () => {
  // Each answer is another one.
  const stand = (version: string) => {
    writeFileSync(path('ffmpeg'), `#!/bin/sh\necho ${version} $(date +%s%N)\n`)
    chmodSync(path('ffmpeg'), 0o755)
  }
  stand('5.1')
  vi.stubEnv('FFMPEG_PATH', path('ffmpeg'))
  const first = await ffmpegVersion(undefined)
  expect(first).toMatch(/^5\.1 /)
  expect(await ffmpegVersion(undefined)).toBe(first)
  await expect(ffmpegVersion(AbortSignal.abort())).rejects.toThrow('aborted')
  stand('6.0')
  const second = await ffmpegVersion(undefined)
  expect(second).toMatch(/^6\.0 /)
  // No answer is no version: the next try asks again.
  writeFileSync(path('ffmpeg'), '#!/bin/sh\nexit 1\n')
  await expect(ffmpegVersion(undefined)).rejects.toThrow('failed')
  stand('5.1')
  expect(await ffmpegVersion(undefined)).toMatch(/^5\.1 /)
})
