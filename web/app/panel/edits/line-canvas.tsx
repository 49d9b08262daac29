import { useCallback, useEffect, useEffectEvent, useRef } from 'react'
import { paintWave, useColourScheme, type Loudest } from '../../ui/player-ruler.tsx'
import type { LinePart, LineView } from './line-view.ts'

/**
 * A canvas as wide as what is seen of the line, however long that is: it stays in sight while the line moves under it, and
 * is painted anew, at most once a frame of the screen.
 */
export const LineCanvas = ({
  view,
  paint,
  className,
}: {
  view: LineView
  paint: (canvas: HTMLCanvasElement, part: LinePart) => void
  className?: string
}) => {
  const element = useRef<HTMLCanvasElement>(null)
  const colours = useColourScheme()
  const draw = useEffectEvent((canvas: HTMLCanvasElement) => {
    const [own, whole] = [canvas.getBoundingClientRect(), canvas.parentElement!.getBoundingClientRect()]
    const from = Math.max(0, own.left - whole.left)
    canvas.style.setProperty('--from', `${from}px`)
    canvas.style.setProperty('--whole', `${whole.width}px`)
    paint(canvas, { from, width: own.width, whole: whole.width })
  })
  useEffect(() => {
    const canvas = element.current
    if (!canvas) return
    let asked = 0
    const ask = () => {
      asked ||= requestAnimationFrame(() => {
        asked = 0
        draw(canvas)
      })
    }
    const stop = view.onMove(ask)
    const watch = new ResizeObserver(ask)
    watch.observe(canvas)
    return () => {
      stop()
      watch.disconnect()
      cancelAnimationFrame(asked)
    }
  }, [view, paint, colours])
  return <canvas ref={element} aria-hidden className={className} />
}

/** The sound of the video as far as it is in sight, with ticks; what was played in another colour. */
export const LineWave = ({ view, loudest, duration }: { view: LineView; loudest: Loudest; duration: number }) => {
  const plain = useCallback(
    (canvas: HTMLCanvasElement, part: LinePart) => paintWave(canvas, loudest, duration, part),
    [loudest, duration],
  )
  // Ticks and times are the same on both; drawn twice they would only look bolder.
  const played = useCallback(
    (canvas: HTMLCanvasElement, part: LinePart) => paintWave(canvas, loudest, 0, part),
    [loudest],
  )
  return (
    <div aria-hidden className="line-wave">
      <LineCanvas view={view} paint={plain} className="player-wave line-canvas" />
      <LineCanvas view={view} paint={played} className="player-wave line-canvas line-wave-played" />
    </div>
  )
}
