/** How many pictures of a film are missing in a copy that has 30 a second, and in one that has 60. */
export type Unseen = { at30: number; at60: number }

/**
 * Takes the times of a film's pictures, in seconds from where its copy begins and in the file's order, and counts those that
 * such a copy does not show: one that finds no place (`inPlaces`), comes before the beginning, long after its turn, or has no
 * time.
 */
export function unseenMeter() {
  const [in30, in60] = [placeMeter(30), placeMeter(60)]
  const late = lateMeter()
  const waiting: number[] = []
  let pictures = 0
  const next = () => {
    const at = waiting.shift()!
    in30.take(at)
    in60.take(at)
  }
  return {
    take(at: number | undefined) {
      pictures++
      if (at === undefined || !(at < mostSeconds) || late.is(at)) return
      // As a decoder puts them out: in the order of their times.
      let before = waiting.length
      while (before > 0 && waiting[before - 1]! > at) before--
      waiting.splice(before, 0, at)
      if (waiting.length > mostHeldBack) next()
    },
    done(): Unseen {
      while (waiting.length > 0) next()
      return { at30: pictures - in30.taken(), at60: pictures - in60.taken() }
    },
  }
}

/** No film is as long: what claims to come later has no place here. */
const mostSeconds = 2 * 3600

/** Times are told in millionths: one that lies in the middle of two places always goes to the later. */
const toLater = 0.5001

/** Finer than any file's times, and a whole number of it for each place. */
const ticks = 6_000_000

/**
 * The filters that give a copy of so many pictures a second its pictures: each goes to the place nearest to its time, or to the
 * next one where the picture before it has that. Times that were rounded, or are not quite even, share a place now and then
 * without being too many. Who is later than that by more than a place takes the place of the one before.
 */
export function inPlaces(perSecond: number): string[] {
  const [own, before] = [`floor(PTS/${ticks / perSecond}+${toLater})`, `PREV_OUTPTS/${ticks / perSecond}`]
  const place = 'if(isnan(ld(1))+gt(ld(0),ld(1)),ld(0),ld(1)+eq(ld(0),ld(1)))'
  return [`settb=1/${ticks}`, `setpts='st(0,${own});st(1,${before});${ticks / perSecond}*${place}'`]
}

/** The same by numbers, for times in their order. */
function placeMeter(perSecond: number) {
  let [before, taken] = [-Infinity, 0]
  return {
    take(at: number) {
      const own = Math.floor(at * perSecond + toLater)
      if (own < before) return
      before = own === before ? before + 1 : own
      if (before >= 0) taken++
    },
    taken: () => taken,
  }
}

/** As many pictures may stand in a file before one that is shown earlier; no decoder holds more of them back. */
const mostHeldBack = 16

/** Whether a picture comes so late that another which is shown after it was shown already. */
function lateMeter() {
  const held: number[] = []
  let shown = -Infinity
  return {
    is(at: number): boolean {
      if (held.length === mostHeldBack) shown = Math.max(shown, held.shift()!)
      held.push(at)
      return at < shown
    },
  }
}
