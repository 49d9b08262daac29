import { closeSync, openSync, writeSync } from 'node:fs'
import { voiceCleaner } from '@clear-to-post/edit/clean-voice'
import { soundRate } from './encoder.ts'

/** So long is listened before the first sample is written, in seconds: the noise of the room is known by then. */
const learnSeconds = 3

/**
 * Takes decoded sound in chunks, stereo as 32-bit floats, `soundRate` samples a second, and writes it cleaned to a file,
 * stereo as 16-bit samples, none earlier or later than they came in. `end` writes what is left and closes the file.
 */
export const soundCleaner = (file: string): { take: (chunk: Buffer) => void; end: () => void } => {
  const cleaner = voiceCleaner(soundRate)
  const out = openSync(file, 'w')
  let rest: Buffer = Buffer.alloc(0)
  /** What is held until enough is known of the room; null afterwards. */
  let held: Buffer[] | null = []
  let heldBytes = 0
  // The first samples that come out belong to none that went in.
  let late = cleaner.delay

  const write = (left: Float32Array, right: Float32Array) => {
    const skipped = Math.min(late, left.length)
    late -= skipped
    const samples = Buffer.alloc(4 * (left.length - skipped))
    const whole = (value: number) => Math.max(-32_768, Math.min(32_767, Math.round(value * 32_768)))
    for (let i = skipped; i < left.length; i++) {
      samples.writeInt16LE(whole(left[i]!), 4 * (i - skipped))
      samples.writeInt16LE(whole(right[i]!), 4 * (i - skipped) + 2)
    }
    for (let at = 0; at < samples.length;) at += writeSync(out, samples, at)
  }
  const begin = () => {
    if (!held) return
    const [left, right] = channelsOf(Buffer.concat(held))
    held = null
    cleaner.learn(left, right)
    cleaner.process(left, right)
    write(left, right)
  }
  return {
    take: (chunk) => {
      const all = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      const whole = all.length - (all.length % 8)
      rest = Buffer.from(all.subarray(whole))
      const samples = all.subarray(0, whole)
      if (held) {
        held.push(Buffer.from(samples))
        heldBytes += samples.length
        if (heldBytes >= learnSeconds * soundRate * 8) begin()
        return
      }
      const [left, right] = channelsOf(samples)
      cleaner.process(left, right)
      write(left, right)
    },
    end: () => {
      try {
        begin()
        const [left, right] = [new Float32Array(cleaner.delay), new Float32Array(cleaner.delay)]
        cleaner.process(left, right)
        write(left, right)
      } finally {
        closeSync(out)
      }
    },
  }
}

const channelsOf = (samples: Buffer): [Float32Array, Float32Array] => {
  const count = samples.length / 8
  const [left, right] = [new Float32Array(count), new Float32Array(count)]
  for (let i = 0; i < count; i++) {
    left[i] = samples.readFloatLE(8 * i)
    right[i] = samples.readFloatLE(8 * i + 4)
  }
  return [left, right]
}
