import { block, dice, ellipse, hsl, layer, mix, paint, polygon, type Colour, type Layer } from './clip-paint.ts'
import { coral, even, ink, paper, type Stage } from './clip-scene.ts'

/** A street of houses on a clear day, a little larger than the picture so that it can drift. */
export function street({ width, height, u }: Stage, hue: number, seed: number): Layer {
  const random = dice(seed)
  const wide = even(width + 48 * u)
  const high = even(height + 24 * u)
  const scene = layer(wide, high)
  const ground = high * 0.76
  paint(scene, block(wide / 2, ground / 2, wide + 20, ground + 40), {
    colour: hsl(205, 0.7, 0.76),
    to: hsl(205, 0.55, 0.94),
  })
  paint(scene, ellipse(wide * 0.82, high * 0.16, 70 * u), { colour: white, alpha: 0.9, soft: 26 * u })
  for (let i = 0; i < 4; i++) {
    const [x, y] = [wide * (0.1 + 0.26 * i), high * (0.12 + 0.12 * random())]
    for (const [dx, dy, r] of [
      [-52, 8, 26],
      [0, 0, 38],
      [54, 6, 30],
    ] as const)
      paint(scene, ellipse(x + dx * u, y + dy * u, r * u), { colour: white, alpha: 0.75, soft: 8 * u })
  }
  for (const [at, rise] of [
    [0.2, 0.2],
    [0.66, 0.26],
  ] as const)
    paint(scene, ellipse(wide * at, ground + 40 * u, wide * 0.42, high * rise), {
      colour: hsl(140, 0.22, 0.72),
      soft: 3,
    })
  paint(scene, block(wide / 2, (ground + high) / 2, wide + 20, high - ground + 10), {
    colour: hsl(120, 0.3, 0.55),
    to: hsl(125, 0.32, 0.42),
  })
  paint(scene, block(wide / 2, high * 0.93, wide + 20, high * 0.1), { colour: mix(ink, paper, 0.42) })
  const houses = Math.max(1, Math.round(wide / (430 * u)))
  for (let i = 0; i < houses; i++) {
    const x = (wide * (i + 0.5)) / houses
    tree(scene, x + 205 * u, ground + 6 * u, (0.8 + 0.4 * random()) * u, hue)
    house(scene, x, ground + 14 * u, (0.92 + 0.16 * random()) * u, hsl(hue + 46 * i, 0.42, 0.8))
  }
  return scene
}

const white: Colour = [255, 255, 255]

/** Stands with its foot at `y`. */
function house(on: Layer, x: number, y: number, u: number, wall: Colour): void {
  const [w, h] = [290 * u, 210 * u]
  const top = y - h
  paint(on, ellipse(x, y + 4 * u, w * 0.6, 16 * u), { colour: ink, alpha: 0.22, soft: 12 * u })
  paint(on, block(x + w * 0.26, top - 84 * u, 40 * u, 110 * u), { colour: mix(coral, ink, 0.3) })
  paint(on, block(x, top + h / 2, w, h), { colour: wall, to: mix(wall, ink, 0.14) })
  const roof = [
    [x, top - 130 * u],
    [x + w * 0.6, top + 6 * u],
    [x - w * 0.6, top + 6 * u],
  ] as const
  paint(on, polygon(roof), { colour: mix(wall, ink, 0.62), to: mix(wall, ink, 0.74) })
  paint(on, block(x, y - 58 * u, 62 * u, 116 * u, 6 * u), { colour: mix(coral, ink, 0.08), to: mix(coral, ink, 0.3) })
  paint(on, ellipse(x + 20 * u, y - 56 * u, 5 * u), { colour: paper })
  for (const side of [-1, 1]) {
    const at = [x + side * w * 0.31, top + 84 * u] as const
    paint(on, block(...at, 72 * u, 84 * u, 4 * u), { colour: white })
    paint(on, block(...at, 60 * u, 72 * u, 2 * u), { colour: hsl(205, 0.5, 0.7), to: hsl(205, 0.5, 0.88) })
    paint(on, block(...at, 5 * u, 72 * u), { colour: white })
    paint(on, block(...at, 60 * u, 5 * u), { colour: white })
  }
  paint(on, ellipse(x, top - 44 * u, 24 * u), { colour: white })
  paint(on, ellipse(x, top - 44 * u, 18 * u), { colour: hsl(205, 0.5, 0.78) })
}

function tree(on: Layer, x: number, y: number, u: number, hue: number): void {
  const leaf = hsl(128 + 0.05 * hue, 0.34, 0.42)
  paint(on, block(x, y - 60 * u, 22 * u, 130 * u, 8 * u), { colour: [112, 82, 62] })
  for (const [dx, dy, r] of [
    [-44, -150, 60],
    [44, -156, 56],
    [0, -200, 74],
  ] as const)
    paint(on, ellipse(x + dx * u, y + dy * u, r * u), { colour: mix(leaf, white, 0.18), to: leaf, soft: 3 * u })
}
