/** How much of the line is seen: its left edge in pixels of the whole line, at a zoom; 1 shows all of it. */
export type LinePlace = { zoom: number; left: number }

/** Where the line has room: the width in which it is seen, and the margin on both sides of its own frames. Pixels. */
export type LineRoom = { width: number; rim: number }

/** So wide a frame is at the nearest, in pixels. */
const widestFrame = 14

/** How near a line of so many frames can be brought. */
export const mostZoom = (frames: number, { width, rim }: LineRoom): number =>
  Math.max(1, (frames * widestFrame) / Math.max(1, width - 2 * rim))

/** Another zoom, with the frame that is seen at `x` still seen there, as far as the line reaches. */
export const zoomedAt = (before: LinePlace, zoom: number, x: number, { width, rim }: LineRoom): LinePlace => {
  const length = (at: number) => Math.max(1, width * at - 2 * rim)
  const share = (before.left + x - rim) / length(before.zoom)
  const left = share * length(zoom) + rim - x
  return { zoom, left: Math.max(0, Math.min(left, width * (zoom - 1))) }
}

/** Where the line must stand so that a share of it is seen: as it is, or turned on like a page. */
export const showing = ({ zoom, left }: LinePlace, share: number, { width, rim }: LineRoom): number => {
  const x = share * (width * zoom - 2 * rim) + rim
  if (x >= left && x <= left + width - rim) return left
  return Math.max(0, Math.min(x - width * 0.1, width * (zoom - 1)))
}

/** What of the line is in sight, as shares of all of it. */
export const seenOf = ({ zoom, left }: LinePlace, { width, rim }: LineRoom): { from: number; to: number } => {
  const share = (x: number) => Math.max(0, Math.min(1, (x - rim) / Math.max(1, width * zoom - 2 * rim)))
  return { from: share(left), to: share(left + width) }
}

/** So near to an edge of what is seen what is drawn takes the line along, in pixels. */
const edge = 36

/** How fast the line goes on while something is drawn at `x` of what is seen, pixels a second; the farther out the faster. */
export const edgeSpeed = (x: number, width: number): number => {
  const within = Math.min(edge, width / 4)
  const deep = x < within ? x - within : Math.max(0, x - (width - within))
  return 600 * Math.max(-3, Math.min(3, deep / within))
}

/** What of the line's frames is seen: pixels from its beginning, how many are seen, and its whole length. */
export type LinePart = { from: number; width: number; whole: number }

/**
 * The line under the picture, as near as a person has brought it. It moves without React: its element is as wide as the
 * zoom says and scrolls, what is positioned in shares of it follows by itself, and what is painted hears of each move.
 */
export class LineView {
  #scroller: HTMLElement | null = null
  #zoom = 1
  #frames = 1
  #moved = new Set<() => void>()
  #changed = new Set<() => void>()
  #isFollowing = true
  #drawn: { x: number; first: number; moved: () => void } | null = null
  #going = 0

  subscribe = (listener: () => void) => {
    this.#changed.add(listener)
    return () => void this.#changed.delete(listener)
  }
  zoom = (): number => this.#zoom
  isFollowing = (): boolean => this.#isFollowing
  /** Called at once, and whenever another part of the line is seen. */
  onMove = (listener: () => void) => {
    this.#moved.add(listener)
    listener()
    return () => void this.#moved.delete(listener)
  }

  show = (frames: number) => {
    this.#frames = Math.max(1, frames)
    this.#set({ zoom: Math.min(this.#zoom, this.#most()), left: this.#place().left })
  }

