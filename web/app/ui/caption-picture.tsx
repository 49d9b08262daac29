import { useEffect, useRef } from 'react'
import type { CaptionSample, CardSample } from './caption-canvas.ts'
import { cx } from './cx.ts'

/**
 * Captions, or a closing card, as the finished video shows them, by the painter that draws them there. Captions lie on
 * nothing, over a picture. Decoration for eyes; whoever shows it says in words what it is.
 */
export const CaptionPicture = ({ sample, className }: { sample: CaptionSample | CardSample; className?: string }) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const asked = JSON.stringify(sample)
  useEffect(() => {
    let isGone = false
    const isWanted = () => !isGone
    // Fonts and pictures of emoji are fetched only where captions are shown; without them the picture stays bare.
    void import('./caption-canvas.ts')
      .then(({ paintSample, paintCardSample }) => {
        const what = JSON.parse(asked) as CaptionSample | CardSample
        if (!canvas.current) return undefined
        return 'brand' in what
          ? paintCardSample(canvas.current, what, isWanted)
          : paintSample(canvas.current, what, isWanted)
      })
      .catch(() => undefined)
    return () => {
      isGone = true
    }
  }, [asked])
  return (
    <canvas
      ref={canvas}
      aria-hidden
      width={sample.width}
      height={sample.height}
      className={cx('pointer-events-none absolute inset-0 size-full', className)}
    />
  )
}
