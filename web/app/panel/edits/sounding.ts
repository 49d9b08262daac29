import type { Mixer } from './mixer.ts'
import type { TimelinePlayer } from './timeline-player.ts'

/** What is heard from `from` to `to`, in seconds of the finished video. */
export type Heard = { from: number; to: number }

/** Where a sound stands when it is handed to the loudspeaker: `since` seconds after its first sample, which may come yet. */
export type Begun = { seconds: number; since: number; speed: number }

/** A sound is handed to the loudspeaker so many seconds before it is heard. */
const ahead = 0.25
/** Further away from where it should be than that, it is begun anew. Seconds. */
const astray = 0.05

/**
 * Sounds these while the video plays, each in its time: `begin` hands one to the loudspeaker. Answers what ends it all.
 */
export const keepSounding = <One extends Heard>(
  player: TimelinePlayer,
  mixer: Mixer,
  all: readonly One[],
  begin: (one: One, begun: Begun) => AudioBufferSourceNode,
): (() => void) => {
  /** What is handed over: `begins` on the context's clock, where its first sample is heard or would have been. */
  const sounding = new Map<One, { source: AudioBufferSourceNode; begins: number }>()
  const silence = (one: One) => {
    const now = sounding.get(one)
    sounding.delete(one)
    now?.source.stop()
  }
  const follow = () => {
    const { playing, muted, speed } = player.state()
    const seconds = player.time()
    if (!playing || muted) return void [...sounding.keys()].forEach(silence)
    for (const one of all) {
      const since = seconds - one.from
      const isNear = since > -ahead * speed && seconds < one.to
      const now = sounding.get(one)
      if (!isNear && now) silence(one)
      if (!isNear) continue
      mixer.wake()
      const begins = mixer.context.currentTime - since / speed
      if (now && Math.abs(now.begins - begins) < astray) continue
      if (now) silence(one)
      sounding.set(one, { source: begin(one, { seconds, since, speed }), begins })
    }
  }
  const stops = [player.onTime(follow), player.subscribe(follow)]
  return () => {
    stops.forEach((stop) => stop())
    ;[...sounding.keys()].forEach(silence)
  }
}
