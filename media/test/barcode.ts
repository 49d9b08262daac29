import { spawnSync } from 'node:child_process'
import { ffmpeg } from './footage.ts'

/** A source whose every frame carries its number in ten big blocks in its middle, and that ticks at every 15th frame. */
export type Numbered = { width: number; height: number; frames: number }

const bits = 10
const rate = 48_000
export const tickEvery = 15

/** Writes raw picture and sound with plain loops; the caller encodes them as it likes. */
export function numberedSource({ width, height, frames }: Numbered): { picture: Buffer; sound: Buffer } {
  const size = width * height
  const picture = Buffer.alloc(frames * size * 1.5, 128)
  for (let n = 0; n < frames; n++) {
    const luma = picture.subarray(n * size * 1.5, n * size * 1.5 + size).fill(90)
    for (let bit = 0; bit < bits; bit++) {
      const { x, y } = blockAt(bit, { width, height })
      for (let row = y - 20; row < y + 20; row++)
        luma.fill((n >> bit) & 1 ? 220 : 30, row * width + x - 7, row * width + x + 7)
    }
  }
  const samples = Math.round((frames * rate) / 30)
  const sound = Buffer.alloc(samples * 2)
  for (let tick = 0; tick < frames; tick += tickEvery)
    for (let i = 0; i < 480 && tick * 1600 + i < samples; i++)
      sound.writeInt16LE(Math.round(9000 * Math.sin((i * 2 * Math.PI * 1000) / rate)), (tick * 1600 + i) * 2)
  return { picture, sound }
}

function blockAt(bit: number, { width, height }: { width: number; height: number }, zoom = 1) {
  return {
    x: Math.round(width / 2 + (bit - (bits - 1) / 2) * 16 * zoom),
    y: Math.round(height / 2),
  }
}

/** Every frame of a video from the first to the last, decoded once: how bright a point is (0 to 255), in which frame. */
export function framesOf(file: string, { width, height }: { width: number; height: number }) {
  const out = decoded(['-i', file, '-an', '-fps_mode', 'passthrough', '-pix_fmt', 'gray', '-f', 'rawvideo', '-'])
  const light = (frame: number, x: number, y: number) => out[frame * width * height + y * width + x] ?? -1
  /** The light of each bit's block, where the picture is shown that much nearer. */
  const blocks = (frame: number, zoom = 1) =>
    Array.from({ length: bits }, (_, bit) => {
      const { x, y } = blockAt(bit, { width, height }, zoom)
      return light(frame, x, y)
    })
  return { count: out.length / (width * height), light, blocks }
}

/** The number that a frame carries. */
export function numberOf(frame: readonly number[]): number {
  return frame.reduce((sum, light, bit) => sum + (light > 125 ? 1 << bit : 0), 0)
}

/** The moments in seconds at which a tick begins, and the length of the whole sound. */
export function ticksOf(file: string): { at: number[]; seconds: number } {
  const out = decoded(['-i', file, '-vn', '-ac', '1', '-ar', `${rate}`, '-f', 's16le', '-'])
  const at: number[] = []
  for (let i = 0; i < out.length / 2; i++) {
    if (Math.abs(out.readInt16LE(i * 2)) < 1500) continue
    at.push(i / rate)
    i += rate / 10
  }
  return { at, seconds: out.length / 2 / rate }
}

function decoded(args: string[]): Buffer {
  const program = process.env['FFMPEG_PATH'] || 'ffmpeg'
  const ran = spawnSync(program, ['-v', 'error', '-xerror', ...args], { maxBuffer: 2 ** 30 })
  if (ran.status !== 0 || ran.stderr.length > 0) throw new Error(`ffmpeg ${args.join(' ')}: ${ran.stderr}`)
  return ran.stdout
}

/** As a phone would send it: lying with a mark to turn it, now and then a picture left out. */
export function asPhone(raw: string, sound: string, { width, height }: Numbered, between: string, out: string): void {
  const drop = `select='not(eq(mod(n\\,11)\\,5))'`
  ffmpeg(
    `-f rawvideo -pix_fmt yuv420p -video_size ${width}x${height} -framerate 30 -i @ -f s16le -ar ${rate} -ac 1 -i @ ` +
      `-vf transpose=2,${drop} -fps_mode vfr -c:v libx264 -preset ultrafast -crf 12 -g 40 -c:a aac -b:a 128k @`,
    raw,
    sound,
    between,
  )
  ffmpeg('-i @ -c copy -metadata:s:v:0 rotate=270 @', between, out)
}

/** The number seen at a frame of `asPhone`: the one before where it was left out. */
export const seenAt = (frame: number) => (frame % 11 === 5 ? frame - 1 : frame)
