import { useEffect, useSyncExternalStore } from 'react'
import { isEmoji } from '@clear-to-post/edit/emoji'
import type { Measure } from '@clear-to-post/edit/fonts'
import type { Pictures } from '@clear-to-post/edit/paint'
import { captionMeasure, emojiPicture } from '../../ui/caption-canvas.ts'

/** What the painter needs in a browser: the render's own fonts, a ruler, and the pictures of emoji as they are asked for. */
export type CanvasTools = { measure: Measure; pictures: Pictures<HTMLImageElement> }

/** Null until the fonts are there: text measured in another font would break into other lines. */
export const useCanvasTools = (): CanvasTools | null => {
  useEffect(() => void open(), [])
  return useSyncExternalStore(hear, () => tools)
}

/** The fonts could not be fetched. */
export const useCanvasToolsFailed = (): boolean => useSyncExternalStore(hear, () => failed)

/** Fetches pictures that are not there yet; whoever uses the tools hears when they are. */
export const needEmoji = (wanted: Iterable<string>): void => {
  for (const emoji of wanted) {
    if (!isEmoji(emoji) || asked.has(emoji)) continue
    asked.add(emoji)
    emojiPicture(emoji).then(
      (image) => {
        there.set(emoji, image)
        if (tools) tools = { ...tools, pictures: asking() }
        notifyListeners()
      },
      () => asked.delete(emoji),
    )
  }
}

let tools: CanvasTools | null = null
// A picture may come before the fonts do.
const there = new Map<string, HTMLImageElement>()
/** What the painter finds missing is fetched, and painted when it is there. */
const asking = (): CanvasTools['pictures'] => ({
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
    tools = { measure: await captionMeasure(), pictures: asking() }
    failed = false
  } catch {
    failed = true
    opening = null
  }
  notifyListeners()
}

const notifyListeners = () => {
  for (const listener of listeners) listener()
}
const hear = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
