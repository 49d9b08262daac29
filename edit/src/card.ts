import { coloursOf, type CaptionColours } from './caption-colours.ts'
import { contrast, mix, stepTowards } from './contrast.ts'
import { pictured } from './drawn.ts'
import type { FontName, Measure } from './fonts.ts'
import { linesOf, writeLine, type Line } from './line.ts'
import { plateColour } from './lower-third.ts'
import { paintVersion, type Context2d, type Pictures } from './paint.ts'
import type { Brand, Card } from './recipe.ts'
import { safeArea, type Box, type Size } from './safe-area.ts'

/** A card as it is painted: lines in the middle of the frame, a logo over them, what to do next on a chip. */
export type CardPicture = {
  frame: Size
  ground: string
  accent: string
  /** The room for a logo; it is shown whole in it. Null without one. */
  logo: Box | null
  rows: (Line & { faded: boolean })[]
  chip: (Box & { rows: Line[] }) | null
  rule: Box
  colours: CaptionColours
  /** The same for cards that look the same. */
  key: string
}

/**
 * Lays out an opening or closing card from the brand: logo, title, what to do next, who it is, and what the law wants
 * under it. Long texts are broken and made smaller until they fit, never smaller than can be read.
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
  const texts = {
    title: pictured(title),
    call: pictured(call),
    name: pictured(brand.name),
    line: pictured(brand.line),
    legal: pictured(brand.legal),
  }
  let laid = cardRows(texts, frame, measure, hasLogo, 1)
  // Everything at its longest is higher than a wide frame.
  for (const scale of [0.9, 0.8, 0.7, 0.6])
    if (laid.height > frame.height * 0.94) laid = cardRows(texts, frame, measure, hasLogo, scale)
  const { rows, chip, logo, rule } = laid
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
export const paintCard = <P>(
  context: Context2d<P>,
  card: CardPicture,
  logo: { picture: P; size: Size } | null,
  pictures: Pictures<P>,
): void => {
  const { frame, rule, chip } = card
  context.save()
  context.fillStyle = card.ground
  context.fillRect(0, 0, frame.width, frame.height)
  context.fillStyle = card.accent
  context.fillRect(rule.x, rule.y, rule.width, rule.height)
  if (card.logo && logo) {
    const scale = Math.min(card.logo.width / logo.size.width, card.logo.height / logo.size.height)
    const [width, height] = [logo.size.width * scale, logo.size.height * scale]
    const [x, y] = [card.logo.x + (card.logo.width - width) / 2, card.logo.y + card.logo.height - height]
    // Most logos are drawn for white paper.
    const rim = Math.min(frame.width, frame.height) * 0.02
    context.fillStyle = '#ffffff'
    context.beginPath()
    context.roundRect(x - rim, y - rim, width + 2 * rim, height + 2 * rim, rim)
    context.fill()
    context.drawImage(logo.picture, x, y, width, height)
  }
  for (const row of card.rows) {
    context.fillStyle = row.faded ? '#c6cedb' : '#ffffff'
    writeLine(context, row, pictures)
  }
  if (chip) {
    context.fillStyle = card.colours.spoken
    context.beginPath()
    context.roundRect(chip.x, chip.y, chip.width, chip.height, chip.height / (1 + chip.rows.length))
    context.fill()
    context.fillStyle = card.colours.spokenText
    for (const row of chip.rows) writeLine(context, row, pictures)
  }
  context.restore()
}

type Texts = { title: string; call: string; name: string; line: string; legal: string }

const cardRows = (texts: Texts, frame: Size, measure: Measure, hasLogo: boolean, scale: number) => {
  const unit = Math.min(frame.width, frame.height) * scale
  const safe = safeArea(frame)
  const width = Math.min(safe.width, Math.min(frame.width, frame.height) * 0.86)
  const rows: CardPicture['rows'] = []
  let y = 0
  const write = (text: string, font: FontName, part: number, most: number, faded = false) => {
    const fit = { font, size: unit * part, least: unit * Math.min(part, least), width, most }
    for (const line of text ? linesOf(text, fit, measure) : []) {
      y += line.size * 1.24
      rows.push({ ...line, x: (frame.width - line.width) / 2, y: y - line.size * 0.32, faded })
    }
  }
  const logo = hasLogo ? { x: 0, y: 0, width: unit * 0.34, height: unit * 0.2 } : null
  if (logo) y += logo.height + unit * 0.06
  write(texts.title || texts.name, 'strong', 0.088, 3)
  y += unit * 0.035
  const rule = { x: frame.width / 2 - unit * 0.06, y, width: unit * 0.12, height: Math.max(2, unit * 0.008) }
  y += rule.height + unit * 0.03
  if (texts.title) write(texts.name, 'strong', 0.05, 2)
  write(texts.line, 'plain', 0.036, 2, true)
  let chip: CardPicture['chip'] = null
  if (texts.call) {
    y += unit * 0.05
    const fit = { font: 'strong' as const, size: unit * 0.046, least: unit * 0.036, width: width - unit * 0.1, most: 1 }
    const lines = linesOf(texts.call, fit, measure)
    const size = lines[0]!.size
    const wide = Math.max(...lines.map((line) => line.width)) + size * 1.8
    const height = size * (0.86 + 1.24 * lines.length)
    chip = {
      x: (frame.width - wide) / 2,
      y,
      width: wide,
      height,
      rows: lines.map((line, i) => ({
        ...line,
        x: (frame.width - line.width) / 2,
        y: y + height / 2 + size * (0.35 + 1.24 * (i - (lines.length - 1) / 2)),
      })),
    }
    y += height
  }
  if (texts.legal) {
    y += unit * 0.05
    write(whole(texts.legal), 'plain', 0.034, 3, true)
  }
  // A little above the middle, where the eye expects it.
  const down = Math.max(Math.min(safe.y * 0.5, (frame.height - y) / 2), (frame.height - y) * 0.46)
  for (const row of rows) row.y += down
  rule.y += down
  if (logo) Object.assign(logo, { x: frame.width / 2 - logo.width / 2, y: down })
  if (chip) {
    chip.y += down
    for (const row of chip.rows) row.y += down
  }
  return { rows, chip, logo, rule, height: y }
}

/** A license number and its words stay on one line, unless they are longer than a line. */
const whole = (legal: string): string =>
  legal
    .split(' · ')
    .map((part) => (part.length <= 32 ? part.replaceAll(' ', '\u00a0') : part))
    .join(' · ')

/** A part of the frame's shorter side: what the law wants is read on a phone, too. */
const least = 0.028
