import { block, dice, ellipse, hsl, layer, mix, paint, polygon, stroke, type Colour, type Layer } from './clip-paint.ts'

export const ink: Colour = [15, 23, 41]
export const cobalt: Colour = [38, 71, 224]
export const coral: Colour = [255, 90, 60]
export const paper: Colour = [246, 247, 249]
const white: Colour = [255, 255, 255]

/** Where things stand in a picture of that size; `u` is the unit everything is drawn in. */
export type Stage = { width: number; height: number; u: number; x: number; head: number }

export function stage(width: number, height: number): Stage {
  const tall = height >= width
  const u = tall ? Math.min(width / 720, height / 1280) : height / 860
  return { width, height, u, x: width / 2, head: tall ? height * 0.42 : height * 0.4 }
}

/** Where a person's head is drawn: the middle, and half of its width and height with the hair; points of the picture. */
export function headOf({ u, x, head }: Stage) {
  return { x, y: head - 10 * u, halfWidth: 126 * u, halfHeight: 148 * u }
}

/** A bright room out of focus, a little larger than the picture so that it can drift behind the person. */
export function room({ width, height, u }: Stage, hue: number, seed: number): Layer {
  const random = dice(seed)
  const wide = even(width + 48 * u)
  const high = even(height + 24 * u)
  const wall = hsl(hue, 0.34, 0.82)
  const room = layer(wide, high)
  paint(room, block(wide / 2, high / 2, wide + 20, high + 20), { colour: hsl(hue, 0.4, 0.9), to: mix(wall, ink, 0.16) })
  const side = random() < 0.5 ? -1 : 1
  const at = (share: number) => wide / 2 + side * share * wide
  const soft = 9 * u
  // A window, its light on the wall, and a shelf on the other side.
  const window = { x: at(0.3), y: high * 0.27, w: 250 * u, h: 470 * u }
  paint(room, ellipse(window.x, window.y, 430 * u, 520 * u), { colour: white, alpha: 0.5, soft: 260 * u })
  paint(room, block(window.x, window.y, window.w + 26 * u, window.h + 26 * u, 10 * u), {
    colour: paper,
    alpha: 0.95,
    soft,
  })
  paint(room, block(window.x, window.y, window.w, window.h, 6 * u), {
    colour: hsl(205, 0.75, 0.86),
    to: hsl(hue + 20, 0.5, 0.93),
    soft,
  })
  for (const share of [-0.17, 0.18])
    paint(room, block(window.x, window.y + share * window.h, window.w, 12 * u), { colour: paper, soft: soft * 0.8 })
  paint(room, block(window.x, window.y, 12 * u, window.h), { colour: paper, soft: soft * 0.8 })
  const shelf = { x: at(-0.33), y: high * 0.36, w: 300 * u }
  paint(room, block(shelf.x, shelf.y, shelf.w, 18 * u, 4 * u), { colour: mix(wall, ink, 0.45), soft })
  for (let book = 0, x = shelf.x - shelf.w * 0.42; book < 6; book++) {
    const w = (18 + 16 * random()) * u
    const h = (80 + 60 * random()) * u
    const colour =
      [mix(cobalt, white, 0.25), mix(coral, white, 0.25), ink, paper, hsl(hue + 40, 0.4, 0.55)][book % 5] ?? ink
    paint(room, block(x + w / 2, shelf.y - 9 * u - h / 2, w, h, 3 * u), { colour, alpha: 0.85, soft: soft * 0.8 })
    x += w + 7 * u
  }
  plant(room, at(0.42), high * 0.72, u, random, hue)
  for (let i = 0; i < 9; i++)
    paint(room, ellipse(wide * random(), high * random() * 0.8, (14 + 36 * random()) * u), {
      colour: white,
      alpha: 0.1 + 0.1 * random(),
      soft: 5 * u,
    })
  return room
}

