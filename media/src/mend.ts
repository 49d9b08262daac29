import { createReadStream, createWriteStream } from 'node:fs'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { MediaTrouble, runFfmpeg } from './ffmpeg.ts'
import { mostPictures, options, safeInput } from './input.ts'
import { countPictures } from './probe.ts'
import { recordingIn, sniffFormat, type Container } from './sniff-format.ts'
import { Thread } from './thread.ts'

/**
 * What is kept of a file in its place, where that is not the file itself: a recording made whole (`mendRecording`), a picture
 * without what its camera wrote about where and when (`barePicture`, in a thread of its own). Writes into `outDir` and answers the name there; null
 * where the file is kept as it came.
 */
export async function mend(file: string, into: Into): Promise<string | null> {
  const seen = await sniffFormat(file)
  const isPicture = seen.ok && seen.container in pictures && seen.bytes <= mostBytes
  const bare = isPicture ? await bareIn(file, seen.container, into.signal) : null
  if (!seen.ok || bare === null) return await mendRecording(file, into)
  const name = pictures[seen.container as keyof typeof pictures]
  await writeFile(join(await into.outDir(), name), bare)
  return name
}

/** `barePicture` of a file. */
async function bareIn(path: string, container: Container, signal?: AbortSignal): Promise<Uint8Array | null> {
  const file = new Uint8Array(await readFile(path))
  const reader = new Thread<{ file: Uint8Array; container: Container }, Uint8Array | null>(
    new URL('./bare-picture-thread.ts', import.meta.url),
    { does: 'reads a picture', longestMs: 60_000, signal },
  )
  try {
    return await reader.ask({ file, container }, [file.buffer])
  } finally {
    await reader.end()
  }
}

type Into = { outDir(): Promise<string>; signal?: AbortSignal | undefined }

const pictures = { jpeg: 'original.jpg', png: 'original.png', webp: 'original.webp' }
/** Larger ones are nobody's photo or logo (`mostKept.pictureBytes` in `domain/src/most-kept.ts` is less). */
const mostBytes = 64 * 2 ** 20

/**
 * Makes a whole file of what a recorder left behind: fragments joined and their index in front, a length where there was
 * none, and without the part of a fragment that a dead battery leaves at its end. Picture and sound are copied, not encoded
 * again, and keep their times, but for sound that its recorder wrote down too late. Writes a file into `outDir` and answers its name; null where there is nothing to mend, or
 * nothing that can be. Throws MediaTrouble for faults of this machine, and the signal's reason.
 */
async function mendRecording(file: string, { outDir, signal }: Into): Promise<string | null> {
  const found = await recordingIn(file)
  const pictures = found && (await countPictures(file, found.container, signal))
  // The probe refuses more in words.
  if (!found || (pictures ?? 0) > mostPictures) return null
  const folder = await outDir()
  const part = join(folder, partFile)
  const source = found.whole ? file : part
  if (!found.whole)
    await pipeline(createReadStream(file, { end: found.bytes - 1 }), createWriteStream(part), { signal })
  const name = mended[found.container]
  const ran = await runFfmpeg({
    args: [
      ...options('-fflags +discardcorrupt'),
      ...safeInput(source, { container: found.container, video: null }),
      ...options('-map 0:v:0? -map 0:a:0? -c copy -map_metadata -1'),
      ...soundMoved(found.heldBackMs - found.soundLateMs),
      ...options(found.container === 'mov' ? '-movflags +faststart -f mp4' : '-f matroska'),
      ...options(`-y file:${name}`),
    ],
    reads: [source],
    outDir: folder,
    // No longer than what came: fragments that name the same bytes many times are none of a recorder’s.
    limits: { cpuSeconds: 300, wallMs: 1_200_000, fileBytes: found.bytes + 2 ** 24 },
    signal,
  })
  await rm(part, { force: true })
  const { size } = await stat(join(folder, name)).catch(() => ({ size: 0 }))
  if (ran.ok && size > 0) return name
  await rm(join(folder, name), { force: true })
  if (/no space left on device|disk quota exceeded/i.test(ran.stderr)) throw new MediaTrouble('disk-full', ran.stderr)
  if (!ran.ok && ran.why === 'time') throw new MediaTrouble('timeout', ran.stderr)
  if (!ran.ok && ran.why === 'memory' && pictures !== null) throw new MediaTrouble('memory', ran.stderr)
  return null
}

/**
 * Later, or earlier where that is below zero; then what would begin before the file moves the picture, too. What an encoder
 * held back is taken off a sound’s times where ffmpeg reads Matroska, and put back by nobody where it writes that (5.1).
 */
const soundMoved = (ms: number): string[] => {
  if (ms === 0) return []
  const time = (name: string) => `${name}+round(${ms / 1000}/TB)`
  return options(`-bsf:a setts=pts=${time('PTS')}:dts=${time('DTS')}`)
}

const partFile = 'whole-fragments.bin'
const mended = { mov: 'original.mp4', matroska: 'original.mkv' } as const
