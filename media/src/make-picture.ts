import { copyFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stage } from './clip-scene.ts'
import { street } from './clip-street.ts'
import { runFfmpeg } from './ffmpeg.ts'
import { options } from './input.ts'

/** Draws a sample picture (JPEG): a street of houses, nobody's. Throws an Error with ffmpeg's words when it fails. */
export async function makePicture(picture: {
  /** The file to write; an existing one is replaced. */
  out: string
  width: number
  height: number
  /** The houses' colour in degrees; with `seed` it makes one picture look different from the next. */
  hue: number
  seed: number
  signal?: AbortSignal | undefined
}): Promise<void> {
  const { out, width, height, hue, seed, signal } = picture
  const folder = await mkdtemp(join(tmpdir(), 'picture-'))
  try {
    const drawn = street(stage(width, height), hue, seed)
    await writeFile(join(folder, 'picture.raw'), drawn.data)
    const ran = await runFfmpeg({
      args: [
        ...options(`-f rawvideo -pix_fmt rgba -video_size ${drawn.width}x${drawn.height} -i file:picture.raw`),
        ...options(`-vf crop=${width}:${height} -frames:v 1 -c:v mjpeg -q:v 3 -f image2 -update 1 -y file:picture.jpg`),
      ],
      reads: [],
      outDir: folder,
      signal,
    })
    if (!ran.ok) throw new Error(`A sample picture could not be made: ${ran.stderr}`)
    await rename(join(folder, 'picture.jpg'), out).catch(() => copyFile(join(folder, 'picture.jpg'), out))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
