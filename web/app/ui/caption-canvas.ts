import plainUrl from '@fontsource/figtree/files/figtree-latin-600-normal.woff2?url'
import strongUrl from '@fontsource/figtree/files/figtree-latin-800-normal.woff2?url'
import plainExtUrl from '@fontsource/figtree/files/figtree-latin-ext-600-normal.woff2?url'
import strongExtUrl from '@fontsource/figtree/files/figtree-latin-ext-800-normal.woff2?url'
import { layout } from '@clear-to-post/edit/captions'
import { cardPicture, paintCard } from '@clear-to-post/edit/card'
import { emojis, type Emoji } from '@clear-to-post/edit/emoji'
import { fontFiles, measureWith, type Measure } from '@clear-to-post/edit/fonts'
import type { Line } from '@clear-to-post/edit/line'
import { tourThird } from '@clear-to-post/edit/lower-third'
import { paint, paintThird } from '@clear-to-post/edit/paint'
import type { Brand, Captions } from '@clear-to-post/edit/recipe'

/** The render's own fonts, fetched once, and the measure of them; a failed fetch is tried again the next time. */
export const captionMeasure = (): Promise<Measure> =>
  (measuring ??= loadFonts().catch((error: unknown) => {
    measuring = undefined
    throw error
  }))

export const emojiAddress = (emoji: Emoji): string => emojiUrls[`../../../edit/emoji/${emojis[emoji].file}.webp`]!

/** The picture of an emoji, ready to be drawn; fetched when it is first asked for. */
export const emojiPicture = (emoji: Emoji): Promise<HTMLImageElement> => {
  const known = drawn.get(emoji)
  if (known) return known
  const picture = new Image()
  picture.src = emojiAddress(emoji)
  const ready = picture.decode().then(
    () => picture,
    (error: unknown) => {
      drawn.delete(emoji)
      throw error
    },
  )
  drawn.set(emoji, ready)
  return ready
}

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

/** Paints a sample when its fonts and its emoji are there; `isWanted` says whether it still is then. */
export const paintSample = async (
  canvas: HTMLCanvasElement,
  sample: CaptionSample,
  isWanted: () => boolean,
): Promise<void> => {
  const measure = await captionMeasure()
  const context = canvas.getContext('2d')!
  const { width, height, colour, tour } = sample
  const brand = { primary: colour }
  const facts = tour && { price: tour.price, address: tour.facts, beds: '', baths: '' }
  const third = facts ? tourThird({ ...facts, rooms: [] }, null, { width, height }, brand, measure, sample.size) : null
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
  const pictures = await picturesOf(third ? third.rows : [], page?.emoji?.emoji)
  if (!isWanted()) return
  context.clearRect(0, 0, width, height)
  if (third) paintThird(context, third, pictures)
  else if (page) paint(context, page, `w${sample.spoken}`, pictures)
}

/** A closing card; `logo` is an address. Sizes in pixels of the canvas. */
export type CardSample = {
  width: number
  height: number
  brand: Pick<Brand, 'primary' | 'secondary' | 'name' | 'line'>
  call: string
  logo: string | null
}

/** Paints a closing card when its fonts and its logo are there; a logo that cannot be fetched is left out. */
export const paintCardSample = async (
  canvas: HTMLCanvasElement,
  { width, height, brand, call, logo }: CardSample,
  isWanted: () => boolean,
): Promise<void> => {
  const measure = await captionMeasure()
  const picture = new Image()
  if (logo) picture.src = logo
  const side =
    logo &&
    (await picture.decode().then(
      () => ({ picture, size: { width: picture.naturalWidth, height: picture.naturalHeight } }),
      () => null,
    ))
  const whole = { ...brand, logo: null, legal: '' }
  const card = cardPicture({ title: '', call }, whole, { width, height }, measure, Boolean(side))
  const pictures = await picturesOf([...card.rows, ...(card.chip?.rows ?? [])])
  if (isWanted()) paintCard(canvas.getContext('2d')!, card, side || null, pictures)
}

/** The pictures of the emoji in some lines, and of one more; those that cannot be fetched are left out. */
const picturesOf = async (lines: readonly Line[], one?: Emoji): Promise<Map<string, HTMLImageElement>> => {
  const pictures = new Map<string, HTMLImageElement>()
  const wanted = lines.flatMap(({ pieces }) => pieces.flatMap((piece) => ('emoji' in piece ? piece.emoji : [])))
  for (const emoji of new Set(one ? [...wanted, one] : wanted))
    await emojiPicture(emoji).then(
      (picture) => pictures.set(emoji, picture),
      () => {},
    )
  return pictures
}

let measuring: Promise<Measure> | undefined
const drawn = new Map<Emoji, Promise<HTMLImageElement>>()

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

const loadFonts = async (): Promise<Measure> => {
  const fonts = fontFiles.map(({ file, family }) => new FontFace(family, `url(${fontUrls[file]})`).load())
  for (const font of await Promise.all(fonts)) document.fonts.add(font)
  return measureWith(document.createElement('canvas').getContext('2d')!)
}
