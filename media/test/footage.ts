import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder of its own for one test file; remove it with `bin()`. */
export function scratch() {
  const folder = mkdtempSync(join(tmpdir(), 'media-test-'))
  return {
    folder,
    path: (name: string) => join(folder, name),
    write(name: string, content: string | Uint8Array): string {
      writeFileSync(join(folder, name), content)
      return join(folder, name)
    },
    bin: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Our own trusted ffmpeg, outside any sandbox: makes the footage that is then judged inside one. */
export function ffmpeg(line: string, ...files: string[]): void {
  let next = 0
  const args = line.split(' ').map((word) => (word === '@' ? (files[next++] ?? '') : word))
  const ran = spawnSync(process.env['FFMPEG_PATH'] || 'ffmpeg', ['-v', 'error', '-y', '-nostdin', ...args])
  if (ran.status !== 0) throw new Error(`ffmpeg ${args.join(' ')}: ${ran.stderr}`)
}

type Seen = Record<string, string | number | undefined> & { codec_type: string }

/** What a file says of its tracks when nobody tries to harm us. */
export function tracks(file: string): {
  video: Seen | undefined
  audio: Seen | undefined
  all: Seen[]
  seconds: number
} {
  const program = process.env['FFPROBE_PATH'] || 'ffprobe'
  const ran = spawnSync(program, ['-v', 'error', '-of', 'json', '-show_streams', '-show_format', file])
  const told: { streams: Seen[]; format: { duration: string } } = JSON.parse(ran.stdout.toString())
  return {
    video: told.streams.find((s) => s.codec_type === 'video'),
    audio: told.streams.find((s) => s.codec_type === 'audio'),
    all: told.streams,
    seconds: Number(told.format.duration),
  }
}

/** The colour of one picture at a point, as [r, g, b]. */
export function pointAt(file: string, seconds: number, x: number, y: number): number[] {
  const program = process.env['FFMPEG_PATH'] || 'ffmpeg'
  const crop = ['-vf', `crop=2:2:${x}:${y},format=rgb24`, '-frames:v', '1', '-f', 'rawvideo', '-']
  const ran = spawnSync(program, ['-v', 'error', ...(seconds > 0 ? ['-ss', `${seconds}`] : []), '-i', file, ...crop])
  return [...ran.stdout.subarray(0, 3)]
}

/** How light each picture of a file is, 0 to 255. */
export function lights(file: string): number[] {
  const program = process.env['FFMPEG_PATH'] || 'ffmpeg'
  const one = ['-vf', 'scale=1:1:flags=area,format=gray', '-fps_mode', 'passthrough', '-f', 'rawvideo', '-']
  return [...spawnSync(program, ['-v', 'error', '-i', file, ...one]).stdout]
}

export const quick = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p'

/** Makes two seconds of 96 × 64 and two of 1920 × 1080 in one track, as a browser's recorder may; its header names the first. */
export function growing(file: string): string {
  joined(file, ['96x64', '1920x1080'])
  return file
}

/**
 * Two seconds of a wide picture and two of a tall one in one track, as a browser's recorder writes who turns the phone, with
 * beeps of a quarter of a second at 0.5 and 2.5 seconds.
 */
export function turning(file: string): string {
  joined(`${file}-picture.mkv`, ['96x64', '64x96'])
  const beeps = '-f lavfi -i aevalsrc=sin(2*PI*880*t)*between(mod(t\\,2)\\,0.5\\,0.75):d=4'
  ffmpeg(`-i @ ${beeps} -c:v copy -c:a aac @`, `${file}-picture.mkv`, file)
  return file
}

/** In which tenths of a second of a file one hears something, played piece after piece, and how many there are. */
export function beeps(file: string): { at: number[]; of: number } {
  const program = process.env['FFMPEG_PATH'] || 'ffmpeg'
  const ran = spawnSync(program, ['-v', 'error', '-i', file, '-vn', '-ac', '1', '-ar', '8000', '-f', 's16le', '-'])
  const samples = new Int16Array(ran.stdout.buffer, ran.stdout.byteOffset, ran.stdout.length >> 1)
  const of = Math.round(samples.length / 800)
  const loud = (tenth: number) => samples.subarray(tenth * 800, tenth * 800 + 800).some((sample) => sample > 4000)
  return { at: Array.from({ length: of }, (_, tenth) => tenth).filter(loud), of }
}

/** A track with two seconds of each size. */
function joined(file: string, sizes: string[]): void {
  const parts = sizes.map((size) => {
    ffmpeg(`-f lavfi -i testsrc=s=${size}:r=10:d=2 ${quick} @`, `${file}-${size}.h264`)
    return readFileSync(`${file}-${size}.h264`)
  })
  writeFileSync(`${file}.h264`, Buffer.concat(parts))
  ffmpeg('-r 10 -f h264 -i @ -c copy @', `${file}.h264`, file)
}
