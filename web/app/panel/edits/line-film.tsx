import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Asset } from '@clear-to-post/contract/assets'
import type { Recipe } from '@clear-to-post/edit/recipe'
import type { Timeline } from '@clear-to-post/edit/timeline'
import { LineCanvas } from './line-canvas.tsx'
import type { LinePart, LineView } from './line-view.ts'

type FilmProps = { view: LineView; recipe: Recipe; timeline: Timeline; assets: ReadonlyMap<string, Asset> }

/** The pictures of the passages, behind their bars: at every zoom as many as have room. */
export const LineFilm = ({ view, recipe, timeline, assets }: FilmProps) => {
  const strips = useStrips(recipe, assets)
  const paint = useCallback(
    (canvas: HTMLCanvasElement, part: LinePart) => paintFilm(canvas, part, timeline, strips),
    [timeline, strips],
  )
  if (strips.size === 0) return null
  return (
    <div aria-hidden className="line-film">
      <LineCanvas view={view} paint={paint} className="line-canvas" />
    </div>
  )
}

type Strip = NonNullable<Asset['filmstrip']> & { image: HTMLImageElement }

/** The sources’ filmstrips, as far as they are loaded. */
const useStrips = (recipe: Recipe, assets: ReadonlyMap<string, Asset>): ReadonlyMap<string, Strip> => {
  const [images, setImages] = useState<ReadonlyMap<string, HTMLImageElement>>(new Map())
  const { sources } = recipe
  useEffect(() => {
    let isGone = false
    for (const { assetId } of sources) {
      const url = assets.get(assetId)?.filmstrip?.url
      // The address is signed anew with every answer; the picture is the same.
      if (!url || images.has(assetId)) continue
      const image = new Image()
      image.src = url
      image.decode().then(
        () => isGone || setImages((before) => new Map(before).set(assetId, image)),
        () => {},
      )
    }
    return () => {
      isGone = true
    }
  }, [sources, assets, images])
  return useMemo(
    () =>
      new Map(
        sources.flatMap(({ id, assetId }) => {
          const [strip, image] = [assets.get(assetId)?.filmstrip, images.get(assetId)]
          return strip && image ? [[id, { ...strip, image }] as const] : []
        }),
      ),
    [sources, assets, images],
  )
}

const paintFilm = (
  canvas: HTMLCanvasElement,
  { from, width, whole }: LinePart,
  timeline: Timeline,
  strips: ReadonlyMap<string, Strip>,
) => {
  const height = canvas.clientHeight
  const context = canvas.getContext('2d')
  if (!context || width === 0) return
  const dots = Math.min(2, devicePixelRatio || 1)
  canvas.width = Math.round(width * dots)
  canvas.height = Math.round(height * dots)
  context.scale(dots, dots)
  context.translate(-from, 0)
  context.imageSmoothingQuality = 'high'
  const scale = whole / Math.max(1, timeline.frames)
  const msOfFrame = (1000 * timeline.fps.den) / timeline.fps.num
  for (const piece of timeline.pieces) {
    const strip = strips.get(piece.source)
    const [left, right] = [piece.at * scale, (piece.at + piece.to - piece.from - piece.fadeOut) * scale]
    if (!strip || right < from || left > from + width) continue
    const wide = (strip.tileWidth * height) / strip.tileHeight
    // Pictures stay where they are while the line moves: they are counted from the passage’s beginning.
    const first = Math.max(0, Math.floor((from - left) / wide))
    for (let x = left + first * wide; x < Math.min(right, from + width); x += wide) {
      const ms = (piece.from + (x - left) / scale) * msOfFrame
      const tile = Math.max(0, Math.min(strip.count - 1, Math.round(ms / strip.everyMs)))
      const shown = Math.min(wide, right - x)
      context.drawImage(
        strip.image,
        (tile % strip.columns) * strip.tileWidth,
        Math.floor(tile / strip.columns) * strip.tileHeight,
        (strip.tileWidth * shown) / wide,
        strip.tileHeight,
        x,
        0,
        shown,
        height,
      )
    }
  }
}