  attach = (scroller: HTMLElement) => {
    this.#scroller = scroller
    const heard = new AbortController()
    const { signal } = heard
    const x = (clientX: number) => clientX - scroller.getBoundingClientRect().left
    scroller.addEventListener('scroll', this.#tell, { signal, passive: true })
    scroller.addEventListener(
      'wheel',
      (event) => {
        if (!event.ctrlKey && !event.metaKey) return
        event.preventDefault()
        const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 30 : 1
        this.zoomBy(Math.exp((-event.deltaY * lines) / 400), x(event.clientX))
      },
      { signal, passive: false },
    )
    let pinch: { apart: number; zoom: number } | null = null
    const fingers = ({ touches: [one, other] }: TouchEvent) =>
      one && other
        ? {
            apart: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) || 1,
            x: x((one.clientX + other.clientX) / 2),
          }
        : null
    const began = (event: TouchEvent) => {
      const two = fingers(event)
      pinch = two && { apart: two.apart, zoom: this.#zoom }
    }
    scroller.addEventListener('touchstart', began, { signal, passive: true })
    scroller.addEventListener('touchend', began, { signal, passive: true })
    scroller.addEventListener(
      'touchmove',
      (event) => {
        const two = fingers(event)
        if (!two || !pinch) return
        if (event.cancelable) event.preventDefault()
        this.zoomTo((pinch.zoom * two.apart) / pinch.apart, two.x)
      },
      { signal, passive: false },
    )
    const watch = new ResizeObserver(() => this.#set(this.#place()))
    watch.observe(scroller)
    return () => {
      heard.abort()
      watch.disconnect()
      this.#scroller = null
    }
  }

  zoomTo = (zoom: number, x = this.#room().width / 2) => {
    const next = Math.max(1, Math.min(zoom, this.#most()))
    this.#set(zoomedAt(this.#place(), next, x, this.#room()))
  }
  zoomBy = (factor: number, x?: number) => this.zoomTo(this.#zoom * factor, x)
  /** Nearer or farther around a place of the line that is in sight, else around the middle. */
  zoomAround = (factor: number, share: number) => {
    const { width, rim } = this.#room()
    const { left } = this.#place()
    const at = share * (width * this.#zoom - 2 * rim) + rim - left
    this.zoomBy(factor, at >= 0 && at <= width ? at : width / 2)
  }
  fit = () => this.zoomTo(1)
  follow = (isFollowing: boolean) => {
    this.#isFollowing = isFollowing
    for (const listener of this.#changed) listener()
  }
  /** Turns the line on when a share of it left the part that is seen. */
  reveal = (share: number) => {
    if (!this.#scroller || this.#zoom === 1) return
    const place = this.#place()
    const left = showing(place, share, this.#room())
    if (left !== place.left) this.#scroller.scrollLeft = left
  }

  /** The shares of the line between which it is in sight. */
  seen = () => seenOf(this.#place(), this.#room())
  /** Moves the line so that a share of it is at the left edge of what is seen, as far as it reaches. */
  showFrom = (share: number) => {
    const { width, rim } = this.#room()
    if (this.#scroller) this.#scroller.scrollLeft = share * (width * this.#zoom - 2 * rim) + rim
  }
  /** How far the line was moved, in pixels: what is drawn has gone so much farther than the hand. */
  left = (): number => this.#scroller?.scrollLeft ?? 0
  /**
   * Something is drawn, and the pointer is at this place of the window: near an edge towards which it was drawn the line goes on by
   * itself, and `moved` hears of each step. Null ends it.
   */
  drawnAt = (clientX: number | null, moved: () => void = () => {}) => {
    this.#drawn = clientX === null ? null : { x: clientX, first: this.#drawn?.first ?? clientX, moved }
    if (!this.#drawn || this.#going !== 0 || this.#zoom === 1) return
    let before = performance.now()
    const go = (now: number) => {
      const [scroller, drawn] = [this.#scroller, this.#drawn]
      this.#going = scroller && drawn ? requestAnimationFrame(go) : 0
      if (!scroller || !drawn) return
      const speed = edgeSpeed(drawn.x - scroller.getBoundingClientRect().left, scroller.clientWidth)
      const was = scroller.scrollLeft
      // Whoever only takes hold of something at the edge stays there.
      const isTowards = Math.sign(drawn.x - drawn.first) === Math.sign(speed)
      if (isTowards) scroller.scrollLeft += (speed * Math.min(100, now - before)) / 1000
      before = now
      if (scroller.scrollLeft !== was) drawn.moved()
    }
    this.#going = requestAnimationFrame(go)
  }

  /** Shows the share of the line to which something that is dragged was drawn; null hides it. */
  guide = (at: number | null) => {
    if (at !== null) this.#scroller?.style.setProperty('--guide', String(at))
    this.#scroller?.toggleAttribute('data-guided', at !== null)
  }

  #place = (): LinePlace => ({ zoom: this.#zoom, left: this.#scroller?.scrollLeft ?? 0 })
  #room = (): LineRoom => {
    if (!this.#scroller) return { width: 1, rim: 0 }
    const rim = parseFloat(getComputedStyle(this.#scroller).getPropertyValue('--rim')) || 0
    return { width: this.#scroller.clientWidth, rim }
  }
  #most = (): number => mostZoom(this.#frames, this.#room())
  #set = ({ zoom, left }: LinePlace) => {
    const scroller = this.#scroller
    const isOther = zoom !== this.#zoom
    this.#zoom = zoom
    if (scroller) {
      scroller.style.setProperty('--zoom', String(zoom))
      scroller.style.setProperty('--room', `${scroller.clientWidth}px`)
      scroller.scrollLeft = left
    }
    this.#tell()
    if (isOther) for (const listener of this.#changed) listener()
  }
  #tell = () => {
    for (const listener of this.#moved) listener()
  }
}
