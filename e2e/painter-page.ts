import { captionTrack, paintState, type CaptionTrack } from '@clear-to-post/edit/caption-track'
import { sizeOf } from '@clear-to-post/edit/recipe'
import { scenes, sceneState } from '../edit/test/scenes.ts'
import { emojis, type Emoji } from '@clear-to-post/edit/emoji'
import { captionMeasure, emojiPicture } from '../web/app/ui/caption-easel.ts'

/** What painter.e2e.ts bundles as the panel is bundled, and calls in the browser. */
export const paintScene = async (index: number): Promise<{ track: CaptionTrack; picture: string }> => {
  const measure = await captionMeasure()
  const pictures = new Map<string, HTMLImageElement>()
  for (const emoji of Object.keys(emojis)) pictures.set(emoji, await emojiPicture(emoji as Emoji))
  const { recipe } = scenes()[index]!
  const track = captionTrack(recipe, measure)
  const canvas = Object.assign(document.createElement('canvas'), sizeOf(recipe))
  paintState(canvas.getContext('2d')!, sceneState(track), pictures)
  return { track, picture: canvas.toDataURL('image/png') }
}
