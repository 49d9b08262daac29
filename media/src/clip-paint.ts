/** Red, green, blue from 0 to 255. */
export type Colour = readonly [number, number, number]
/** Straight RGBA, row by row from the top. */
export type Layer = { width: number; height: number; data: Uint8ClampedArray }
/** The distance from a point to a shape's edge in points, negative inside. */
export type Shape = { at: (x: number, y: number) => number; box: readonly [number, number, number, number] }
export type Fill = { colour: Colour; to?: Colour; alpha?: number; soft?: number; clip?: Shape }

export function layer(width: number, height: number, colour?: Colour): Layer {
  const data = new Uint8ClampedArray(width * height * 4)
  if (colour) for (let i = 0; i < data.length; i += 4) data.set([...colour, 255], i)
  return { width, height, data }
}

/** Lays a shape over what is there, shaded from its top (`colour`) to its bottom (`to`); `soft` blurs the edge. */
export function paint(on: Layer, shape: Shape, { colour, to = colour, alpha = 1, soft = 1, clip }: Fill): void {
  const [left, top, right, bottom] = shape.box
  const from = Math.max(0, Math.floor(top - soft))
  const until = Math.min(on.height, Math.ceil(bottom + soft))
  for (let y = from; y < until; y++) {
    const share = Math.min(1, Math.max(0, (y - top) / Math.max(1, bottom - top)))
    const shade = mix(colour, to, share)
    for (let x = Math.max(0, Math.floor(left - soft)); x < Math.min(on.width, Math.ceil(right + soft)); x++) {
      const near = smooth(0.5 - shape.at(x + 0.5, y + 0.5) / (2 * soft))
      if (near <= 0) continue
      const within = clip ? smooth(0.5 - clip.at(x + 0.5, y + 0.5) / 2) : 1
      blend(on.data, 4 * (y * on.width + x), shade, near * within * alpha)
    }
  }
}

export function ellipse(x: number, y: number, rx: number, ry = rx): Shape {
  const least = Math.min(rx, ry)
  return {
    at: (px, py) => (Math.hypot((px - x) / rx, (py - y) / ry) - 1) * least,
    box: [x - rx, y - ry, x + rx, y + ry],
  }
}

/** By its middle, its whole width and height, and the radius of its corners. */
export function block(x: number, y: number, width: number, height: number, radius = 0): Shape {
  const half = [width / 2 - radius, height / 2 - radius] as const
  return {
    at(px, py) {
      const dx = Math.abs(px - x) - half[0]
      const dy = Math.abs(py - y) - half[1]
      return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - radius
    },
    box: [x - width / 2, y - height / 2, x + width / 2, y + height / 2],
  }
}

/** A stroke with round ends through the points, thick at its start, thin (or as thick) at its end. */
export function stroke(points: readonly (readonly [number, number])[], thick: number, thin = thick): Shape {
  const most = Math.max(thick, thin) / 2
  const xs = points.map(([x]) => x)
  const ys = points.map(([, y]) => y)
  return {
    at(px, py) {
      let nearest = Infinity
      for (let i = 1; i < points.length; i++) {
        const [ax, ay] = points[i - 1] ?? [0, 0]
        const [bx, by] = points[i] ?? [0, 0]
        const length = (bx - ax) ** 2 + (by - ay) ** 2 || 1
        const along = Math.min(1, Math.max(0, ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / length))
        const share = (i - 1 + along) / (points.length - 1)
        const away = Math.hypot(px - ax - along * (bx - ax), py - ay - along * (by - ay))
        nearest = Math.min(nearest, away - (thick + (thin - thick) * share) / 2)
      }
      return nearest
    },
    box: [Math.min(...xs) - most, Math.min(...ys) - most, Math.max(...xs) + most, Math.max(...ys) + most],
  }
}

/** A polygon without dents, its corners in the order of the clock. */
export function polygon(points: readonly (readonly [number, number])[]): Shape {
  const xs = points.map(([x]) => x)
  const ys = points.map(([, y]) => y)
  return {
    at(px, py) {
      let most = -Infinity
      for (let i = 0; i < points.length; i++) {
        const [ax, ay] = points[i] ?? [0, 0]
        const [bx, by] = points[(i + 1) % points.length] ?? [0, 0]
        const length = Math.hypot(bx - ax, by - ay) || 1
        most = Math.max(most, ((px - ax) * (by - ay) - (py - ay) * (bx - ax)) / length)
      }
      return most
    },
    box: [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)],
  }
}

export function mix(a: Colour, b: Colour, share: number): Colour {
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share]
}

/** Hue in degrees, saturation and lightness from 0 to 1. */
export function hsl(hue: number, saturation: number, lightness: number): Colour {
  const channel = (n: number) => {
    const k = (n + (((hue % 360) + 360) % 360) / 30) % 12
    return 255 * (lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(k - 3, 9 - k, 1)))
  }
  return [channel(0), channel(8), channel(4)]
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function dice(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

function smooth(value: number): number {
  const share = Math.min(1, Math.max(0, value))
  return share * share * (3 - 2 * share)
}

function blend(data: Uint8ClampedArray, at: number, [r, g, b]: Colour, alpha: number): void {
  const under = (data[at + 3] ?? 0) / 255
  const over = alpha + under * (1 - alpha)
  if (over <= 0) return
  const share = alpha / over
  data[at] = (data[at] ?? 0) * (1 - share) + r * share
  data[at + 1] = (data[at + 1] ?? 0) * (1 - share) + g * share
  data[at + 2] = (data[at + 2] ?? 0) * (1 - share) + b * share
  data[at + 3] = over * 255
}