function plant(on: Layer, x: number, y: number, u: number, random: () => number, hue: number): void {
  const leaf = hsl(145 + 0.06 * hue, 0.32, 0.4)
  for (let i = 0; i < 9; i++) {
    const lean = (i - 4) * 0.24 + 0.1 * (random() - 0.5)
    const long = (190 + 130 * random()) * u
    const bend = [x + Math.sin(lean) * long * 0.5, y - Math.cos(lean * 0.6) * long * 0.6] as const
    const tip = [x + Math.sin(lean * 1.25) * long, y - Math.cos(lean) * long] as const
    paint(on, stroke([[x, y], bend, tip], 30 * u, 6 * u), {
      colour: mix(leaf, white, 0.25 * random()),
      alpha: 0.92,
      soft: 7 * u,
    })
  }
  paint(on, block(x, y + 70 * u, 130 * u, 170 * u, 26 * u), {
    colour: mix(coral, white, 0.55),
    to: mix(coral, ink, 0.25),
    soft: 8 * u,
  })
}

const skins: [Colour, Colour][] = [
  [
    [246, 208, 178],
    [226, 172, 138],
  ],
  [
    [222, 168, 126],
    [190, 132, 92],
  ],
  [
    [168, 113, 78],
    [132, 84, 56],
  ],
  [
    [112, 74, 52],
    [84, 53, 37],
  ],
  [
    [250, 219, 196],
    [232, 184, 156],
  ],
]
const hairs: Colour[] = [
  [38, 30, 32],
  [92, 58, 38],
  [196, 148, 88],
  [150, 152, 160],
  [122, 52, 34],
]
const jackets: Colour[] = [cobalt, ink, [44, 92, 96], [112, 60, 92], [226, 229, 236]]

/** A person made of a dozen shapes: nobody. Each part is a layer with its place, so that the parts can move. */
export type Presenter = Record<'back' | 'body' | 'head' | 'mouth' | 'lids', { layer: Layer; x: number; y: number }>

export function presenter({ width, height, u, x, head }: Stage, seed: number): Presenter {
  const random = dice(seed * 7919 + 11)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const look = {
    skin: pick(skins),
    hair: pick(hairs),
    jacket: pick(jackets),
    long: random() < 0.5,
    glasses: random() < 0.35,
  }
  const [skin, shade] = look.skin
  const bodyTop = Math.round(head + 70 * u)
  const bodyWidth = Math.min(width, even(640 * u))
  const left = Math.round(x - bodyWidth / 2)
  const body = layer(bodyWidth, even(height - bodyTop + 2))
  const middle = bodyWidth / 2
  const y = (units: number) => units * u
  const cloth = look.jacket
  const dark = mix(cloth, ink, 0.35)
  paint(body, block(middle, y(40), y(104), y(190), y(44)), { colour: mix(skin, shade, 0.5), to: shade })
  paint(body, ellipse(middle, y(52), y(58), y(30)), { colour: mix(shade, ink, 0.3), alpha: 0.4, soft: y(16) })
  const trunk = block(middle, y(104 + 700), y(540), y(1400), y(150))
  paint(body, trunk, { colour: mix(cloth, white, 0.1), to: dark })
  paint(
    body,
    polygon([
      [middle - y(66), y(100)],
      [middle + y(66), y(100)],
      [middle + y(4), y(430)],
      [middle - y(4), y(430)],
    ]),
    {
      colour: white,
      to: mix(paper, ink, 0.08),
    },
  )
  paint(
    body,
    polygon([
      [middle - y(50), y(86)],
      [middle + y(50), y(86)],
      [middle + y(2), y(176)],
      [middle - y(2), y(176)],
    ]),
    {
      colour: mix(skin, shade, 0.7),
      to: shade,
    },
  )
  for (const side of [-1, 1]) {
    const lapel = [
      [middle + side * y(58), y(88)],
      [middle + side * y(132), y(122)],
      [middle + side * y(118), y(262)],
      [middle + side * y(2), y(440)],
    ] as const
    paint(body, polygon(side > 0 ? lapel : lapel.toReversed()), {
      colour: mix(cloth, white, 0.2),
      to: mix(cloth, ink, 0.12),
    })
    paint(
      body,
      stroke(
        [
          [middle + side * y(196), y(330)],
          [middle + side * y(204), y(800)],
        ],
        y(7),
        y(3),
      ),
      { colour: ink, alpha: 0.22, soft: y(5) },
    )
  }
  const size = { w: even(y(360)), h: even(y(470)) }
  return {
    body: { layer: body, x: left, y: bodyTop },
    ...face({ ...look, u, size, x: Math.round(x - size.w / 2), y: Math.round(head - 190 * u) }),
  }
}

