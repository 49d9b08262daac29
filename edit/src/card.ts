import { coloursOf, safeArea, type Box, type CaptionColours, type Size } from './captions.ts'
import { contrast, mix, stepTowards } from './contrast.ts'
import { drawn } from './drawn.ts'
import { fontOf, type Face, type Measure } from './faces.ts'
import { plateColour } from './lower-third.ts'
import { paintVersion, type Brush } from './paint.ts'
import type { Brand, Card } from './recipe.ts'

type Row = { text: string; face: Face; size: number; y: number; faded: boolean }

/** A card as it is painted: rows in the middle of the frame, a logo over them, what to do next on a chip. */
export type CardPicture = {
  frame: Size
  ground: string
  accent: string
  /** The room for a logo; it is shown whole in it. Null without one. */
  logo: Box | null
  rows: Row[]
  chip: (Box & { row: Row }) | null
  rule: Box
  colours: CaptionColours
  /** The same for cards that look the same. */
  key: string
}

/**
 * Lays out an opening or closing card from the brand: logo, title, what to do next, who it is, and what the law wants
 * under it. Long texts are broken and made smaller until they fit.
 *
 * @param hasLogo whether the logo's picture will be there when it is painted
 */
export const cardPicture = (
  { title, call }: Pick<Card, 'title' | 'call'>,
  brand: Brand,
  frame: Size,
  measure: Measure,
  hasLogo: boolean,
): CardPicture => {
  const unit = Math.min(frame.width, frame.height)
  const safe = safeArea(frame)
  const width = Math.min(safe.width, unit * 0.86)
  const rows: Row[] = []
  let y = 0
  const write = (text: string, face: Face, part: number, most: number, faded = false) => {
    const plain = drawn(text)
    for (const line of plain ? broken(plain, face, unit * part, width, most, measure) : []) {
      y += line.size * 1.24
      rows.push({ text: line.text, face, size: line.size, y: y - line.size * 0.32, faded })
    }
  }
  const logo = hasLogo ? { x: 0, y: 0, width: unit * 0.34, height: unit * 0.2 } : null
  if (logo) y += logo.height + unit * 0.06
  write(drawn(title) || brand.name, 'strong', 0.088, 3)
  y += unit * 0.035
  const rule = { x: frame.width / 2 - unit * 0.06, y, width: unit * 0.12, height: Math.max(2, unit * 0.008) }
  y += rule.height + unit * 0.03
  if (drawn(title)) write(brand.name, 'strong', 0.05, 2)
  write(brand.line, 'plain', 0.036, 2, true)
  let chip: CardPicture['chip'] = null
  const next = drawn(call)
  if (next) {
    y += unit * 0.05
    const [line] = broken(next, 'strong', unit * 0.046, width - unit * 0.1, 1, measure)
    const height = line!.size * 2.1
    const wide = measure(line!.text, 'strong') * line!.size + line!.size * 1.8
    const row = {
      text: line!.text,
      face: 'strong' as const,
      size: line!.size,
      y: y + height / 2 + line!.size * 0.35,
      faded: false,
    }
    chip = { x: frame.width / 2 - wide / 2, y, width: wide, height, row }
    y += height
  }
  if (brand.legal) {
    y += unit * 0.05
    write(brand.legal, 'plain', 0.026, 3, true)
  }
  // A little above the middle, where the eye expects it.
  const down = Math.max(safe.y * 0.5, (frame.height - y) * 0.46)
  for (const row of rows) row.y += down
  rule.y += down
  if (logo) Object.assign(logo, { x: frame.width / 2 - logo.width / 2, y: down })
  if (chip) {
    chip.y += down
    chip.row.y += down
  }
  const ground = mix(brand.primary, plateColour, 88)
  const picture = {
    frame,
    ground,
    accent: mix(
      brand.secondary,
      '#ffffff',
      stepTowards(brand.secondary, '#ffffff', (mixed) => contrast(mixed, ground) >= 3),
    ),
    logo,
    rows,
    chip,
    rule,
    colours: coloursOf(brand.primary),
  }
  return { ...picture, key: JSON.stringify([paintVersion, picture, brand.logo]) }
}

/** Paints a card; `logo` with its own size, as the picture is. */
export const paintCard = <P>(brush: Brush<P>, card: CardPicture, logo: { picture: P; size: Size } | null): void => {
  const { frame, rule, chip } = card
  brush.save()
  brush.fillStyle = card.ground
  brush.fillRect(0, 0, frame.width, frame.height)
  brush.fillStyle = card.accent
  brush.fillRect(rule.x, rule.y, rule.width, rule.height)
  if (card.logo && logo) {
    const scale = Math.min(card.logo.width / logo.size.width, card.logo.height / logo.size.height)
    const [width, height] = [logo.size.width * scale, logo.size.height * scale]
    const [x, y] = [card.logo.x + (card.logo.width - width) / 2, card.logo.y + card.logo.height - height]
    // Most logos are drawn for white paper.
    const rim = Math.min(frame.width, frame.height) * 0.02
    brush.fillStyle = '#ffffff'
    brush.beginPath()
    brush.roundRect(x - rim, y - rim, width + 2 * rim, height + 2 * rim, rim)
    brush.fill()
    brush.drawImage(logo.picture, x, y, width, height)
  }
  brush.textAlign = 'center'
  brush.textBaseline = 'alphabetic'
  for (const row of card.rows) {
    brush.font = fontOf(row.face, row.size)
    brush.fillStyle = row.faded ? '#c6cedb' : '#ffffff'
    brush.fillText(row.text, frame.width / 2, row.y)
  }
  if (chip) {
    brush.fillStyle = card.colours.spoken
    brush.beginPath()
    brush.roundRect(chip.x, chip.y, chip.width, chip.height, chip.height / 2)
    brush.fill()
    brush.font = fontOf(chip.row.face, chip.row.size)
    brush.fillStyle = card.colours.spokenText
    brush.fillText(chip.row.text, frame.width / 2, chip.row.y)
  }
  brush.restore()
}

/** A text in at most so many lines of this width, smaller where it must be. */
const broken = (
  text: string,
  face: Face,
  size: number,
  width: number,
  most: number,
  measure: Measure,
): { text: string; size: number }[] => {
  for (let fit = size; ; fit *= 0.94) {
    const lines: string[] = []
    for (const word of text.split(/\s+/)) {
      const longer = lines.length ? `${lines.at(-1)} ${word}` : word
      if (lines.length && measure(longer, face) * fit <= width) lines[lines.length - 1] = longer
      else lines.push(word)
    }
    const isWide = lines.some((line) => measure(line, face) * fit > width)
    if ((lines.length <= most && !isWide) || fit < size * 0.3) return lines.map((line) => ({ text: line, size: fit }))
  }
}
