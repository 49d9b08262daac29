import plainUrl from '@fontsource/figtree/files/figtree-latin-600-normal.woff2?url'
import strongUrl from '@fontsource/figtree/files/figtree-latin-800-normal.woff2?url'
import plainExtUrl from '@fontsource/figtree/files/figtree-latin-ext-600-normal.woff2?url'
import strongExtUrl from '@fontsource/figtree/files/figtree-latin-ext-800-normal.woff2?url'
import { emojis } from '@clear-to-post/edit/emoji'
import { fontFiles, measureWith, type Measure } from '@clear-to-post/edit/faces'
import type { Pictures } from '@clear-to-post/edit/paint'

/** What the painter of captions needs in the browser: our fonts, a measure, and the pictures of emoji. */
export type CaptionEasel = { measure: Measure; pictures: Pictures<HTMLImageElement> }

/** Fetched once; a failed fetch is tried again the next time. */
export const captionEasel = (): Promise<CaptionEasel> =>
  (made ??= make().catch((error: unknown) => {
    made = undefined
    throw error
  }))

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
