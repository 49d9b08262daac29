import { useEffect, useSyncExternalStore } from 'react'
import { isEmoji } from '@clear-to-post/edit/emoji'
import type { Measure } from '@clear-to-post/edit/faces'
import type { Pictures } from '@clear-to-post/edit/paint'
import { captionMeasure, emojiPicture } from '../../ui/caption-easel.ts'

/** What the painter needs in a browser: the render's own fonts, a ruler, and the pictures of emoji as they are asked for. */
export type Easel = { measure: Measure; pictures: Pictures<HTMLImageElement> }

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
    emojiPicture(emoji).then(
      (image) => {
        there.set(emoji, image)
        if (easel) easel = { ...easel, pictures: asking() }
        tell()
      },
      () => asked.delete(emoji),
    )
  }
}

let easel: Easel | null = null
// A picture may come before the fonts do.
const there = new Map<string, HTMLImageElement>()
/** What the painter finds missing is fetched, and painted when it is there. */
const asking = (): Easel['pictures'] => ({
  get: (emoji) => {
    needEmoji([emoji])
    return there.get(emoji)
  },
})
let failed = false
let opening: Promise<void> | null = null
const asked = new Set<string>()
const listeners = new Set<() => void>()

const open = (): Promise<void> => (opening ??= loadFonts())

const loadFonts = async () => {
  try {
    easel = { measure: await captionMeasure(), pictures: asking() }
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
