import { expect, test } from 'vitest'
import { canvasTools } from '../../server/src/outside/canvas.ts'
import { stickerNames } from './recipe.ts'
import { paintSticker, stickerOf } from './stickers.ts'

test('every sticker is drawn within its box, however it is turned, and no two look the same', async () => {
  const { canvas } = await canvasTools()
  const frame = { width: 300, height: 300 }
  const looks = new Set<string>()
  for (const name of stickerNames)
    for (const turn of [0, 37, -120]) {
      const { canvas: sheet, context } = canvas(frame.width, frame.height)
      const sticker = stickerOf({ name, at: { x: 0.5, y: 0.5 }, size: 0.5, turn }, frame, { primary: '#2647e0' })
      paintSticker(context, sticker)
      const { data } = context.getImageData(0, 0, frame.width, frame.height)
      const { x, y, width, height } = sticker.box
      let [inside, outside] = [0, 0]
      for (let i = 0; i < frame.width * frame.height; i++) {
        // What is fainter than one part of thirty is the shadow's last.
        if (data[4 * i + 3]! < 8) continue
        const [px, py] = [i % frame.width, Math.floor(i / frame.width)]
        if (px >= x - 1 && px <= x + width && py >= y - 1 && py <= y + height) inside++
        else outside++
      }
      expect({ name, turn, outside }).toEqual({ name, turn, outside: 0 })
      expect(inside).toBeGreaterThan(1000)
      looks.add(sheet.toBuffer('image/png').toString('base64'))
    }
  // A star of twelve points and a disc look turned like themselves.
  expect(looks.size).toBeGreaterThanOrEqual(stickerNames.length * 3 - 3)
})
