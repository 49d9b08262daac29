import { useEffect, useSyncExternalStore } from 'react'
import latin800 from '@fontsource/figtree/files/figtree-latin-800-normal.woff2?url'
import latinExt800 from '@fontsource/figtree/files/figtree-latin-ext-800-normal.woff2?url'
import latin600 from '@fontsource/figtree/files/figtree-latin-600-normal.woff2?url'
import latinExt600 from '@fontsource/figtree/files/figtree-latin-ext-600-normal.woff2?url'
import { emojis, isEmoji } from '@clear-to-post/edit/emoji'
import { fontFiles, measureWith, type Measure } from '@clear-to-post/edit/faces'

/** What the painter needs in a browser: the render's own fonts, a ruler, and the pictures of emoji as they are asked for. */
export type Easel = { measure: Measure; pictures: ReadonlyMap<string, HTMLImageElement> }

/** Null until the fonts are there: text measured in another face would break into other lines. */
export const useEasel = (): Easel | null => {
  useEffect(() => void open(), [])
  return useSyncExternalStore(hear, () => easel)
}

/** The fonts could not be fetched. */
export const useEaselFailed = (): boolean => useSyncExternalStore(hear, () => failed)

/** Fetches pictures that are not there yet; whoever uses the easel is told when they are. */
export const needEmoji = (wanted: Iterable<string>): void => {
  for (const emoji of wanted) {
    if (!isEmoji(emoji) || asked.has(emoji)) continue
    asked.add(emoji)
    const image = new Image()
    image.src = emojiAddress(emoji)
    image.decode().then(
      () => {
        if (easel) easel = { ...easel, pictures: new Map(easel.pictures).set(emoji, image) }
        tell()
      },
      () => asked.delete(emoji),
    )
  }
}

export const emojiAddress = (emoji: keyof typeof emojis): string =>
  files[`../../../../edit/emoji/${emojis[emoji].file}.webp`]!

const files = import.meta.glob<string>('../../../../edit/emoji/*.webp', {
  query: '?url',
  import: 'default',
  eager: true,
})

const addresses: Record<(typeof fontFiles)[number]['file'], string> = {
  'figtree-latin-800-normal.woff2': latin800,
  'figtree-latin-ext-800-normal.woff2': latinExt800,
  'figtree-latin-600-normal.woff2': latin600,
  'figtree-latin-ext-600-normal.woff2': latinExt600,
}

let easel: Easel | null = null
let failed = false
let opening: Promise<void> | null = null
const asked = new Set<string>()
const listeners = new Set<() => void>()

const open = (): Promise<void> => (opening ??= loadFonts())

const loadFonts = async () => {
  try {
    await Promise.all(
      fontFiles.map(async ({ file, family }) => {
        document.fonts.add(await new FontFace(family, `url(${addresses[file]})`).load())
      }),
    )
    easel = { measure: measureWith(document.createElement('canvas').getContext('2d')!), pictures: new Map() }
    failed = false
  } catch {
    failed = true
    opening = null
  }
  tell()
}

const tell = () => {
  for (const listener of listeners) listener()
}
const hear = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
