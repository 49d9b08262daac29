/**
 * Keeps sound under a level, as the render's limiter does to the finished file: it sees a peak 5 ms before it comes, goes down
 * to it in a slope, and is up again within 50 ms after it. The preview runs it in an audio worklet.
 */
export type Limiter = {
  /** Changes the samples in place, both channels alike; they come out `delay` samples later, none above the limit. */
  process: (left: Float32Array, right: Float32Array) => void
  delay: number
}

/** Seconds: how long before a peak it is lowered, and until what was lowered is as loud as before. */
export const limiterTimes = { attack: 0.005, release: 0.05 } as const

/** `limit`: the highest sample there may be, 0 to 1; `rate`: samples a second. */
export const limiter = (rate: number, limit: number): Limiter => {
  const delay = Math.max(1, Math.round(limiterTimes.attack * rate))
  const [lefts, rights, slope] = [new Float32Array(delay), new Float32Array(delay), new Float64Array(delay).fill(1)]
  // The least gain that any sample of the last `delay + 1` asks for stands first; none behind it is less than one before it.
  const size = delay + 2
  const [asked, when] = [new Float64Array(size), new Float64Array(size)]
  let [first, count] = [0, 0]
  let [held, rise, sum, at, now] = [1, 0, delay, 0, 0]
  return {
    delay,
    process: (left, right) => {
      for (let i = 0; i < left.length; i++, now++) {
        const peak = Math.max(Math.abs(left[i]!), Math.abs(right[i]!))
        const own = peak > limit ? limit / peak : 1
        while (count > 0 && asked[(first + count - 1) % size]! >= own) count--
        asked[(first + count) % size] = own
        when[(first + count) % size] = now
        count++
        if (when[first]! < now - delay) {
          first = (first + 1) % size
          count--
        }
        const least = asked[first]!
        if (least < held) {
          held = least
          rise = (1 - held) / (limiterTimes.release * rate)
        } else held = Math.min(least, held + rise)
        // The mean of what all these moments ask for: each of them knows of the sample that comes out, so it is never more.
        sum += held - slope[at]!
        slope[at] = held
        const gain = sum / delay
        const [outLeft, outRight] = [lefts[at]! * gain, rights[at]! * gain]
        lefts[at] = left[i]!
        rights[at] = right[i]!
        left[i] = outLeft
        right[i] = outRight
        at = (at + 1) % delay
      }
    },
  }
}
