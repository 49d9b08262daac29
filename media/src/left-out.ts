import { ffprobe, refusalFrom } from './ffprobe.ts'
import { options } from './input.ts'
import type { Packets } from './left-out-meter.ts'
import { linewise } from './linewise.ts'
import type { Probe } from './probe.ts'
import { Thread } from './thread.ts'

/** What ffprobe puts out at once is some thousand packets, and the end sorts millions; a thread that needs so long never ends. */
const longestMs = 60_000

/**
 * How much of its picture, or of its sound, an edit list leaves out, in ms: who reads the file without its list plays that,
 * too. In Matroska, how much of its sound is marked to be thrown away. Small parts are usual, where pictures are stored out of
 * turn and where an encoder of sound begins or ends. Throws as `probe`.
 */
export async function leftOutMs(file: string, found: Probe, signal?: AbortSignal): Promise<number> {
  if (found.container === 'matroska') return await thrownAwayMs(file, found, signal)
  if (found.container !== 'mov') return 0
  const streams = [found.video, found.audio].flatMap((track) => (track ? [track.stream] : []))
  // In a thread of its own: an hour has millions of packets.
  const meter = new Thread<[Packets, Uint8Array] | 'end', number>(new URL('./left-out-thread.ts', import.meta.url), {
    does: 'adds up what an edit list leaves out',
    longestMs,
    data: streams,
    signal,
  })
  const read = async (packets: Packets, list: string[]): Promise<boolean> => {
    const show = ['-of', 'csv=p=0', '-show_entries', 'packet=stream_index,pts_time,duration_time,pos,flags']
    const take = (chunk: Buffer) => meter.ask([packets, chunk])
    const ran = await ffprobe(file, found.container, [...list, ...show], signal, take)
    if (!ran.ok) refusalFrom(ran)
    return ran.ok
  }
  try {
    const isRead = (await read('shown', [])) && (await read('all', ['-ignore_editlist', '1']))
    return isRead ? await meter.ask('end') : Infinity
  } finally {
    await meter.end()
  }
}

/** By the marks of blocks (`DiscardPadding`), which decoders keep to, and not everybody who copies them. */
async function thrownAwayMs(file: string, { container, audio }: Probe, signal?: AbortSignal): Promise<number> {
  if (!audio) return 0
  let samples = 0
  const take = linewise((line) => {
    for (const [, count] of line.matchAll(/(?:skip_samples|discard_padding)=(\d+)/g)) samples += Number(count)
  })
  const show = options(
    `-select_streams ${audio.stream} -of compact -show_entries packet_side_data=skip_samples,discard_padding`,
  )
  const read = await ffprobe(file, container, show, signal, take)
  if (read.ok) return Math.round((1000 * samples) / audio.sampleRate)
  refusalFrom(read)
  return Infinity
}
