import { captionTrack, paintState, type CaptionTrack } from '@clear-to-post/edit/caption-track'
import { cardPicture, paintCard } from '@clear-to-post/edit/card'
import { sizeOf } from '@clear-to-post/edit/recipe'
import { closing, onItsWay, scenes, sceneState, titlesOnTheirWay } from '../edit/test/scenes.ts'
import { emojis, type Emoji } from '@clear-to-post/edit/emoji'
import { captionMeasure, emojiPicture } from '../web/app/ui/caption-canvas.ts'

/** What painter.e2e.ts bundles as the panel is bundled, and calls in the browser. */
export const paintScene = async (index: number): Promise<{ track: CaptionTrack; picture: string }> => {
  const { measure, pictures } = await canvasTools()
  const { recipe } = scenes()[index]!
  const track = captionTrack(recipe, measure)
  const canvas = Object.assign(document.createElement('canvas'), sizeOf(recipe))
  paintState(canvas.getContext('2d')!, sceneState(track), pictures)
  return { track, picture: canvas.toDataURL('image/png') }
}

/** A title on its way. */
export const paintTitle = async (index: number): Promise<string> => {
  const { measure, pictures } = await canvasTools()
  const { recipe } = titlesOnTheirWay()[index]!
  const canvas = Object.assign(document.createElement('canvas'), sizeOf(recipe))
  paintState(canvas.getContext('2d')!, onItsWay(captionTrack(recipe, measure)), pictures)
  return canvas.toDataURL('image/png')
}

/** A card with emoji in its texts. */
export const paintClosing = async (): Promise<string> => {
  const { measure, pictures } = await canvasTools()
  const { card, brand, frame } = closing
  const canvas = Object.assign(document.createElement('canvas'), frame)
  paintCard(canvas.getContext('2d')!, cardPicture(card, brand, frame, measure, false), null, pictures)
  return canvas.toDataURL('image/png')
}

const canvasTools = async () => {
  const pictures = new Map<string, HTMLImageElement>()
  for (const emoji of Object.keys(emojis)) pictures.set(emoji, await emojiPicture(emoji as Emoji))
  return { measure: await captionMeasure(), pictures }
}