type Face = {
  skin: [Colour, Colour]
  hair: Colour
  long: boolean
  glasses: boolean
  u: number
  size: { w: number; h: number }
  x: number
  y: number
}

function face({ skin: [skin, shade], hair, long, glasses, u, size, x, y }: Face): Omit<Presenter, 'body'> {
  const head = layer(size.w, size.h)
  const mx = size.w / 2
  const my = 190 * u
  const shine = mix(hair, white, 0.16)
  // The hair that falls behind the shoulders is a layer of its own, under the body.
  const back = layer(size.w, size.h)
  paint(back, block(mx, my + 62 * u, 286 * u, 400 * u, 132 * u), {
    colour: hair,
    to: mix(hair, ink, 0.4),
    alpha: long ? 1 : 0,
  })
  paint(head, long ? ellipse(mx, my - 20 * u, 126 * u, 138 * u) : ellipse(mx, my - 22 * u, 122 * u, 132 * u), {
    colour: hair,
  })
  for (const side of [-1, 1]) paint(head, ellipse(mx + side * 107 * u, my + 18 * u, 20 * u, 30 * u), { colour: shade })
  const oval = ellipse(mx, my, 106 * u, 138 * u)
  paint(head, oval, { colour: mix(skin, white, 0.12), to: skin })
  paint(head, ellipse(mx + 78 * u, my + 44 * u, 70 * u, 130 * u), {
    colour: shade,
    alpha: 0.55,
    soft: 44 * u,
    clip: oval,
  })
  for (const side of [-1, 1])
    paint(head, ellipse(mx + side * 58 * u, my + 52 * u, 26 * u, 18 * u), {
      colour: coral,
      alpha: 0.16,
      soft: 14 * u,
      clip: oval,
    })
  // Hair falls over the forehead; its line is what tells one person from the next.
  const fringe = long
    ? ellipse(mx - 46 * u, my - 112 * u, 128 * u, 66 * u)
    : ellipse(mx + 22 * u, my - 122 * u, 122 * u, 58 * u)
  paint(head, fringe, { colour: shine, to: hair, clip: ellipse(mx, my - 16 * u, 122 * u, 150 * u) })
  for (const side of [-1, 1]) {
    const ex = mx + side * 42 * u
    paint(head, ellipse(ex, my + 2 * u, 11 * u, 13 * u), { colour: ink })
    paint(head, ellipse(ex + 4 * u, my - 3 * u, 3.4 * u), { colour: white })
    paint(
      head,
      stroke(
        [
          [ex - side * 20 * u, my - 37 * u],
          [ex + side * 2 * u, my - 42 * u],
          [ex + side * 22 * u, my - 30 * u],
        ],
        8 * u,
        6 * u,
      ),
      {
        colour: mix(hair, ink, 0.3),
      },
    )
    if (glasses) {
      paint(head, ellipse(ex, my + 2 * u, 34 * u, 31 * u), { colour: ink, alpha: 0.9 })
      paint(head, ellipse(ex, my + 2 * u, 29 * u, 26 * u), { colour: mix(skin, white, 0.3) })
      paint(head, ellipse(ex, my + 2 * u, 11 * u, 13 * u), { colour: ink })
      paint(head, ellipse(ex + 4 * u, my - 3 * u, 3.4 * u), { colour: white })
    }
  }
  if (glasses)
    paint(
      head,
      stroke(
        [
          [mx - 12 * u, my],
          [mx + 12 * u, my],
        ],
        5 * u,
      ),
      { colour: ink },
    )
  paint(
    head,
    stroke(
      [
        [mx + 2 * u, my + 20 * u],
        [mx + 9 * u, my + 40 * u],
        [mx - 4 * u, my + 44 * u],
      ],
      5 * u,
      4 * u,
    ),
    { colour: shade },
  )
  const lips = mix(shade, [170, 40, 50], 0.45)
  paint(
    head,
    stroke(
      [
        [mx - 34 * u, my + 74 * u],
        [mx, my + 83 * u],
        [mx + 34 * u, my + 74 * u],
      ],
      8 * u,
    ),
    { colour: lips },
  )
  const mouth = layer(even(90 * u), even(56 * u))
  paint(mouth, ellipse(mouth.width / 2, mouth.height / 2, 35 * u, 22 * u), { colour: mix(lips, ink, 0.1) })
  paint(mouth, ellipse(mouth.width / 2, mouth.height / 2 + 1 * u, 28 * u, 15 * u), { colour: [92, 26, 34] })
  paint(mouth, block(mouth.width / 2, mouth.height / 2 - 10 * u, 42 * u, 9 * u, 4 * u), { colour: white, alpha: 0.95 })
  const lids = layer(even(150 * u), even(40 * u))
  for (const side of [-1, 1]) {
    const ex = lids.width / 2 + side * 42 * u
    paint(lids, ellipse(ex, lids.height / 2, 15 * u, 17 * u), { colour: mix(skin, shade, 0.25) })
    paint(
      lids,
      stroke(
        [
          [ex - 13 * u, lids.height / 2 + 7 * u],
          [ex + 13 * u, lids.height / 2 + 7 * u],
        ],
        4 * u,
      ),
      { colour: mix(shade, ink, 0.5) },
    )
  }
  return {
    back: { layer: back, x, y },
    head: { layer: head, x, y },
    mouth: { layer: mouth, x: x + Math.round(mx - mouth.width / 2), y: y + Math.round(my + 80 * u - mouth.height / 2) },
    lids: { layer: lids, x: x + Math.round(mx - lids.width / 2), y: y + Math.round(my + 2 * u - lids.height / 2) },
  }
}

