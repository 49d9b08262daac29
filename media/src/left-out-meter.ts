import { linewise } from './linewise.ts'

/** Which packets are told of: those that a player of the edit list gets, or all. */
export type Packets = 'shown' | 'all'

/**
 * Takes what ffprobe says of the packets of those tracks, as it comes: all that is shown first, and then all that there is.
 * `done` tells how much of any of them is not shown, in ms: by their times, and not less than if each were as long as those that are
 * shown. A film of an hour has millions.
 */
export function leftOutMeter(streams: readonly number[]) {
  const tracks = new Map(streams.map((stream) => [stream, trackMeter()]))
  const reader = (packets: Packets) =>
    linewise((line) => {
      const [stream, at, lasts, place] = line.split(',').map(Number)
      const isShown = !/,[K_]D/.test(line)
      if (isShown) tracks.get(stream ?? 0)?.[packets](place || 0, { at: at || 0, lasts: lasts || 0 })
    })
  const take = { shown: reader('shown'), all: reader('all') }
  return {
    take: (packets: Packets, chunk: Buffer) => take[packets](chunk),
    done: () => Math.round(1000 * Math.max(0, ...[...tracks.values()].map((track) => track.done()))),
  }
}

/** In seconds. */
type Time = { at: number; lasts: number }

function trackMeter() {
  const shownPlaces = numbers()
  let places: Float64Array | undefined
  // A number for each packet, which sorts by itself: twice its time in microseconds, and one more where it is left out.
  const keys = numbers()
  let last = { key: -Infinity, lasts: 0 }
  let isBeyond = false
  return {
    /** `place` is where its bytes begin in the file. */
    shown: (place: number) => shownPlaces.add(place),
    all(place: number, { at, lasts }: Time) {
      places ??= shownPlaces.sorted()
      isBeyond ||= Math.abs(at) > mostSeconds
      const key = 2 * Math.round(1e6 * at) + (has(places, place) ? 0 : 1)
      keys.add(key)
      if (key > last.key) last = { key, lasts }
    },
    done(): number {
      if (isBeyond) return Infinity
      const [shown, leftOut] = [
        { count: 0, seconds: 0 },
        { count: 0, seconds: 0 },
      ]
      const inTurn = keys.sorted()
      inTurn.forEach((key, turn) => {
        const next = inTurn[turn + 1]
        const sum = key % 2 === 0 ? shown : leftOut
        sum.count++
        sum.seconds += next === undefined ? last.lasts : (Math.floor(next / 2) - Math.floor(key / 2)) / 1e6
      })
      // Who reads the packets alone gives each its length, whatever the file says of those that it leaves out.
      return Math.max(leftOut.seconds, shown.count && (leftOut.count * shown.seconds) / shown.count)
    },
  }
}

/** No film has later times; in microseconds their numbers would not be exact. */
const mostSeconds = 1e9

function numbers() {
  let all = new Float64Array(1024)
  let count = 0
  return {
    add(one: number) {
      if (count === all.length) {
        const longer = new Float64Array(2 * count)
        longer.set(all)
        all = longer
      }
      all[count++] = one
    },
    /** Nothing can be added afterwards. */
    sorted: (): Float64Array => all.subarray(0, count).sort(),
  }
}

function has(sorted: Float64Array, one: number): boolean {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (sorted[middle]! < one) from = middle + 1
    else to = middle
  }
  return sorted[from] === one
}
