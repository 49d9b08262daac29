import { coloursOf, type CaptionColours } from './caption-colours.ts'
import { contrast, mix, stepTowards } from './contrast.ts'
import { pictured } from './drawn.ts'
import type { FontName, Measure } from './fonts.ts'
import { linesOf, type Line } from './line.ts'
import type { Brand, Captions, TitlePlace } from './recipe.ts'
import { safeArea, type Box, type Size } from './safe-area.ts'
import type { Entrance } from './title-motion.ts'

export const plateColour = '#0b1018'

/** A plate at the lower left: a mark in the brand's colour, and rows of text. Pixels of the output frame. */
export type LowerThird = {
  plate: Box
  /** Behind the first row's words: the name of the room. */
  chip: (Box & { rows: Line[] }) | null
  rows: (Line & { faded: boolean })[]
  colours: CaptionColours
  /** The mark at the plate's left: the brand's colour, light enough to be seen on it. */
  mark: string
  /** What is painted lies in it. */
  box: Box
  /** On its way. Missing: it stands. */
  entrance?: Entrance
}

/** The same on its way; null: where it stands. */
export const entering = (third: LowerThird, entrance: Entrance | null): LowerThird =>
  entrance
    ? { ...third, entrance, box: { ...third.box, height: third.box.height + entrance.below * third.plate.height } }
    : third

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
  place: TitlePlace = 'bottom-left',
): LowerThird => movedTo(place, third(title, line ? [line] : [], null, frame, brand, measure), safeArea(frame))

/** The plate with all that is on it, within the safe area. */
const movedTo = (place: TitlePlace, third: LowerThird, safe: Box): LowerThird => {
  if (place === 'bottom-left') return third
  const { plate } = third
  const [x, y] =
    place === 'top-left'
      ? [0, safe.y - plate.y]
      : [safe.x + (safe.width - plate.width) / 2 - plate.x, safe.y + (safe.height - plate.height) / 2 - plate.y]
  const moved = <At extends { x: number; y: number }>(at: At): At => ({ ...at, x: at.x + x, y: at.y + y })
  return { ...third, plate: moved(plate), rows: third.rows.map(moved), box: moved(third.box) }
}

const third = (
  written: string,
  under: string[],
  where: string | null,
  frame: Size,
  brand: Pick<Brand, 'primary'>,
  measure: Measure,
  scale = 1,
): LowerThird => {
  const [title, room] = [pictured(written), pictured(where ?? '')]
  const lines = under.map(pictured).filter(Boolean)
  const safe = safeArea(frame)
  const unit = Math.min(frame.width, frame.height)
  const size = unit * (frame.width < frame.height ? 0.062 : 0.05) * scale
  const [pad, bar, least] = [size * 0.5, size * 0.16, unit * 0.03 * scale]
  const most = safe.width - 2 * pad - bar
  const rows: LowerThird['rows'] = []
  let y = 0
  const add = (text: string, font: FontName, part: number, faded: boolean) => {
    const fit = { font, size: size * part, least, width: most }
    // A little smaller rather than on two lines, but not by much.
    const alone = linesOf(text, { ...fit, least: Math.max(least, size * part * 0.75), most: 1 }, measure)
    const lines = alone.length === 1 ? alone : linesOf(text, { ...fit, most: 2 }, measure)
    for (const line of lines) {
      const high = lines.length === 1 ? size * part : line.size
      y += high * 1.28
      // The baseline leaves a fifth of the row under it.
      rows.push({ ...line, y: y - high * 0.34, faded })
    }
  }
  if (title) add(title, 'strong', 1, false)
  for (const line of lines) add(line, 'plain', 0.66, true)
  const width = rows.length ? Math.max(...rows.map((row) => row.width)) + 2 * pad + bar : 0
  const height = rows.length ? y + pad * 1.1 : 0
  const plate = { x: safe.x, y: safe.y + safe.height - height, width, height }
  for (const row of rows) {
    row.x = plate.x + bar + pad
    row.y += plate.y + pad * 0.55
  }
  let chip: LowerThird['chip'] = null
  if (room) {
    const fit = { font: 'strong' as const, size: size * 0.66, least, width: most, most: 1 }
    const names = linesOf(room, fit, measure)
    const chipSize = names[0]!.size
    const box = {
      x: plate.x,
      width: Math.max(...names.map((line) => line.width)) + chipSize * 1.1,
      height: chipSize * (0.38 + 1.24 * names.length),
      y: 0,
    }
    box.y = plate.y - box.height - (rows.length ? size * 0.2 : 0)
    const row = (line: Line, i: number) => ({
      ...line,
      x: box.x + chipSize * 0.55,
      y: box.y + box.height / 2 + chipSize * (0.35 + 1.24 * (i - (names.length - 1) / 2)),
    })
    chip = { ...box, rows: names.map(row) }
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
