import { captionTrack, paintState, type CaptionState } from '@clear-to-post/edit/caption-track'
import { cardPicture, paintCard, type CardPicture } from '@clear-to-post/edit/card'
import { sizeOf, type Recipe } from '@clear-to-post/edit/recipe'
import type { Box } from '@clear-to-post/edit/safe-area'
import { timelineOf } from '@clear-to-post/edit/timeline'
import type { Paint, State } from '@clear-to-post/media/band'
import type { Bitmap } from '@clear-to-post/media/bitmap'
import type { Painted } from '@clear-to-post/media/chunks'
import { canvasTools } from '../outside/canvas.ts'

type Picture = { caption: CaptionState } | { card: CardPicture }

/** What is painted of a recipe, each state in the smallest box around it, and who paints it. `logo`: the brand's, if any. */
export const painting = async (
  recipe: Recipe,
  logo: Bitmap | null,
): Promise<{ painted: Painted<Picture>; paint: Paint<Picture> }> => {
  const { canvas, measure, pictures, picture } = await canvasTools()
  const mark = logo && picture(logo)
  const timeline = timelineOf(recipe)
  const captions = captionTrack(recipe, measure, timeline).states.flatMap((caption): State<Picture>[] => {
    const box = boxOf(caption)
    return box ? [{ key: caption.key, from: caption.from, to: caption.to, box, what: { caption } }] : []
  })
  const frame = sizeOf(recipe)
  const cards = (['open', 'close'] as const).flatMap((which): State<Picture>[] => {
    const card = recipe[which]
    const frames = timeline[which]
    if (!card || frames === 0) return []
    const from = which === 'open' ? 0 : timeline.frames - frames
    const what = { card: cardPicture(card, recipe.brand, frame, measure, mark !== null) }
    return [{ key: what.card.key, from, to: from + frames, box: { x: 0, y: 0, ...frame }, what }]
  })
  const paint: Paint<Picture> = (what, box) => {
    const { context } = canvas(box.width, box.height)
    context.translate(-box.x, -box.y)
    if ('caption' in what) paintState(context, what.caption, pictures)
    else paintCard(context, what.card, mark, pictures)
    const { data } = context.getImageData(0, 0, box.width, box.height)
    return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  }
  return { painted: { tracks: [captions], cards }, paint }
}

const boxOf = ({ page, thirds, stickers }: CaptionState): Box | null => {
  const boxes = [...(page ? [page.box] : []), ...[...thirds, ...stickers].map(({ box }) => box)]
  if (boxes.length === 0) return null
  const x = Math.min(...boxes.map((box) => box.x))
  const y = Math.min(...boxes.map((box) => box.y))
  const right = Math.max(...boxes.map((box) => box.x + box.width))
  const bottom = Math.max(...boxes.map((box) => box.y + box.height))
  return { x, y, width: right - x, height: bottom - y }
}
