import { linewise, ffprobe, refusalFrom, type Probe } from './probe.ts'

/**
 * How much of its picture, or of its sound, an edit list leaves out, in ms: who reads the file without its list plays that,
 * too. Small parts are usual, where pictures are stored out of turn and where an encoder of sound begins. Throws as `probe`.
 */
export async function leftOutMs(file: string, found: Probe, signal?: AbortSignal): Promise<number> {
  if (found.container !== 'mov') return 0
  const streams = [found.video, found.audio].flatMap((track) => (track ? [track.stream] : []))
  const samples = async (list: string[]): Promise<Map<number, Samples> | null> => {
    const all = new Map(streams.map((stream) => [stream, { at: [], lasts: [], place: [] } as Samples]))
    const onOutput = linewise((line) => {
      const [stream, at, lasts, place] = line.split(',').map(Number)
      const track = all.get(stream ?? 0)
      const isShown = !/,[K_]D/.test(line)
      if (!track || !isShown) return
      track.at.push(at || 0)
      track.lasts.push(lasts || 0)
      track.place.push(place ?? 0)
    })
    const show = ['-of', 'csv=p=0', '-show_entries', 'packet=stream_index,pts_time,duration_time,pos,flags']
    const read = await ffprobe(file, found.container, [...list, ...show], signal, onOutput)
    if (read.ok) return all
    refusalFrom(read)
    return null
  }
  const [shown, all] = [await samples([]), await samples(['-ignore_editlist', '1'])]
  if (!shown || !all) return Infinity
  const ofTrack = (stream: number) => {
    const { at, lasts, place } = all.get(stream)!
    const isShown = new Set(shown.get(stream)!.place)
    const inTurn = Uint32Array.from(at.keys()).sort((a, b) => at[a]! - at[b]!)
    let sum = 0
    for (const [turn, one] of inTurn.entries()) {
      const next = inTurn[turn + 1]
      if (!isShown.has(place[one]!)) sum += next === undefined ? lasts[one]! : at[next]! - at[one]!
    }
    return sum
  }
  return Math.round(1000 * Math.max(0, ...streams.map(ofTrack)))
}

/** Of one track, by packet, in seconds; `place` is where its bytes begin in the file. A list for each: there are many. */
type Samples = { at: number[]; lasts: number[]; place: number[] }
