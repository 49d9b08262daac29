import plainUrl from '@fontsource/figtree/files/figtree-latin-600-normal.woff2?url'
import strongUrl from '@fontsource/figtree/files/figtree-latin-800-normal.woff2?url'
import plainExtUrl from '@fontsource/figtree/files/figtree-latin-ext-600-normal.woff2?url'
import strongExtUrl from '@fontsource/figtree/files/figtree-latin-ext-800-normal.woff2?url'
import { layout } from '@clear-to-post/edit/captions'
import { emojis } from '@clear-to-post/edit/emoji'
import { fontFiles, measureWith, type Measure } from '@clear-to-post/edit/faces'
import { tourThird } from '@clear-to-post/edit/lower-third'
import { paint, paintThird, type Pictures } from '@clear-to-post/edit/paint'
import type { Captions } from '@clear-to-post/edit/recipe'

/** What the painter of captions needs in the browser: our fonts, a measure, and the pictures of emoji. */
export type CaptionEasel = { measure: Measure; pictures: Pictures<HTMLImageElement> }

/** Fetched once; a failed fetch is tried again the next time. */
export const captionEasel = (): Promise<CaptionEasel> =>
  (made ??= make().catch((error: unknown) => {
    made = undefined
    throw error
  }))

/** A few words in a style, for showing what a choice means. Sizes in pixels of the canvas. */
export type CaptionSample = {
  width: number
  height: number
  /** Words that fit one page; the one at `spoken` is marked. */
  text: string
  spoken: number
  style: Captions['style']
  colour: string
  /** Larger than in a video, where the picture is small. */
  size: number
  tour?: { price: string; facts: string }
}

export const paintSample = (
  canvas: HTMLCanvasElement,
  { measure, pictures }: CaptionEasel,
  sample: CaptionSample,
): void => {
  const brush = canvas.getContext('2d')!
  const { width, height, colour, tour } = sample
  brush.clearRect(0, 0, width, height)
  const brand = { primary: colour }
  const facts = tour && { price: tour.price, address: tour.facts, beds: '', baths: '' }
  const third = facts ? tourThird({ ...facts, rooms: [] }, null, { width, height }, brand, measure, sample.size) : null
  if (third) return paintThird(brush, third)
  const words = sample.text.split(' ').map((text, i) => ({
    word: { id: `w${i}`, source: '', text, start: 0, end: 1, confidence: 1, origin: 'typed' as const },
    piece: 0,
    from: i * 20,
    to: i * 20 + 20,
  }))
  const settings = { on: true, position: null, colour: null, overrides: {}, emoji: {}, tour: null }
  const [page] = layout(
    words,
    { ...settings, style: sample.style, size: sample.size },
    { width, height },
    brand,
    measure,
    { num: 30, den: 1 },
    words.length * 20,
  )
  if (page) paint(brush, page, `w${sample.spoken}`, pictures)
}

let made: Promise<CaptionEasel> | undefined

const fontUrls: Record<(typeof fontFiles)[number]['file'], string> = {
  'figtree-latin-800-normal.woff2': strongUrl,
  'figtree-latin-ext-800-normal.woff2': strongExtUrl,
  'figtree-latin-600-normal.woff2': plainUrl,
  'figtree-latin-ext-600-normal.woff2': plainExtUrl,
}
const emojiUrls = import.meta.glob<string>('../../../edit/emoji/*.webp', {
  eager: true,
  query: '?url',
  import: 'default',
})

const make = async (): Promise<CaptionEasel> => {
  const fonts = fontFiles.map(({ file, family }) => new FontFace(family, `url(${fontUrls[file]})`).load())
  const pictures = Object.entries(emojis).map(async ([emoji, { file }]) => {
    const picture = new Image()
    picture.src = emojiUrls[`../../../edit/emoji/${file}.webp`]!
    await picture.decode()
    return [emoji, picture] as const
  })
  for (const font of await Promise.all(fonts)) document.fonts.add(font)
  const ruler = document.createElement('canvas').getContext('2d')!
  return { measure: measureWith(ruler), pictures: new Map(await Promise.all(pictures)) }
}
