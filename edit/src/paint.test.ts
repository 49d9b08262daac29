import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadImage } from '@napi-rs/canvas'
import { expect, it } from 'vitest'
import { captionStyleValues, type CaptionStyle } from '@clear-to-post/domain/captions'
import { canvasTools } from '../../server/src/outside/canvas.ts'
import { scenes, sceneState } from '../test/scenes.ts'
import { captionTrack, paintState, type CaptionState } from './caption-track.ts'
import { emojis } from './emoji.ts'
import { aspects, sizeOf, type Recipe } from './recipe.ts'

const pinned = join(import.meta.dirname, '../test/captions.png')
const plain = '#1d3a6e'
const cell = { width: 256, height: 160 }

/** To pin anew after a change that was looked at: `UPDATE_PICTURES=1 npx vitest run edit/src/paint`. */
it('every caption style paints in every aspect as in the reviewed reference picture', async () => {
  const { canvas, measure, pictures } = await canvasTools()
  const sheet = canvas(cell.width * aspects.length, cell.height * captionStyleValues.length)
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
  expect(seen, 'look at edit/test/captions.png after UPDATE_PICTURES=1 npx vitest run edit/src/paint').toBeLessThan(40)
})

it('no two caption styles look the same, and states with the same key are painted the same', async () => {
  const { canvas, measure, pictures } = await canvasTools()
  const changes: ((recipe: Recipe) => Recipe)[] = [
    (recipe) => recipe,
    ({ captions, ...recipe }) => ({ ...recipe, captions: { ...captions, colour: '#7a1fa2' } }),
    ({ captions, ...recipe }) => ({ ...recipe, captions: { ...captions, size: 1.2 } }),
    ({ captions, ...recipe }) => ({ ...recipe, captions: { ...captions, position: 0.3 } }),
    ({ brand, ...recipe }) => ({ ...recipe, brand: { ...brand, primary: '#004d40', secondary: '#c6ff00' } }),
    ({ captions, words, ...recipe }) => ({
      ...recipe,
      words,
      captions: { ...captions, emoji: Object.fromEntries(words.map(({ id }) => [id, '🔑'])) },
    }),
    ({ captions, ...recipe }) => ({
      ...recipe,
      captions: { ...captions, tour: captions.tour && { ...captions.tour, price: '$390,000' } },
    }),
  ]
  for (const aspect of aspects) {
    const painted = new Map<string, string>()
    const looks = new Map<string, CaptionStyle>()
    for (const { recipe } of scenes(270).filter((scene) => scene.recipe.frame.aspect === aspect))
      for (const change of changes) {
        const { brand, ...changed } = change(recipe)
        // One colour for all styles where the change names none: it is no part of a style.
        const own = { ...changed, brand: brand.primary === recipe.brand.primary ? { ...brand, primary: plain } : brand }
        const track = captionTrack(own, measure)
        for (const state of [sceneState(track), ...track.states.slice(0, 2)]) {
          const picture = pictureOf(state, sizeOf(own))
          expect(painted.get(state.key) ?? picture, `one key, two pictures: ${state.key}`).toBe(picture)
          painted.set(state.key, picture)
        }
        if (change !== changes[0]) continue
        const look = pictureOf(sceneState(track), sizeOf(own))
        expect(looks.get(look), `style ${own.captions.style} looks like`).toBeUndefined()
        looks.set(look, own.captions.style)
      }
  }

  function pictureOf(state: CaptionState, { width, height }: { width: number; height: number }): string {
    const frame = canvas(width, height)
    paintState(frame.context, state, pictures)
    const { data } = frame.context.getImageData(0, 0, width, height)
    return createHash('sha256').update(data).digest('hex')
  }
})

it('every emoji of the dictionary has a picture, under the MIT licence', async () => {
  const { pictures } = await canvasTools()
  for (const emoji of Object.keys(emojis))
    expect([emoji, (pictures.get(emoji)?.width ?? 0) >= 128]).toEqual([emoji, true])
  expect(readFileSync(join(import.meta.dirname, '../emoji/LICENSE'), 'utf8')).toContain('MIT License')
})
