import { stat } from 'node:fs/promises'
import { options } from './input.ts'
import { runBoxed, type Limits, type Outcome } from './sandbox.ts'
import { ffmpegPath } from './tools.ts'

export type Run = {
  /** Everything after ffmpeg's general options: inputs, graph, outputs. Outputs are names inside `outDir`. */
  args: readonly string[]
  reads?: readonly string[]
  outDir?: string
  limits?: Partial<Limits>
  signal?: AbortSignal | undefined
  /** Told the milliseconds of output made so far. Not together with an output to `pipe:1`. */
  onTime?: (ms: number) => void
  onOutput?: (chunk: Buffer) => void | Promise<unknown>
}

/** What ffmpeg counted: pictures put out and the time reached, 0 when it made nothing. Both 0 without `onTime`. */
export type Ran = Outcome & { frames: number; timeMs: number }

/** Runs ffmpeg in the sandbox. Throws as runBoxed does, and an Error when ffmpeg is missing. */
export async function runFfmpeg(run: Run): Promise<Ran> {
  let frames = 0
  let timeMs = 0
  let rest = ''
  const onProgress = (chunk: Buffer) => {
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop()?.slice(-1000) ?? ''
    for (const line of lines) {
      const [name, value] = line.split('=')
      const number = Number(value)
      if (name === 'frame' && number >= 0) frames = number
      if (name === 'out_time_us' && number > 0) {
        timeMs = Math.round(number / 1000)
        run.onTime?.(timeMs)
      }
    }
  }
  const onOutput = run.onTime ? onProgress : run.onOutput
  const outcome = await runBoxed({
    program: await ffmpegPath(),
    args: [
      ...options('-hide_banner -nostdin -v error'),
      ...(run.onTime ? options('-progress pipe:1 -stats_period 0.25') : []),
      ...run.args,
    ],
    ...(run.reads && { reads: run.reads }),
    ...(run.outDir !== undefined && { writes: run.outDir }),
    ...(run.limits && { limits: run.limits }),
    ...(onOutput && { onOutput }),
    signal: run.signal,
  })
  return { ...outcome, frames, timeMs }
}

/**
 * What ffmpeg says of its version. It is asked once for each file that it is: starting ffmpeg takes as long as a second of
 * video. Throws MediaTrouble when it does not answer, an Error when it is missing, and the signal's reason after an abort.
 */
export async function ffmpegVersion(signal: AbortSignal | undefined): Promise<string> {
  signal?.throwIfAborted()
  const path = await ffmpegPath()
  const { dev, ino, mtimeMs } = await stat(path)
  const file = [path, dev, ino, mtimeMs].join(' ')
  if (known?.file !== file) {
    const ran = await runFfmpeg({ args: ['-version'], signal })
    if (!ran.ok) throw new MediaTrouble(ran.why === 'memory' ? 'memory' : 'failed', ran.stderr)
    known = { file, version: ran.stdout.toString() }
  }
  return known.version
}

let known: { file: string; version: string } | undefined

/** Trouble of the machine and not of the file: worth another try. `reason` is a name that logs can be searched for. */
export class MediaTrouble extends Error {
  readonly reason: 'disk-full' | 'timeout' | 'memory' | 'failed'
  constructor(reason: MediaTrouble['reason'], detail: string) {
    super(`${reason}: ${detail.trim().slice(-2000)}`)
    this.name = 'MediaTrouble'
    this.reason = reason
  }
}
