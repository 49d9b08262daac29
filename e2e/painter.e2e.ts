import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { loadImage } from '@napi-rs/canvas'
import { build } from 'vite'
import { captionTrack, paintState } from '@clear-to-post/edit/caption-track'
import { cardPicture, paintCard } from '@clear-to-post/edit/card'
import { sizeOf } from '@clear-to-post/edit/recipe'
import { closing, onItsWay, scenes, sceneState, titlesOnTheirWay } from '../edit/test/scenes.ts'
import { canvasTools } from '../server/src/outside/canvas.ts'

/** The preview must not lie: Chromium's canvas and the server's Skia draw the same captions from the same recipe. */
test('the browser paints the same caption picture as the server', async ({ page }, { project }) => {
  test.skip(project.name !== 'desktop', 'once is enough')
  await page.addScriptTag({ content: await bundled() })
  const { canvas, measure, pictures } = await canvasTools()
  for (const [index, { name, recipe }] of scenes().entries()) {
    const { track: seen, picture } = await page.evaluate((at) => window.painter.paintScene(at), index)
    const track = captionTrack(recipe, measure)
    // Same pages, lines and frames, and word positions that differ by less than a visible distance.
    const lines = (one: typeof track) =>
      one.pages.map((page) => page.lines.map((line) => line.map(({ id, from, to }) => [id, from, to])))
    expect(lines(seen), name).toEqual(lines(track))
    const places = (one: typeof track) => one.pages.flatMap((page) => page.lines.flat().flatMap(({ x, y }) => [x, y]))
    const there = places(track)
    const apart = Math.max(...places(seen).map((place, i) => Math.abs(place - there[i]!)))
    expect(apart, `${name}: pixels between the places of a word`).toBeLessThan(0.5)

    const { width, height } = sizeOf(recipe)
    const ours = canvas(width, height)
    paintState(ours.context, sceneState(track), pictures)
    await expectSame(ours.canvas, picture, name)
  }
  for (const [index, { name, recipe }] of titlesOnTheirWay().entries()) {
    const { width, height } = sizeOf(recipe)
    const ours = canvas(width, height)
    const state = onItsWay(captionTrack(recipe, measure))
    expect(state.thirds[0]!.entrance, name).toBeDefined()
    paintState(ours.context, state, pictures)
    await expectSame(
      ours.canvas,
      await page.evaluate((at) => window.painter.paintTitle(at), index),
      `${name}, on its way`,
    )
  }
  const ours = canvas(closing.frame.width, closing.frame.height)
  const card = cardPicture(closing.card, closing.brand, closing.frame, measure, false)
  paintCard(ours.context, card, null, pictures)
  await expectSame(ours.canvas, await page.evaluate(() => window.painter.paintClosing()), 'a closing card')

  async function expectSame(ours: ReturnType<typeof canvas>['canvas'], picture: string, name: string) {
    const theirs = canvas(ours.width, ours.height)
    theirs.context.drawImage(await loadImage(Buffer.from(picture.split(',')[1]!, 'base64')), 0, 0)
    const { worst, mean } = difference(ours, theirs.canvas)
    // What remains is how edges are rounded, less than the eye sees; captions one pixel aside give 80 and 4.4.
    expect(worst, `${name}: the worst block`).toBeLessThan(50)
    expect(mean, `${name}: on average`).toBeLessThan(3)
  }

  /** Over a mid ground, in blocks of four by four points, as an eye at arm's length sees them: 0 to 255. */
  function difference(...both: ReturnType<typeof canvas>['canvas'][]): { worst: number; mean: number } {
    const [one, other] = both.map((picture) => {
      const small = canvas(picture.width / 4, picture.height / 4)
      small.context.fillStyle = '#808894'
      small.context.fillRect(0, 0, picture.width / 4, picture.height / 4)
      small.context.imageSmoothingQuality = 'high'
      small.context.drawImage(picture, 0, 0, picture.width / 4, picture.height / 4)
      return small.context.getImageData(0, 0, small.canvas.width, small.canvas.height).data
    })
    let [worst, sum, painted] = [0, 0, 0]
    for (let at = 0; at < one!.length; at += 4)
      for (let channel = 0; channel < 3; channel++) {
        const apart = Math.abs(one![at + channel]! - other![at + channel]!)
        worst = Math.max(worst, apart)
        sum += apart
        if (one![at + channel] !== [0x80, 0x88, 0x94][channel]) painted++
      }
    return { worst, mean: sum / Math.max(1, painted) }
  }
})

declare global {
  interface Window {
    painter: typeof import('./painter-page.ts')
  }
}

/** The painter as the panel gets it, in one script that carries its fonts and pictures. */
const bundled = async (): Promise<string> => {
  const outputs = await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'silent',
    build: {
      write: false,
      minify: false,
      assetsInlineLimit: Number.MAX_SAFE_INTEGER,
      lib: { entry: join(import.meta.dirname, 'painter-page.ts'), formats: ['iife'], name: 'painter' },
    },
  })
  const [output] = [outputs].flat()
  if (!output || !('output' in output)) throw new Error('The painter could not be bundled.')
  return `${output.output[0].code}\nwindow.painter = painter`
}
