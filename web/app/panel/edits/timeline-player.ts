import { frameAt, msAt, type Fps } from '@clear-to-post/edit/frames'
import { sourceMs, timelineMs, type Piece, type Timeline } from '@clear-to-post/edit/timeline'
import { frameFrom } from '../../ui/player-time.ts'
import { shuttleSpeeds, speeds, type Playback, type TransportState } from '../../ui/player-transport.ts'
import { seekTwice } from './first-seek.ts'

/** What leads, one after the other; over its first `piece.fadeIn` frames a piece is mixed with the one before. Timeline frames. */
export type Part = { from: number; to: number } & (
  | { kind: 'card'; card: 'open' | 'close' }
  | { kind: 'piece'; piece: Piece; before: Piece | null }
)

export const partsOf = ({ pieces, open, close, frames }: Timeline): Part[] => {
  const parts: Part[] = []
  if (open > 0) parts.push({ kind: 'card', card: 'open', from: 0, to: open })
  pieces.forEach((piece, i) => {
    const to = piece.at + piece.to - piece.from - piece.fadeOut
    parts.push({ kind: 'piece', piece, before: piece.fadeIn > 0 ? (pieces[i - 1] ?? null) : null, from: piece.at, to })
  })
  if (close > 0) parts.push({ kind: 'card', card: 'close', from: frames - close, to: frames })
  return parts
}

type Deck = { video: HTMLVideoElement; source: string | null; goal: number | null }

/**
 * Plays a timeline from its sources without rendering it: removed passages are skipped, sources follow each other, cards
 * run on a clock of their own. Two decks take turns, so that the next piece already waits at its first frame when the
 * one before it ends; in a crossfade both play.
 */
export class TimelinePlayer implements Playback {
  #timeline: Timeline = { fps: { num: 30, den: 1 }, pieces: [], open: 0, close: 0, frames: 0 }
  #parts: Part[] = []
  #addresses: ReadonlyMap<string, string> = new Map()
  #decks: Deck[] = []
  #lead = 0
  /** Seconds of the video. */
  #at = 0
  #index = 0
  #state: TransportState = { playing: false, stalled: false, duration: 0, speed: 1, muted: false }
  #changed = new Set<() => void>()
  #timed = new Set<(seconds: number) => void>()
  #loop = 0
  #last = 0
  #reverse: number | null = null
  #shuttles = false
  #failures = 0
  /** Both decks are seen: a crossfade. */
  #isMixing = false
  #touched = new WeakSet<HTMLVideoElement>()
  onExpired: (() => unknown) | undefined
  onLead: ((lead: number) => void) | undefined

