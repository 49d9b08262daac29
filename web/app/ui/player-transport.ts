import { frameFrom, rateOf, usualRate } from './player-time.ts'

/** What a screen needs to know of playback, apart from the time itself. */
export type TransportState = {
  playing: boolean
  /** Waiting for data while it should play. */
  stalled: boolean
  /** Seconds; 0 until known. */
  duration: number
  speed: number
  muted: boolean
}

/** What ruler, controls and keys need of a clock; the workbench has one of its own, over many pieces. */
export type Playback = Pick<
  Transport,
  | 'subscribe'
  | 'state'
  | 'onTime'
  | 'time'
  | 'play'
  | 'pause'
  | 'toggle'
  | 'seek'
  | 'skip'
  | 'step'
  | 'speed'
  | 'faster'
  | 'slower'
  | 'forward'
  | 'backward'
  | 'mute'
>

export const speeds = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2] as const
export const shuttleSpeeds = [1, 2, 4] as const

/**
 * One clock for one video or for several in step. The first attached video leads; the others follow it.
 * Time changes up to sixty times a second, so it is told to `onTime` listeners and never goes through React.
 */
export class Transport {
  #videos: HTMLVideoElement[] = []
  #state: TransportState = { playing: false, stalled: false, duration: 0, speed: 1, muted: false }
  #changed = new Set<() => void>()
  #timed = new Set<(seconds: number) => void>()
  #rate: number = usualRate
  #lastFrame: number | null = null
  #reverse: { speed: number; at: number } | null = null
  #loop = 0
  #wanted: number | null = null
  #resume = false
  #shuttles = false

  subscribe = (listener: () => void) => {
    this.#changed.add(listener)
    return () => void this.#changed.delete(listener)
  }

  state = (): TransportState => this.#state

  onTime = (listener: (seconds: number) => void) => {
    this.#timed.add(listener)
    listener(this.time())
    return () => void this.#timed.delete(listener)
  }

  /** Seconds. While a seek is under way, where it goes: keys pressed in a row must add up. */
  time = (): number => this.#wanted ?? this.#lead()?.currentTime ?? 0

