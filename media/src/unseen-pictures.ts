/** How many pictures of a film are missing in a copy that has 30 a second, and in one that has 60. */
export type Unseen = { at30: number; at60: number }

/**
 * Takes the times of a film's pictures, in seconds from where its copy begins and in the file's order, and counts those that
 * such a copy does not show: one of two that share a moment, one that comes before the beginning, long after its turn, or has
 * no time. `fps` puts each picture into the nearest place, and passes over those that go back.
 */
export function unseenMeter() {
  const [places30, places60] = [new Set<number>(), new Set<number>()]
  const late = lateMeter()
  let pictures = 0
  return {
    take(at: number | undefined) {
      pictures++
      if (at === undefined || !(at < mostSeconds) || placeOf(at, 60) < 0 || late.is(at)) return
      places30.add(placeOf(at, 30))
      places60.add(placeOf(at, 60))
    },
    done: (): Unseen => ({ at30: pictures - places30.size, at60: pictures - places60.size }),
  }
}

/** No film is as long: what claims to come later takes no room here. */
const mostSeconds = 2 * 3600

/** Times are told in millionths: one that lies in the middle of two places always goes to the later. */
const placeOf = (at: number, perSecond: number): number => Math.floor(at * perSecond + 0.5001)

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
