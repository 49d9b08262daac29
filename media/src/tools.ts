import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { locate } from './sandbox.ts'

/** The ffmpeg to use: FFMPEG_PATH, else the one on PATH. Throws an Error that says how to get it. */
export async function ffmpegPath(): Promise<string> {
  const path = await locate(process.env['FFMPEG_PATH'] || 'ffmpeg')
  if (!path) throw new Error('ffmpeg was not found. Install it (Debian: apt-get install ffmpeg) or set FFMPEG_PATH.')
  return path
}

/** The ffprobe to use: FFPROBE_PATH, else the one that lies beside ffmpeg, else the one on PATH. */
export async function ffprobePath(): Promise<string> {
  const named = process.env['FFPROBE_PATH']
  const path = named
    ? await locate(named)
    : ((await locate(join(dirname(await ffmpegPath()), 'ffprobe'))) ?? (await locate('ffprobe')))
  if (!path) throw new Error('ffprobe was not found. It comes with ffmpeg (Debian: apt-get install ffmpeg).')
  return path
}

/** How many threads one ffmpeg may take; more cores than four hardly help one short video and cost memory each. */
export const threads = Math.min(4, availableParallelism())
