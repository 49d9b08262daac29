import { contrast, mix, stepTowards } from './contrast.ts'
import { coloursOf, safeArea, type Box, type CaptionColours, type Size } from './captions.ts'
import { drawn } from './drawn.ts'
import type { Face, Measure } from './faces.ts'
import type { Brand, Captions } from './recipe.ts'

export const plateColour = '#0b1018'

type Row = { text: string; face: Face; size: number; x: number; y: number; faded?: boolean }

/** A plate at the lower left: a mark in the brand's colour, and rows of text. Pixels of the output frame. */
export type LowerThird = {
  plate: Box
  /** Behind the first row's words: the name of the room. */
  chip: (Box & { row: Row }) | null
  rows: Row[]
  colours: CaptionColours
  /** The mark at the plate's left: the brand's colour, light enough to be seen on it. */
  mark: string
  box: Box
}

/** Home Tour: price first, then what it is and where, and the room that is seen. Null when nothing is known. */
export const tourThird = (
  { address, price, beds, baths }: NonNullable<Captions['tour']>,
  room: string | null,
  frame: Size,
  brand: Pick<Brand, 'primary'>,
  measure: Measure,
  /** Larger than in a video, for small pictures of it. */
  scale = 1,
): LowerThird | null => {
  const rooms = [counted(beds, 'bed', 'beds'), counted(baths, 'bath', 'baths')].filter(Boolean).join('  ·  ')
  const [title, ...lines] = [
    price,
    [rooms, price ? '' : address].filter(Boolean).join('  ·  '),
    price ? address : '',
  ].filter(Boolean)
  return title || room ? third(title ?? '', lines, room, frame, brand, measure, scale) : null
}

/** A title and a line under it, as a layer shows them. */
export const plainThird = (
  title: string,
  line: string,
  frame: Size,
  brand: Pick<Brand, 'primary'>,
  measure: Measure,
): LowerThird => third(title, line ? [line] : [], null, frame, brand, measure)

const third = (
  written: string,
  under: string[],
  where: string | null,
  frame: Size,
  brand: Pick<Brand, 'primary'>,
  measure: Measure,
  scale = 1,
): LowerThird => {
  const [title, room] = [drawn(written), drawn(where ?? '')]
  const lines = under.map(drawn).filter(Boolean)
  const safe = safeArea(frame)
  const unit = Math.min(frame.width, frame.height)
  const size = unit * (frame.width < frame.height ? 0.062 : 0.05) * scale
  const [pad, bar] = [size * 0.5, size * 0.16]
  const most = safe.width - 2 * pad - bar
  const rows: Row[] = []
  let y = 0
  let widest = 0
  const add = (text: string, face: Face, part: number, faded = false) => {
    const fit = Math.min(size * part, most / Math.max(0.01, measure(text, face)))
    y += size * part * 1.28
    widest = Math.max(widest, measure(text, face) * fit)
    // The baseline leaves a fifth of the row under it.
    rows.push({ text, face, size: fit, x: 0, y: y - size * part * 0.34, faded })
  }
  if (title) add(title, 'strong', 1)
  for (const line of lines) add(line, 'plain', 0.66, true)
  const width = rows.length ? widest + 2 * pad + bar : 0
  const height = rows.length ? y + pad * 1.1 : 0
  const plate = { x: safe.x, y: safe.y + safe.height - height, width, height }
  for (const row of rows) {
    row.x = plate.x + bar + pad
    row.y += plate.y + pad * 0.55
  }
  let chip: LowerThird['chip'] = null
  if (room) {
    const chipSize = Math.min(size * 0.66, most / measure(room, 'strong'))
    const box = {
      x: plate.x,
      width: measure(room, 'strong') * chipSize + chipSize * 1.1,
      height: chipSize * 1.62,
      y: 0,
    }
    box.y = plate.y - box.height - (rows.length ? size * 0.2 : 0)
    chip = {
      ...box,
      row: {
        text: room,
        face: 'strong',
        size: chipSize,
        x: box.x + chipSize * 0.55,
        y: box.y + box.height / 2 + chipSize * 0.35,
      },
    }
  }
  const top = chip?.y ?? plate.y
  const rim = size * 0.4
  return {
    plate,
    chip,
    rows,
    colours: coloursOf(brand.primary),
    mark: mix(
      brand.primary,
      '#ffffff',
      stepTowards(brand.primary, '#ffffff', (mixed) => contrast(mixed, plateColour) >= 3),
    ),
    box: {
      x: plate.x - rim,
      y: top - rim,
      width: Math.max(plate.width, chip?.width ?? 0) + 2 * rim,
      height: plate.y + plate.height - top + 2 * rim,
    },
  }
}

const counted = (count: string, one: string, many: string): string =>
  count === '' ? '' : /[a-z]/i.test(count) ? count : `${count} ${count === '1' ? one : many}`