  subscribe = (listener: () => void) => {
    this.#changed.add(listener)
    return () => void this.#changed.delete(listener)
  }
  state = (): TransportState => this.#state
  onTime = (listener: (seconds: number) => void) => {
    this.#timed.add(listener)
    listener(this.#at)
    return () => void this.#timed.delete(listener)
  }
  time = (): number => this.#at
  /** Which deck leads, and how much of the picture it is: less than all in a crossfade, the rest is the other's. */
  mix = (): { lead: number; share: number } => ({ lead: this.#lead, share: this.#share() })

  /** Another timeline of the same sources: the moment that was seen stays, or what comes after it. */
  show = (timeline: Timeline) => {
    const before = this.#timeline
    if (before === timeline) return
    const moment = sourceMs(before, Math.round(this.#at * 1000))
    this.#timeline = timeline
    this.#parts = partsOf(timeline)
    this.#set({ duration: timeline.frames / rateOf(timeline.fps) })
    const to = moment ? timelineMs(timeline, moment.source, moment.ms) : null
    const isLater = to !== null && Math.abs(to / 1000 - this.#at) > 1e-3
    this.#go(isLater ? to / 1000 : Math.min(this.#at, this.#state.duration))
  }

  /** Where each source is played from. Addresses end after a while: one that still plays is kept. */
  from = (addresses: ReadonlyMap<string, string>) => {
    const first = this.#addresses.size === 0
    this.#addresses = addresses
    if (first || this.#failures > 0) this.#go(this.#at)
  }

  attach = (video: HTMLVideoElement) => {
    const deck: Deck = { video, source: null, goal: null }
    this.#decks.push(deck)
    const heard = new AbortController()
    const on = (type: string, work: () => void) => video.addEventListener(type, work, { signal: heard.signal })
    const leads = () => this.#decks[this.#lead] === deck
    seekTwice(video, heard.signal)
    on('loadedmetadata', () => this.#settle(deck))
    on('seeked', () => {
      this.#settle(deck)
      if (!leads()) return
      this.#announceTime()
      if (!this.#isMixing) this.#prepare()
    })
    on('waiting', () => leads() && this.#state.playing && this.#set({ stalled: true }))
    on('playing', () => leads() && this.#set({ stalled: false }))
    on('canplay', () => leads() && this.#set({ stalled: false }))
    on('loadeddata', () => (this.#failures = 0))
    on('error', () => {
      if (video.getAttribute('src') === null) return
      // Twice by itself, then a person is asked by the words under the picture.
      deck.source = null
      if (++this.#failures <= 3) void this.onExpired?.()
      else {
        this.#set({ stalled: false, playing: false })
        for (const listener of this.#changed) listener()
      }
    })
    this.#go(this.#at)
    return () => {
      heard.abort()
      video.pause()
      this.#decks = this.#decks.filter((one) => one !== deck)
      this.#lead = 0
      if (this.#decks.length === 0) cancelAnimationFrame(this.#loop)
    }
  }

  play = () => {
    this.#reverse = null
    if (this.#parts.length === 0) return
    if (this.#at >= this.#state.duration - 0.5 / rateOf(this.#timeline.fps)) this.#go(0)
    // A phone lets a video speak only after a person's press: this one touches both decks.
    const other = this.#decks[1 - this.#lead]
    if (other && other.source !== null && !this.#touched.has(other.video)) {
      this.#touched.add(other.video)
      other.video.play().catch(() => {})
      other.video.pause()
    }
    this.#set({ playing: true })
    this.#run()
  }
  pause = () => {
    this.#reverse = null
    for (const { video } of this.#decks) video.pause()
    this.#set({ playing: false, stalled: false })
    if (this.#shuttles) this.speed(1)
  }
  toggle = () => (this.#state.playing ? this.pause() : this.play())
  seek = (seconds: number) => {
    this.#go(Math.max(0, Math.min(seconds, this.#state.duration)))
    if (this.#state.playing && this.#reverse === null) this.#run()
  }
  skip = (seconds: number) => this.seek(this.#at + seconds)
  step = (by: number) => {
    this.pause()
    this.seek(frameFrom(this.#at, by, rateOf(this.#timeline.fps), this.#state.duration))
  }
  speed = (speed: number) => {
    this.#shuttles = false
    for (const { video } of this.#decks) video.playbackRate = speed
    this.#set({ speed })
  }
  faster = () => this.speed(speeds.find((speed) => speed > this.#state.speed) ?? 2)
  slower = () => this.speed(speeds.findLast((speed) => speed < this.#state.speed) ?? 0.25)
  forward = () => {
    if (!this.#state.playing || this.#reverse !== null) {
      this.speed(1)
      this.play()
    } else {
      this.speed(shuttleSpeeds.find((speed) => speed > this.#state.speed) ?? 4)
      this.#shuttles = true
    }
  }
  backward = () => {
    const speed = this.#reverse === null ? 1 : (shuttleSpeeds.find((one) => one > this.#reverse!) ?? 4)
    for (const { video } of this.#decks) video.pause()
    this.#reverse = speed
    this.#set({ playing: true })
    this.#spin()
  }
  mute = (muted = !this.#state.muted) => {
    for (const { video } of this.#decks) video.muted = muted
    this.#set({ muted })
  }

  /** Tries the addresses anew after they failed. */
  again = () => {
    this.#failures = 1
    for (const listener of this.#changed) listener()
    void this.onExpired?.()
  }
  hasFailed = (): boolean => this.#failures > 3

  #set = (part: Partial<TransportState>) => {
    const next = { ...this.#state, ...part }
    const keys = Object.keys(part) as (keyof TransportState)[]
    if (keys.every((key) => this.#state[key] === next[key])) return
    this.#state = next
    for (const listener of this.#changed) listener()
  }

  #announceTime = () => {
    for (const listener of this.#timed) listener(this.#at)
  }

  /** Stands at a moment: the deck that shows it leads, the other waits for the next piece. */
  #go = (seconds: number) => {
    this.#at = seconds
    const { fps } = this.#timeline
    const frame = Math.floor(seconds * rateOf(fps) + 1e-3)
    const found = this.#parts.findIndex(({ from, to }) => frame >= from && frame < to)
    this.#index = found < 0 ? Math.max(0, this.#parts.length - 1) : found
    this.#showFrame(Math.min(frame, Math.max(0, this.#timeline.frames - 1)))
    this.#announceTime()
  }

  #showFrame = (frame: number) => {
    const part = this.#parts[this.#index]
    if (part?.kind === 'piece') {
      const { piece } = part
      const free = this.#decks.findIndex(({ source }) => source === piece.source)
      // The deck that has the source already needs only to seek; the leading one first, so that the picture stays.
      const lead = this.#decks[this.#lead]?.source === piece.source ? this.#lead : Math.max(0, free)
      if (lead !== this.#lead) this.#decks[this.#lead]?.video.pause()
      this.#take(lead)
      this.#cue(this.#decks[lead], piece, frame)
    } else for (const { video } of this.#decks) video.pause()
    this.#aside(frame)
  }

  /** The deck that does not lead shows what fades out, or waits for what comes next. */
  #aside = (frame: number) => {
    const part = this.#parts[this.#index]
    const other = this.#decks[1 - this.#lead]
    this.#isMixing = part?.kind === 'piece' && part.before !== null && frame < part.from + part.piece.fadeIn
    if (this.#isMixing && part?.kind === 'piece') this.#cue(other, part.before!, frame)
    else {
      other?.video.pause()
      this.#prepare()
    }
    this.#loud()
  }

  #share = (): number => {
    const part = this.#parts[this.#index]
    if (!this.#isMixing || part?.kind !== 'piece') return 1
    const done = (frameOf(this.#at, this.#timeline.fps) - part.from) / part.piece.fadeIn
    return Math.max(0, Math.min(1, done))
  }

  /** Equal power, as in the render: as loud in the middle as at the ends. */
  #loud = () => {
    const share = this.#share()
    this.#decks.forEach(({ video }, i) => {
      video.volume = Math.sin(((i === this.#lead ? share : 1 - share) * Math.PI) / 2)
    })
  }

  #take = (index: number) => {
    if (index === this.#lead) return
    this.#lead = index
    this.onLead?.(index)
  }

  /** Has a deck show a timeline frame of a piece: its middle, because an edge may show either neighbour. */
  #cue = (deck: Deck | undefined, piece: Piece, frame: number) => {
    if (!deck) return
    const seconds = (piece.from + frame - piece.at + 0.5) / rateOf(this.#timeline.fps)
    if (deck.source !== piece.source) {
      const address = this.#addresses.get(piece.source)
      if (address === undefined) return
      deck.source = piece.source
      deck.video.src = address
      deck.video.muted = this.#state.muted
    }
    deck.goal = seconds
    this.#settle(deck)
  }

  // One seek at a time: while a person drags, the newest goal waits for the seek under way.
  #settle = (deck: Deck) => {
    if (deck.goal === null || deck.video.readyState < 1 || deck.video.seeking) return
    const { goal, video } = deck
    deck.goal = null
    video.playbackRate = this.#state.speed
    if (Math.abs(video.currentTime - goal) > 1e-3) video.currentTime = Math.min(goal, video.duration || goal)
  }

  // The picture that is waited for comes first: a second one that is decoded beside it makes both late.
  #prepare = () => {
    const lead = this.#decks[this.#lead]
    if (lead && (lead.goal !== null || lead.video.seeking)) return
    const next = this.#parts[this.#index + 1]
    const other = this.#decks[1 - this.#lead]
    if (next?.kind === 'piece' && other) this.#cue(other, next.piece, next.from)
  }

  #run = () => {
    if (this.#parts[this.#index]?.kind === 'piece') {
      this.#start(this.#decks[this.#lead])
      if (this.#isMixing) this.#start(this.#decks[1 - this.#lead])
    }
    this.#spin()
  }

  #start = (deck: Deck | undefined) => {
    if (!deck?.video.paused) return
    deck.video.muted = this.#state.muted
    deck.video.playbackRate = this.#state.speed
    void deck.video.play().catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'NotAllowedError') this.pause()
    })
  }

  #spin = () => {
    if (this.#loop !== 0) return
    this.#last = performance.now()
    let told = -1
    const turn = (now: number) => {
      if (!this.#state.playing) {
        this.#loop = 0
        return
      }
      this.#loop = requestAnimationFrame(turn)
      const since = Math.max(0, now - this.#last) / 1000
      this.#last = now
      if (this.#reverse !== null) this.#turnBack(since)
      else this.#turn(since)
      // A screen draws more often than the video has pictures: between two of them nothing changes.
      const frame = frameOf(this.#at, this.#timeline.fps)
      if (frame === told) return
      told = frame
      this.#announceTime()
    }
    this.#loop = requestAnimationFrame(turn)
  }

  #turnBack = (since: number) => {
    const deck = this.#decks[this.#lead]
    if (deck?.video.seeking) return
    const to = this.#at - since * this.#reverse!
    if (to <= 0) this.pause()
    this.#go(Math.max(0, to))
  }

  #turn = (since: number) => {
    const part = this.#parts[this.#index]
    if (!part) return this.pause()
    const rate = rateOf(this.#timeline.fps)
    if (part.kind === 'card') this.#at += since * this.#state.speed
    else {
      const { video, goal, source } = this.#decks[this.#lead] ?? { video: null, goal: null, source: null }
      // What the element says while it seeks or loads is not the moment that is seen.
      if (!video || goal !== null || video.seeking || video.readyState < 2 || source !== part.piece.source) return
      const at = part.piece.at / rate + video.currentTime - part.piece.from / rate
      this.#at = Math.max(part.from / rate, Math.min(at, part.to / rate))
      if (video.ended) this.#at = part.to / rate
      if (this.#isMixing) {
        const frame = frameOf(this.#at, this.#timeline.fps)
        if (frame >= part.from + part.piece.fadeIn) this.#aside(frame)
        else this.#loud()
      }
    }
    if (this.#at < part.to / rate - 1e-4) return
    const next = this.#parts[this.#index + 1]
    if (!next) {
      this.#at = this.#state.duration
      this.pause()
      return
    }
    this.#enter(next)
  }

  #enter = (next: Part) => {
    const rate = rateOf(this.#timeline.fps)
    this.#index += 1
    this.#at = next.from / rate
    if (next.kind === 'card') {
      for (const { video } of this.#decks) video.pause()
      return
    }
    const other = this.#decks[1 - this.#lead]
    const first = (next.piece.from + next.from - next.piece.at + 0.5) / rate
    const waits =
      other?.source === next.piece.source && other.goal === null && Math.abs(other.video.currentTime - first) < 0.02
    if (waits) {
      const last = this.#decks[this.#lead]
      this.#take(1 - this.#lead)
      this.#isMixing = next.before !== null && last?.source === next.before.source
      if (!this.#isMixing) this.#aside(next.from)
    } else this.#showFrame(next.from)
    this.#run()
  }
}

const rateOf = ({ num, den }: Fps): number => num / den

/** The timeline frame that is seen at a moment. */
export const frameOf = (seconds: number, fps: Fps): number => Math.floor(seconds * rateOf(fps) + 1e-3)

/** The moment in the middle of the frame at which a moment of a source is seen, or where the video goes on after it. Null at its end. */
export const secondsOf = (timeline: Timeline, source: string, ms: number): number | null => {
  const at = timelineMs(timeline, source, ms)
  return at === null ? null : (frameAt(at, timeline.fps) + 0.5) / rateOf(timeline.fps)
}

/** A frame as seconds of the video. */
export const atFrame = (frame: number, fps: Fps): number => msAt(frame, fps) / 1000
