import { refusalFrom, ffprobe } from './ffprobe.ts'
import { options } from './input.ts'
import { linewise } from './linewise.ts'
import type { Probe } from './probe.ts'
import { threads } from './tools.ts'

/**
 * `packets`: how many a film has, each of them a picture; `pictures`: how many come out. `missing`: how many pictures no decoder gives out. `isSteady`: all that
 * it gives out have one size and format.
 */
export type Decoded = { packets: number; pictures: number; missing: number; isSteady: boolean }

export type Bounds = { signal?: AbortSignal | undefined; cpuSeconds?: number | undefined }

/**
 * Decodes the whole of a film as its copy is decoded, and looks at what comes: each picture that is shown is known by its time.
 * Where the size or the format changes, ffmpeg builds its filters anew and loses what they hold, up to every picture where each
 * is unlike the one before. `missing` is Infinite where the decoder does not come to the end; null where that takes more than
 * `cpuSeconds` of a processor (by its length without it). Throws as `probe`.
 */
export async function decodedPictures(file: string, found: Probe, bounds: Bounds = {}): Promise<Decoded | null> {
  const { video, container, durationMs } = found
  if (!video) return { packets: 0, pictures: 0, missing: 0, isSteady: true }
  const meter = decodedMeter()
  const kind = 'width,height,pix_fmt,color_range,color_space,color_transfer'
  const show = `packet=pts,flags:frame=pts,${kind}:frame_side_data=side_data_type`
  const cpuSeconds = bounds.cpuSeconds ?? 120 + (durationMs / 1000) * 60
  const read = await ffprobe(
    file,
    container,
    options(`-threads ${threads} -select_streams ${video.stream} -of csv -show_entries ${show}`),
    bounds.signal,
    linewise(meter.take),
    { video, limits: { cpuSeconds, wallMs: 240_000 + 2000 * cpuSeconds, memoryBytes: 4 * 2 ** 30 } },
  )
  const decoded = meter.done()
  if (read.ok) return decoded
  return refusalFrom(read).code === 'too-heavy' ? null : { ...decoded, missing: Infinity, isSteady: true }
}

/** Takes lines that tell of packets, pictures, and what comes beside these. */
function decodedMeter() {
  /** How many packets of a time have no picture yet. */
  const waiting = new Map<string, number>()
  let [packets, pictures] = [0, 0]
  let [first, isSteady] = ['', true]
  return {
    take(line: string) {
      const [what, at = '', ...rest] = line.split(',')
      if (what === 'packet') packets++
      if (what === 'packet' && !/^[K_]D/.test(rest[0] ?? '')) waiting.set(at, (waiting.get(at) ?? 0) + 1)
      if (what === 'frame') {
        pictures++
        const left = (waiting.get(at) ?? 0) - 1
        if (left > 0) waiting.set(at, left)
        else waiting.delete(at)
        const kind = rest.slice(0, 6).join()
        first ||= kind
        isSteady &&= kind === first
      }
      // A file says at its first picture alone how it is turned; what pictures say themselves may be another thing for each.
      if (pictures > 1 && line.includes('displaymatrix')) isSteady = false
    },
    done: (): Decoded => ({
      packets,
      pictures,
      missing: [...waiting.values()].reduce((sum, one) => sum + one, 0),
      isSteady,
    }),
  }
}
