import type { Page, PageWord } from './captions.ts'
import { fontOf } from './faces.ts'
import { writeLine } from './line.ts'
import type { LowerThird } from './lower-third.ts'

/**
 * THE painter: browser and server hand it their canvas and get the same picture. It uses only what both draw alike:
 * filled and stroked text, round boxes, one blurred shadow, pictures.
 */

/** Raised whenever the same page would be painted in another way: stored renders are then made anew. */
export const paintVersion = 1

/** The part of a 2D context that is used; `P` is what this canvas draws pictures from. */
export type Brush<P> = {
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
  save(): void
  restore(): void
  beginPath(): void
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
export const paint = <P>(brush: Brush<P>, page: Page, active: string | null, pictures: Pictures<P>): void => {
  const { size, colours } = page
  const words = page.lines.flat()
  const spoken = words.find(({ id }) => id === active)
  brush.save()
  brush.font = fontOf('strong', size)
  brush.textAlign = 'left'
  brush.textBaseline = 'alphabetic'
  brush.lineJoin = 'round'
  brush.lineWidth = size * 0.11
  // Soft shadows under everything first: no word darkens its neighbour.
  brush.shadowColor = 'rgba(5, 9, 16, 0.55)'
  brush.shadowBlur = size * 0.28
  brush.shadowOffsetY = size * 0.04
  brush.strokeStyle = colours.edge
  brush.fillStyle = colours.spoken
  if (spoken) mark(brush, spoken, size)
  for (const word of words) if (word !== spoken) brush.strokeText(word.text, word.x, word.y)
  brush.shadowColor = 'rgba(0, 0, 0, 0)'
  for (const word of words) {
    if (word === spoken) continue
    brush.fillStyle = colours.text
    brush.fillText(word.text, word.x, word.y)
  }
  if (spoken) {
    // Its neighbours' edges must not lie on the mark.
    brush.fillStyle = colours.spoken
    mark(brush, spoken, size)
    brush.fillStyle = colours.spokenText
    brush.fillText(spoken.text, spoken.x, spoken.y)
  }
  const picture = page.emoji && pictures.get(page.emoji.emoji)
  if (picture) {
    const { x, y, width, height } = page.emoji!.box
    brush.drawImage(picture, x, y, width, height)
  }
  brush.restore()
}

export const paintThird = <P>(
  brush: Brush<P>,
  { plate, chip, rows, colours, mark: bar }: LowerThird,
  pictures: Pictures<P>,
): void => {
  brush.save()
  const radius = Math.min(plate.height, plate.width) * 0.1
  if (rows.length) {
    brush.shadowColor = 'rgba(5, 9, 16, 0.35)'
    brush.shadowBlur = radius * 2
    brush.fillStyle = 'rgba(11, 16, 24, 0.86)'
    brush.beginPath()
    brush.roundRect(plate.x, plate.y, plate.width, plate.height, radius)
    brush.fill()
    brush.shadowColor = 'rgba(0, 0, 0, 0)'
    brush.save()
    brush.beginPath()
    brush.roundRect(plate.x, plate.y, plate.width, plate.height, radius)
    brush.clip()
    brush.fillStyle = bar
    brush.fillRect(plate.x, plate.y, rows[0]!.size * 0.16, plate.height)
    brush.restore()
  }
  for (const row of rows) {
    brush.fillStyle = row.faded ? '#d5dbe6' : '#ffffff'
    writeLine(brush, row, pictures)
  }
  if (chip) {
    brush.fillStyle = colours.spoken
    brush.beginPath()
    brush.roundRect(chip.x, chip.y, chip.width, chip.height, chip.rows[0]!.size * 0.45)
    brush.fill()
    brush.fillStyle = colours.spokenText
    for (const row of chip.rows) writeLine(brush, row, pictures)
  }
  brush.restore()
}

/** The box behind the spoken word: capitals in its middle, room for a descender, never thin. */
const mark = <P>(brush: Brush<P>, { x, y, width }: PageWord, size: number): void => {
  const wide = Math.max(width + size * 0.3, size * 0.62)
  brush.beginPath()
  brush.roundRect(x + (width - wide) / 2, y - size * 0.94, wide, size * 1.21, size * 0.2)
  brush.fill()
}
