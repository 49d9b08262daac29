/**
 * Where the person of a recording is: what a detector saw at some of its moments becomes a few places where the head
 * stays, and doubts. Nothing here tells who it is. All places are parts of the upright picture, all times milliseconds.
 */

/** A face in a picture: the middle of its box, the box's height, and how sure the detector is, 0 to 1. */
export type Face = { x: number; y: number; height: number; sure: number }

/** The faces of one moment. */
export type Look = { at: number; faces: readonly Face[] }

/** The head stays at a place: its middle and its height. `start` and `end` are the first and the last moment it was seen there. */
export type Hold = { start: number; end: number; x: number; y: number; height: number }

export const doubtKinds = ['two', 'lost', 'seldom', 'restless'] as const

/** Where it is not sure: two people, nobody for a while, somebody for a moment only, somebody who walks about. */
export type Doubt = { start: number; end: number; kind: (typeof doubtKinds)[number] }

export type Person = { holds: Hold[]; doubts: Doubt[] }

/** What the rules of the search go by. */
export const personRules = {
  /** From here on a face is one; below it, down to `perhaps`, there may be one. */
  sure: 0.6,
  perhaps: 0.45,
  /** Another face so high, as a part of the main one's, is another person and nobody in the background. */
  rival: 0.65,
  /** Two people are seen at so many of the moments: a person must say whom the picture follows. */
  two: 0.25,
  /** Seen at fewer of the moments: nobody's video. Somebody walks through a house tour, or a portrait hangs there. */
  seldom: 0.3,
  /** The head may move so far each way from where it is held, as parts of the picture, before the picture follows. */
  steady: { x: 0.045, y: 0.07 },
  /** So many places in a minute are too restless: the bounds above grow, by so much, so many times. */
  places: 6,
  wider: 1.5,
  tries: 3,
  /** Somebody stands at a place when seen there at so many moments. */
  stays: 2,
  /** Not seen for longer, ms, and at so many looks: a person must say where to look. */
  lost: 6000,
  lostLooks: 3,
  /** A head is higher than the box of its face, which reaches from the brows to the chin; and begins above it. */
  head: 1.55,
  above: 0.17,
} as const

/** Where the person is in a recording of that length; null where there is none. Looks come in the order of their moments. */
export const personIn = (looks: readonly Look[], durationMs: number): Person | null => {
  const seen = followed(looks)
  const mayBe = looks.filter(({ faces }) => faces.some(({ sure }) => sure >= personRules.perhaps))
  const share = seen.length / Math.max(1, looks.length)
  const whole = (kind: Doubt['kind']): Doubt => ({ start: 0, end: durationMs, kind })
  if (share < personRules.seldom)
    return mayBe.length >= Math.max(2, 0.1 * looks.length) ? { holds: [], doubts: [whole('seldom')] } : null
  const { holds, isRestless } = held(steadied(seen), durationMs)
  const isTwo = seen.filter(({ hasRival }) => hasRival).length >= personRules.two * seen.length
  const doubts = isTwo ? [whole('two')] : isRestless ? [whole('restless')] : lostIn(seen, looks, durationMs)
  return { holds: holds.map(rounded), doubts }
}

type Seen = { at: number; x: number; y: number; height: number; hasRival: boolean }

/** The same person from moment to moment: of those who are about as near as the nearest, the one next to the last place. */
const followed = (looks: readonly Look[]): Seen[] => {
  const seen: Seen[] = []
  for (const { at, faces } of looks) {
    const sure = faces.filter((face) => face.sure >= personRules.sure)
    const highest = Math.max(0, ...sure.map(({ height }) => height))
    const near = sure.filter(({ height }) => height >= personRules.rival * highest)
    const last = seen.at(-1)
    const wayFrom = (face: Face) => (last ? Math.hypot(face.x - last.x, face.y - last.y) : -face.height)
    const [face] = near.toSorted((a, b) => wayFrom(a) - wayFrom(b))
    if (!face) continue
    const { above, head } = personRules
    const y = within(face.y - above * face.height)
    seen.push({ at, x: within(face.x), y, height: within(head * face.height), hasRival: near.length > 1 })
  }
  return seen
}

/** Each place as the middle one of its neighbourhood of three: a box that jumps for one moment is no way that somebody went. */
const steadied = (seen: readonly Seen[]): Seen[] =>
  seen.map((one, i) => {
    const around = seen.slice(Math.max(0, i - 1), i + 2)
    // At the ends there is no neighbourhood.
    if (around.length < 3) return one
    return { ...one, x: middle(around.map(({ x }) => x)), y: middle(around.map(({ y }) => y)) }
  })

const held = (seen: readonly Seen[], durationMs: number): { holds: Hold[]; isRestless: boolean } => {
  const most = Math.max(3, (personRules.places * durationMs) / 60_000)
  let holds: Hold[] = []
  for (let wider = 0; wider <= personRules.tries; wider++) {
    holds = placesOf(seen, personRules.wider ** wider)
    if (holds.length <= most) return { holds, isRestless: false }
  }
  return { holds, isRestless: true }
}

const placesOf = (seen: readonly Seen[], wider: number): Hold[] => {
  const { x, y } = personRules.steady
  const groups: Seen[][] = []
  for (const one of seen) {
    const group = groups.at(-1)
    const isSteady =
      group && spread([...group, one], 'x') <= 2 * x * wider && spread([...group, one], 'y') <= 2 * y * wider
    if (isSteady) group.push(one)
    else groups.push([one])
  }
  // Who only passes a place is on the way to the next one.
  const staying = groups.filter((group) => group.length >= personRules.stays)
  const holds: Hold[] = []
  for (const group of staying.length > 0 ? staying : [seen.slice()]) {
    const hold = holdOf(group)
    const last = holds.at(-1)
    // What is nearer than the bounds is the same place: the picture does not follow.
    if (last && Math.abs(last.x - hold.x) <= x * wider && Math.abs(last.y - hold.y) <= y * wider) last.end = hold.end
    else holds.push(hold)
  }
  return holds
}

const holdOf = (group: readonly Seen[]): Hold => ({
  start: group[0]!.at,
  end: group.at(-1)!.at,
  x: middle(group.map(({ x }) => x)),
  y: middle(group.map(({ y }) => y)),
  height: middle(group.map(({ height }) => height)),
})

const lostIn = (seen: readonly Seen[], looks: readonly Look[], durationMs: number): Doubt[] => {
  const every = durationMs / Math.max(1, looks.length)
  const longest = Math.max(personRules.lost, (personRules.lostLooks + 1) * every)
  const moments = [0, ...seen.map(({ at }) => at), durationMs]
  return moments.slice(1).flatMap((end, i): Doubt[] => {
    const start = moments[i]!
    return end - start > longest ? [{ start, end, kind: 'lost' }] : []
  })
}

const spread = (seen: readonly Seen[], axis: 'x' | 'y'): number => {
  const values = seen.map((one) => one[axis])
  return Math.max(...values) - Math.min(...values)
}

const middle = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]!
}

const rounded = (hold: Hold): Hold => {
  const short = (value: number) => Math.round(value * 1000) / 1000
  return { ...hold, x: short(hold.x), y: short(hold.y), height: short(hold.height) }
}

const within = (value: number): number => Math.max(0, Math.min(1, value))