/** The card behind a title of that many lines, with the coral mark at its left. */
export function titleCard(width: number, height: number, u: number): Layer {
  const card = layer(even(width), even(height))
  paint(card, block(width / 2, height / 2, width - 2, height - 2, 26 * u), { colour: ink, alpha: 0.86 })
  paint(card, block(30 * u, height / 2, 8 * u, height - 52 * u, 4 * u), { colour: coral })
  return card
}

export function captionBar(width: number, height: number, u: number): Layer {
  const bar = layer(even(width), even(height))
  paint(bar, block(width / 2, height / 2, width - 2, height - 2, 30 * u), { colour: paper, alpha: 0.97 })
  return bar
}

/** The closing picture: paper, a cobalt mark with a tick, and two soft shapes of the brand behind it. */
export function endCard({ width, height, u, x }: Stage): Layer {
  const card = layer(width, height, paper)
  paint(card, ellipse(width * 0.92, height * 0.08, 300 * u), { colour: cobalt, alpha: 0.08 })
  paint(card, ellipse(width * 0.04, height * 0.94, 360 * u), { colour: coral, alpha: 0.1 })
  const y = height * 0.42
  paint(card, ellipse(x, y + 14 * u, 132 * u), { colour: ink, alpha: 0.16, soft: 40 * u })
  paint(card, ellipse(x, y, 128 * u), { colour: mix(cobalt, white, 0.12), to: cobalt })
  paint(
    card,
    stroke(
      [
        [x - 54 * u, y + 2 * u],
        [x - 14 * u, y + 42 * u],
        [x + 58 * u, y - 42 * u],
      ],
      26 * u,
    ),
    { colour: white },
  )
  paint(card, block(x, y + 300 * u, 120 * u, 10 * u, 5 * u), { colour: coral })
  return card
}

export function even(value: number): number {
  return Math.max(2, 2 * Math.round(value / 2))
}
