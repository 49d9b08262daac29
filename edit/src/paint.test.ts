import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadImage } from '@napi-rs/canvas'
import { expect, it } from 'vitest'
import { canvasTools } from '../../server/src/outside/canvas.ts'
import { scenes, sceneState } from '../test/scenes.ts'
import { captionTrack, paintState } from './caption-track.ts'
import { emojis } from './emoji.ts'
import { aspects, captionStyles, sizeOf } from './recipe.ts'

const pinned = join(import.meta.dirname, '../test/captions.png')
const cell = { width: 256, height: 160 }

/** To pin anew after a change that was looked at: `UPDATE_PICTURES=1 npx vitest run edit/src/paint`. */
it('every caption style paints in every aspect as in the reviewed reference picture', async () => {
  const { canvas, measure, pictures } = await canvasTools()
  const sheet = canvas(cell.width * aspects.length, cell.height * captionStyles.length)
  scenes(540).forEach(({ recipe }, i) => {
    const { width, height } = sizeOf(recipe)
    const state = sceneState(captionTrack(recipe, measure))
    const frame = canvas(width, height)
    // Light and dark, as videos are.
    for (const [half, colour] of ['#dfe5ee', '#2b3444'].entries()) {
      frame.context.fillStyle = colour
      frame.context.fillRect((half * width) / 2, 0, width / 2, height)
    }
    paintState(frame.context, state, pictures)
    // The part around the captions, as wide as the frame.
    const high = (width * cell.height) / cell.width
    const boxes = [...(state.page ? [state.page.box] : []), ...state.thirds.map(({ box }) => box)]
    const middle = (Math.min(...boxes.map(({ y }) => y)) + Math.max(...boxes.map(({ y, height }) => y + height))) / 2
    const top = Math.max(0, Math.min(height - high, middle - high / 2))
    sheet.context.imageSmoothingQuality = 'high'
    sheet.context.drawImage(
      frame.canvas,
      0,
      top,
      width,
      high,
      (i % aspects.length) * cell.width,
      Math.floor(i / aspects.length) * cell.height,
      cell.width,
      cell.height,
    )
  })
  if (process.env.UPDATE_PICTURES) writeFileSync(pinned, sheet.canvas.toBuffer('image/png'))
  const before = canvas(sheet.canvas.width, sheet.canvas.height)
  before.context.drawImage(await loadImage(pinned), 0, 0)
  const [now, then] = [sheet, before].map(
    ({ context, canvas: { width, height } }) => context.getImageData(0, 0, width, height).data,
  )
  let seen = 0
  for (let at = 0; at < now!.length; at += 4) {
    const apart = [0, 1, 2].map((channel) => Math.abs(now![at + channel]! - then![at + channel]!))
    if (Math.max(...apart) > 24) seen++
  }
  // Processors round edges differently, by a few points; a moved word changes hundreds of points.
  expect(seen).toBeLessThan(40)
})

it('every emoji of the dictionary has a picture, under the MIT licence', async () => {
  const { pictures } = await canvasTools()
  for (const emoji of Object.keys(emojis))
    expect([emoji, (pictures.get(emoji)?.width ?? 0) >= 128]).toEqual([emoji, true])
  expect(readFileSync(join(import.meta.dirname, '../emoji/LICENSE'), 'utf8')).toContain('MIT License')
})
