import { createRequire } from 'node:module'
import { createCanvas, GlobalFonts, loadImage, type Canvas, type Image, type SKRSContext2D } from '@napi-rs/canvas'
import { emojis } from '@clear-to-post/edit/emoji'
import { fontFiles, measureWith, type Measure } from '@clear-to-post/edit/fonts'
import type { Pictures } from '@clear-to-post/edit/paint'
import type { Bitmap } from '@clear-to-post/media/bitmap'
import type { Size } from '@clear-to-post/media/picture'

/** What the painter needs on the server: canvases, our fonts, the pictures of emoji. */
export type CanvasTools = {
  canvas(width: number, height: number): { canvas: Canvas; context: SKRSContext2D }
  measure: Measure
  pictures: Pictures<Image>
  /** Somebody's picture, from its points. */
  picture(points: Bitmap): { picture: Canvas; size: Size }
}

/** Skia with the product's own fonts; made once a process. */
export const canvasTools = (): Promise<CanvasTools> => (made ??= make())

let made: Promise<CanvasTools> | undefined

const make = async (): Promise<CanvasTools> => {
  const { resolve } = createRequire(import.meta.url)
  for (const { file, family } of fontFiles)
    if (!GlobalFonts.registerFromPath(resolve(`@fontsource/figtree/files/${file}`), family))
      throw new Error(`The font ${file} cannot be read.`)
  const canvas: CanvasTools['canvas'] = (width, height) => {
    const made = createCanvas(width, height)
    return { canvas: made, context: made.getContext('2d') }
  }
  const pictures = await Promise.all(
    Object.entries(emojis).map(
      async ([emoji, { file }]) => [emoji, await loadImage(resolve(`@clear-to-post/edit/emoji/${file}.webp`))] as const,
    ),
  )
  const picture: CanvasTools['picture'] = ({ rgba, ...size }) => {
    const { canvas: drawn, context } = canvas(size.width, size.height)
    const points = context.createImageData(size.width, size.height)
    points.data.set(rgba)
    context.putImageData(points, 0, 0)
    return { picture: drawn, size }
  }
  return { canvas, picture, measure: measureWith(canvas(8, 8).context), pictures: new Map(pictures) }
}
