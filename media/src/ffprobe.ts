import { stat } from 'node:fs/promises'
import { MediaTrouble } from './ffmpeg.ts'
import { safeInput, type Input } from './input.ts'
import { refusal, type Refusal } from './refusal.ts'
import { runBoxed, type Limits, type Outcome } from './sandbox.ts'
import type { Container } from './sniff-format.ts'
import { ffprobePath } from './tools.ts'

/** A look at a file by ffprobe, in the sandbox; `show` says what for. `video`: whose pictures are decoded as those of its copy. */
export async function ffprobe(
  file: string,
  container: Container,
  show: string[],
  signal: AbortSignal | undefined,
  onOutput?: (chunk: Buffer) => void | Promise<unknown>,
  { video = null, limits = {} }: { video?: Input['video']; limits?: Partial<Limits> } = {},
) {
  return await runBoxed({
    program: await ffprobePath(),
    args: ['-hide_banner', '-v', 'error', ...show, ...safeInput(file, { container, video })],
    reads: [file],
    limits: { memoryBytes: 2 ** 31, ...(await timeToRead(file)), fileBytes: 0, ...limits },
    signal,
    ...(onOutput && { onOutput }),
  })
}

/** As long as a slow disk takes to give the whole of a file. */
async function timeToRead(file: string): Promise<{ cpuSeconds: number; wallMs: number }> {
  const megabytes = (await stat(file)).size / 1e6
  return { cpuSeconds: 30 + megabytes / 100, wallMs: 180_000 + megabytes * 50 }
}

/** What an unhappy end of a child says about the file; throws when it says something about the machine instead. */
export function refusalFrom(outcome: Outcome & { ok: false }): Refusal {
  if (outcome.why === 'time') throw new MediaTrouble('timeout', `a look at the file took over ${outcome.ms} ms`)
  if (outcome.why === 'memory') throw new MediaTrouble('memory', outcome.stderr)
  return refusal(outcome.why === 'exit' || outcome.why === 'crash' ? 'damaged' : 'too-heavy')
}
