import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { chromium, test, type Browser } from '@playwright/test'
import { makeClip } from '@clear-to-post/media/make-clip'
import { product } from './people.ts'

const run = promisify(execFile)

/** Who stands before the journeys' camera: a drawn person of the footage kit who speaks, upright. Made once. */
export const footage = async (): Promise<{ video: string; audio: string }> => {
  const folder = dirname(product().dataDir)
  const [video, audio, clip] = ['camera.mjpeg', 'microphone.wav', 'camera.mp4'].map((name) => join(folder, name))
  if (!existsSync(audio!)) {
    const fresh = join(folder, `${test.info().project.name}-camera.mp4`)
    await makeClip({ out: fresh, seconds: 12, width: 360, height: 640, hue: 40 })
    await rename(fresh, clip!)
    await run('ffmpeg', ['-v', 'error', '-i', clip!, '-an', '-q:v', '4', '-pix_fmt', 'yuvj420p', '-y', video!])
    await run('ffmpeg', ['-v', 'error', '-i', clip!, '-vn', '-ac', '1', '-ar', '48000', '-y', audio!])
  }
  return { video: video!, audio: audio! }
}

/** What a browser begins with whose camera and microphone are those files. */
export const cameraArgs = ({ video, audio }: { video: string; audio: string }): string[] => [
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
  `--use-file-for-fake-video-capture=${video}`,
  `--use-file-for-fake-audio-capture=${audio}`,
  '--autoplay-policy=no-user-gesture-required',
]

/** A browser whose camera and microphone are that footage; whoever opens it closes it. */
export const openWithCamera = async (): Promise<Browser> => {
  const { executablePath, args = [] } = test.info().project.use.launchOptions!
  return chromium.launch({ executablePath: executablePath!, args: [...args, ...cameraArgs(await footage())] })
}
