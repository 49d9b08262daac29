import { linewise, ffprobe, refusalFrom, type Probe } from './probe.ts'

/**
 * How much of its picture, or of its sound, an edit list leaves out, in ms: who reads the file without its list plays that,
 * too. Small parts are usual, where pictures are stored out of turn and where an encoder of sound begins. Throws as `probe`.
 */
export async function leftOutMs(file: string, found: Probe, signal?: AbortSignal): Promise<number> {
  if (found.container !== 'mov') return 0
  const samples = async (list: string[]): Promise<Sample[] | null> => {
    const all: Sample[] = []
    const onOutput = linewise((line) => {
      const [stream, at, lasts, place] = line.split(',').map(Number)
      const isShown = !/,[K_]D/.test(line)
      if (isShown) all.push({ stream: stream ?? 0, at: at || 0, lasts: lasts || 0, place: place ?? 0 })
    })
    const show = ['-of', 'csv=p=0', '-show_entries', 'packet=stream_index,pts_time,duration_time,pos,flags']
    const read = await ffprobe(file, found.container, [...list, ...show], signal, onOutput)
    if (read.ok) return all
    refusalFrom(read)
    return null
  }
  const [shown, all] = [await samples([]), await samples(['-ignore_editlist', '1'])]
  if (!shown || !all) return Infinity
  const isShown = new Set(shown.map(({ stream, place }) => `${stream} ${place}`))
  const ofTrack = (track: { stream: number } | null) => {
    const inTurn = all.filter(({ stream }) => stream === track?.stream).toSorted((a, b) => a.at - b.at)
    const lasting = ({ at, lasts }: Sample, i: number) => (inTurn[i + 1]?.at ?? at + lasts) - at
    return inTurn.reduce((sum, one, i) => (isShown.has(`${one.stream} ${one.place}`) ? sum : sum + lasting(one, i)), 0)
  }
  return Math.round(1000 * Math.max(ofTrack(found.video), ofTrack(found.audio)))
}

/** In seconds; `place` is where its bytes begin in the file. */
type Sample = { stream: number; at: number; lasts: number; place: number }