  /** Puts a video under this clock; the returned function takes it out again. */
  attach = (video: HTMLVideoElement) => {
    this.#videos.push(video)
    const heard = new AbortController()
    const on = (type: string, work: () => void) => video.addEventListener(type, work, { signal: heard.signal })
    const lead = () => this.#lead() === video
    on('loadedmetadata', () => {
      this.#measureDuration()
      video.playbackRate = this.#state.speed
      // What was asked for before the video was there, or where the one before it stood.
      if (this.#wanted !== null) video.currentTime = Math.min(this.#wanted, video.duration)
      if (this.#resume) this.play()
      this.#resume = false
    })
    on('durationchange', () => this.#measureDuration())
    on('play', () => {
      if (lead()) this.#set({ playing: true })
      this.#spin()
    })
    on('pause', () => lead() && this.#reverse === null && this.#set({ playing: false, stalled: false }))
    on('playing', () => lead() && this.#set({ playing: true, stalled: false }))
    on('waiting', () => this.#state.playing && this.#set({ stalled: true }))
    on('canplay', () => this.#set({ stalled: false }))
    on('ended', () => lead() && this.#set({ playing: false }))
    on('seeked', () => {
      if (!lead()) return
      this.#wanted = null
      this.#announceTime()
    })
    on('timeupdate', () => lead() && this.#announceTime())
    on('error', () => {
      // The browser pauses what fails; whoever watched wants it to go on when a fresh address comes.
      if (lead() && this.#state.playing) this.#resume = true
      this.#set({ stalled: false })
    })
    video.muted = this.#state.muted || !lead()
    video.playbackRate = this.#state.speed
    if (!lead()) video.currentTime = this.time()
    if (video.readyState >= 1) this.#measureDuration()
    this.#watchFrames(video, heard.signal)
    this.#spin()
    return () => {
      heard.abort()
      const wasLead = lead()
      const [at, playing] = [this.time(), this.#state.playing]
      this.#videos = this.#videos.filter((one) => one !== video)
      if (this.#videos.length === 0) {
        cancelAnimationFrame(this.#loop)
        this.#loop = 0
        this.#wanted = at
        this.#resume ||= playing && this.#reverse === null
        this.#reverse = null
        this.#rate = usualRate
        this.#lastFrame = null
        this.#set({ playing: false, stalled: false })
      } else if (wasLead) {
        this.#lead()!.muted = this.#state.muted
        this.seek(at)
        if (playing) this.play()
      }
      this.#measureDuration()
    }
  }

  /** Whose sound is heard when several play. */
  lead = (video: HTMLVideoElement) => {
    if (this.#lead() === video) return
    const { playing } = this.#state
    this.#videos = [video, ...this.#videos.filter((one) => one !== video)]
    for (const one of this.#videos) {
      one.muted = this.#state.muted || one !== video
      one.playbackRate = this.#state.speed
    }
    if (playing) void video.play().catch(() => {})
  }

  play = () => {
    this.#stopReverse()
    // Asked for before there is a video: it plays when it comes.
    if (this.#videos.length === 0) this.#resume = true
    const end = this.#state.duration
    if (end > 0 && this.time() >= end - 0.05) this.seek(0)
    for (const video of this.#videos)
      if (!video.ended || video.currentTime < video.duration) void video.play().catch(() => {})
    this.#spin()
  }

  pause = () => {
    this.#resume = false
    this.#stopReverse()
    for (const video of this.#videos) {
      video.pause()
      video.playbackRate = this.#state.speed
    }
    const [lead, ...followers] = this.#videos
    // At rest both show the same frame.
    for (const video of followers)
      if (lead && video.readyState >= 1 && video.currentTime !== lead.currentTime) video.currentTime = this.time()
    // The shuttle's speed ends with it; a speed somebody chose stays.
    if (this.#shuttles) this.speed(1)
  }

  toggle = () => (this.#state.playing ? this.pause() : this.play())

  /** Seconds, kept inside the video. */
  seek = (seconds: number) => {
    const end = this.#state.duration
    const to = Math.max(0, end > 0 ? Math.min(seconds, end) : seconds)
    this.#wanted = to
    for (const video of this.#videos) if (video.readyState >= 1) video.currentTime = Math.min(to, video.duration || to)
    this.#announceTime()
  }

  skip = (seconds: number) => this.seek(this.time() + seconds)

  /** Pauses and shows the frame `by` frames away. */
  step = (by: number) => {
    this.pause()
    this.seek(frameFrom(this.time(), by, this.#rate, this.#state.duration))
  }

  speed = (speed: number) => {
    this.#shuttles = false
    for (const video of this.#videos) video.playbackRate = speed
    this.#set({ speed })
  }

  faster = () => this.speed(speeds.find((speed) => speed > this.#state.speed) ?? 2)
  slower = () => this.speed(speeds.findLast((speed) => speed < this.#state.speed) ?? 0.25)

  /** L: plays, and faster with each press. */
  forward = () => {
    if (!this.#state.playing || this.#reverse !== null) {
      this.#stopReverse()
      this.speed(1)
      this.play()
    } else {
      this.speed(shuttleSpeeds.find((speed) => speed > this.#state.speed) ?? 4)
      this.#shuttles = true
    }
  }

  /** J: runs backwards, and faster with each press. Browsers cannot play backwards, so it is a row of seeks. */
  backward = () => {
    const speed = this.#reverse ? (shuttleSpeeds.find((one) => one > this.#reverse!.speed) ?? 4) : 1
    for (const video of this.#videos) video.pause()
    this.#reverse = { speed, at: performance.now() }
    this.#set({ playing: true })
    this.#spin()
  }

  mute = (muted = !this.#state.muted) => {
    for (const video of this.#videos) video.muted = muted || video !== this.#lead()
    this.#set({ muted })
  }

  #lead = (): HTMLVideoElement | undefined => this.#videos[0]

  #stopReverse = () => {
    if (this.#reverse === null) return
    this.#reverse = null
    this.#set({ playing: false })
  }

  #set = (part: Partial<TransportState>) => {
    const next = { ...this.#state, ...part }
    const keys = Object.keys(part) as (keyof TransportState)[]
    if (keys.every((key) => this.#state[key] === next[key])) return
    this.#state = next
    for (const listener of this.#changed) listener()
  }

  #announceTime = () => {
    const at = this.time()
    for (const listener of this.#timed) listener(at)
  }

  // Of several videos the longest counts: the shorter rests on its last frame.
  #measureDuration = () => {
    const lengths = this.#videos.map((video) => video.duration).filter(Number.isFinite)
    if (lengths.length > 0) this.#set({ duration: Math.max(...lengths) })
  }

  #spin = () => {
    if (this.#loop !== 0) return
    const turn = () => {
      this.#loop = requestAnimationFrame(turn)
      if (!this.#state.playing) {
        this.#loop = (cancelAnimationFrame(this.#loop), 0)
        return
      }
      this.#turnBack()
      this.#keepInStep()
      this.#announceTime()
    }
    this.#loop = requestAnimationFrame(turn)
  }

  #turnBack = () => {
    const lead = this.#lead()
    if (this.#reverse === null || !lead || lead.seeking) return
    const now = performance.now()
    const to = this.time() - ((now - this.#reverse.at) / 1000) * this.#reverse.speed
    this.#reverse.at = now
    this.seek(to)
    if (to <= 0) this.#stopReverse()
  }

  // A follower that strays more than a frame and a half is put back; a small drift is caught up by speed, unseen.
  #keepInStep = () => {
    const [lead, ...followers] = this.#videos
    if (!lead || lead.seeking || this.#reverse !== null) return
    for (const video of followers) {
      if (video.readyState < 2 || video.seeking) continue
      const drift = video.currentTime - lead.currentTime
      if (lead.currentTime >= video.duration) continue
      if (video.paused && !lead.paused) void video.play().catch(() => {})
      if (Math.abs(drift) > 0.25) video.currentTime = lead.currentTime
      video.playbackRate = this.#state.speed * (Math.abs(drift) > 0.02 ? (drift > 0 ? 0.96 : 1.04) : 1)
    }
  }

  #watchFrames = (video: HTMLVideoElement, signal: AbortSignal) => {
    if (!('requestVideoFrameCallback' in video)) return
    const seen = (_now: number, { mediaTime }: VideoFrameCallbackMetadata) => {
      if (signal.aborted) return
      if (this.#lead() === video && !video.paused && video.playbackRate <= 1) {
        const rate = this.#lastFrame === null ? null : rateOf(mediaTime - this.#lastFrame)
        // A dropped frame looks like half the rate, so only a higher rate corrects a known one.
        if (rate !== null && (rate > this.#rate || this.#rate === usualRate)) this.#rate = rate
        this.#lastFrame = mediaTime
      }
      video.requestVideoFrameCallback(seen)
    }
    video.requestVideoFrameCallback(seen)
  }
}
