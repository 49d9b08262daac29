import type { Page, PageWord } from './captions.ts'
import { fontOf } from './fonts.ts'
import { writeLine } from './line.ts'
import type { LowerThird } from './lower-third.ts'
import type { Box } from './safe-area.ts'
import type { Entrance } from './title-motion.ts'

/**
 * THE painter: browser and server hand it their canvas and get the same picture. It uses only what both draw alike:
 * filled and stroked text and paths, round boxes, one blurred shadow, pictures.
 */

/** Raised whenever the same page would be painted in another way: stored renders are then made anew. */
export const paintVersion = 1

/** The part of a 2D context that is used; `P` is what this canvas draws pictures from. */
export type Context2d<P> = {
  font: string
  fillStyle: unknown
  strokeStyle: unknown
  lineWidth: number
  lineJoin: unknown
  textAlign: unknown
  textBaseline: unknown
  shadowColor: string
  shadowBlur: number
  shadowOffsetY: number
  globalAlpha: number
  save(): void
  restore(): void
  translate(x: number, y: number): void
  scale(x: number, y: number): void
  lineCap: unknown
  beginPath(): void
  moveTo(x: number, y: number): void
  lineTo(x: number, y: number): void
  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void
  closePath(): void
  stroke(): void
  roundRect(x: number, y: number, width: number, height: number, radii: number): void
  fill(): void
  fillRect(x: number, y: number, width: number, height: number): void
  clip(): void
  fillText(text: string, x: number, y: number): void
  strokeText(text: string, x: number, y: number): void
  drawImage(picture: P, x: number, y: number, width: number, height: number): void
}

/** The pictures of emoji, by emoji; one that is not there yet is left out. */
export type Pictures<P> = Pick<ReadonlyMap<string, P>, 'get'>

/** Paints a page in the coordinates of the whole frame; `active` is the spoken word's id, or null for none. */
export const paint = <P>(context: Context2d<P>, page: Page, active: string | null, pictures: Pictures<P>): void => {
  const { size, colours } = page
  const words = page.lines.flat()
  const spoken = words.find(({ id }) => id === active)
  context.save()
  context.font = fontOf('strong', size)
  context.textAlign = 'left'
  context.textBaseline = 'alphabetic'
  context.lineJoin = 'round'
  context.lineWidth = size * 0.11
  // Soft shadows under everything first: no word darkens its neighbour.
  context.shadowColor = 'rgba(5, 9, 16, 0.55)'
  context.shadowBlur = size * 0.28
  context.shadowOffsetY = size * 0.04
  context.strokeStyle = colours.edge
  context.fillStyle = colours.spoken
  if (spoken) mark(context, spoken, size)
  for (const word of words) if (word !== spoken) context.strokeText(word.text, word.x, word.y)
  context.shadowColor = 'rgba(0, 0, 0, 0)'
  for (const word of words) {
    if (word === spoken) continue
    context.fillStyle = colours.text
    context.fillText(word.text, word.x, word.y)
  }
  if (spoken) {
    // Its neighbours' edges must not lie on the mark.
    context.fillStyle = colours.spoken
    mark(context, spoken, size)
    context.fillStyle = colours.spokenText
    context.fillText(spoken.text, spoken.x, spoken.y)
  }
  const picture = page.emoji && pictures.get(page.emoji.emoji)
  if (picture) {
    const { x, y, width, height } = page.emoji!.box
    context.drawImage(picture, x, y, width, height)
  }
  context.restore()
}

export const paintThird = <P>(
  context: Context2d<P>,
  { plate, chip, rows, colours, mark: bar, box, entrance }: LowerThird,
  pictures: Pictures<P>,
): void => {
  context.save()
  if (entrance) enter(context, plate, box, entrance)
  const radius = Math.min(plate.height, plate.width) * 0.1
  if (rows.length) {
    context.shadowColor = 'rgba(5, 9, 16, 0.35)'
    context.shadowBlur = radius * 2
    context.fillStyle = 'rgba(11, 16, 24, 0.86)'
    context.beginPath()
    context.roundRect(plate.x, plate.y, plate.width, plate.height, radius)
    context.fill()
    context.shadowColor = 'rgba(0, 0, 0, 0)'
    context.save()
    context.beginPath()
    context.roundRect(plate.x, plate.y, plate.width, plate.height, radius)
    context.clip()
    context.fillStyle = bar
    context.fillRect(plate.x, plate.y, rows[0]!.size * 0.16, plate.height)
    context.restore()
  }
  for (const row of rows) {
    context.fillStyle = row.faded ? '#d5dbe6' : '#ffffff'
    writeLine(context, row, pictures)
  }
  if (chip) {
    context.fillStyle = colours.spoken
    context.beginPath()
    context.roundRect(chip.x, chip.y, chip.width, chip.height, chip.rows[0]!.size * 0.45)
    context.fill()
    context.fillStyle = colours.spokenText
    for (const row of chip.rows) writeLine(context, row, pictures)
  }
  context.restore()
}

/** What is painted from here on is on its way to its place: `plate` is what moves and grows, `box` what is drawn from the left. */
export const enter = <P>(
  context: Context2d<P>,
  plate: Box,
  box: Box,
  { opacity, below, size, shown }: Entrance,
): void => {
  context.globalAlpha = opacity
  if (shown < 1) {
    context.beginPath()
    context.roundRect(box.x, box.y, box.width * shown, box.height, 0)
    context.clip()
  }
  const [x, y] = [plate.x + plate.width / 2, plate.y + plate.height / 2]
  context.translate(x, y + below * plate.height)
  context.scale(size, size)
  context.translate(-x, -y)
}

/** The box behind the spoken word: capitals in its middle, room for a descender, never thin. */
const mark = <P>(context: Context2d<P>, { x, y, width }: PageWord, size: number): void => {
  const wide = Math.max(width + size * 0.3, size * 0.62)
  context.beginPath()
  context.roundRect(x + (width - wide) / 2, y - size * 0.94, wide, size * 1.21, size * 0.2)
  context.fill()
}
