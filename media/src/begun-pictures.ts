import { runFfmpeg } from './ffmpeg.ts'
import { refusalFrom } from './ffprobe.ts'
import { options, safeInput } from './input.ts'
import type { Probe } from './probe.ts'

/**
 * How many pictures begin in a film, as its bare stream says, without the packets of its file: a packet is one picture, and of
 * further ones in it ffmpeg shows one, while who reads the stream alone shows all. A picture in two fields begins twice. Null for
 * codecs whose stream nobody reads alone; Infinite where it is damaged. Throws as `probe`.
 */
export async function begunPictures(file: string, found: Probe, signal?: AbortSignal): Promise<number | null> {
  const { video, durationMs } = found
  const stream = streams.get(video?.codec ?? '')
  if (!video || !stream) return null
  const meter = begunMeter(stream.begins)
  const ran = await runFfmpeg({
    args: [...safeInput(file, found), ...options(`-map 0:${video.stream} -c copy -copyinkf -f ${stream.muxer} pipe:1`)],
    reads: [file],
    limits: { cpuSeconds: 60 + durationMs / 5000, wallMs: 240_000 + durationMs, fileBytes: 0 },
    onOutput: meter.take,
    signal,
  })
  if (ran.ok) return meter.done()
  refusalFrom(ran)
  return Infinity
}

/** `begins`: whether the four bytes behind a start code (0, 0, 1) begin a picture. */
type Stream = { muxer: string; begins: (first: number, second: number, third: number) => boolean }

/** In the first slice of a picture the bit behind its header is set: in H.264 it says the place 0, in HEVC that it is the first. */
const streams: ReadonlyMap<string, Stream> = new Map([
  ['h264', { muxer: 'h264', begins: (type, next) => ((type & 31) === 1 || (type & 31) === 5) && next >= 128 }],
  ['hevc', { muxer: 'hevc', begins: (type, _, next) => ((type >> 1) & 63) < 32 && next >= 128 }],
  ['mpeg4', { muxer: 'm4v', begins: (type) => type === 0xb6 }],
])

/** Takes a stream in pieces. */
function begunMeter(begins: Stream['begins']) {
  let [begun, rest] = [0, Buffer.alloc(0)]
  return {
    take(chunk: Buffer) {
      const bytes = Buffer.concat([rest, chunk])
      let at = bytes.indexOf(startCode)
      for (; at >= 0 && at + 6 <= bytes.length; at = bytes.indexOf(startCode, at + 3))
        if (begins(bytes[at + 3]!, bytes[at + 4]!, bytes[at + 5]!)) begun++
      rest = bytes.subarray(at < 0 ? -2 : at)
    },
    // What ends within a start code is less than a picture.
    done: () => begun,
  }
}

const startCode = Buffer.from([0, 0, 1])
