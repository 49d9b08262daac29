import { toneFinder, type ToneLoop } from '@clear-to-post/edit/room-tone'
import { soundRate } from './encoder.ts'
import { MediaTrouble, runFfmpeg } from './ffmpeg.ts'
import { floatsIn } from './floats.ts'
import type { Probe } from './probe.ts'
import { decodeArguments } from './sound.ts'

/**
 * The room of a recording, as a loop of `soundRate` samples a second; null where there is none to be heard, or its sound cannot be read.
 * Throws as `runFfmpeg` does, and MediaTrouble where memory or time ran out.
 */
export async function roomOf(file: string, probe: Probe, signal?: AbortSignal): Promise<ToneLoop | null> {
  if (!probe.audio) return null
  const finder = toneFinder(soundRate)
  const seconds = 60 + probe.durationMs / 1000
  const ran = await runFfmpeg({
    args: decodeArguments({ asset: '', probe }, new Map([['', file]])),
    reads: [file],
    limits: { wallMs: seconds * 2000, cpuSeconds: seconds },
    signal,
    onOutput: floatsIn((left, right) => finder.take(left, right)),
  })
  if (!ran.ok && (ran.why === 'memory' || ran.why === 'time'))
    throw new MediaTrouble(ran.why === 'memory' ? 'memory' : 'timeout', ran.stderr)
  return finder.found()
}

const header = 44

/** A loop as a WAV file of 16 bits, which browsers decode by themselves. */
export function toneFile({ left, right }: ToneLoop): Buffer {
  const bytes = Buffer.alloc(header + 4 * left.length)
  bytes.write('RIFF', 0, 'latin1')
  bytes.writeUInt32LE(bytes.length - 8, 4)
  bytes.write('WAVEfmt ', 8, 'latin1')
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(2, 22)
  bytes.writeUInt32LE(soundRate, 24)
  bytes.writeUInt32LE(4 * soundRate, 28)
  bytes.writeUInt16LE(4, 32)
  bytes.writeUInt16LE(16, 34)
  bytes.write('data', 36, 'latin1')
  bytes.writeUInt32LE(4 * left.length, 40)
  const whole = (value: number) => Math.max(-32_768, Math.min(32_767, Math.round(value * 32_768)))
  for (let i = 0; i < left.length; i++) {
    bytes.writeInt16LE(whole(left[i]!), header + 4 * i)
    bytes.writeInt16LE(whole(right[i]!), header + 4 * i + 2)
  }
  return bytes
}

/** What `toneFile` wrote. */
export function toneFrom(file: Buffer): ToneLoop {
  const length = Math.floor((file.length - header) / 4)
  const channel = (offset: number) =>
    Float32Array.from({ length }, (_, i) => file.readInt16LE(header + 4 * i + offset) / 32_768)
  return { left: channel(0), right: channel(2) }
}
