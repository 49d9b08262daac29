import { useEffect, useRef } from 'react'
import type { CaptionSample } from './caption-easel.ts'
import { cx } from './cx.ts'

/**
 * Captions as the finished video shows them, by the painter that draws them there, on nothing: it lies over a picture.
 * Decoration for eyes; whoever shows it says in words what it is.
 */
export const CaptionPicture = ({ sample, className }: { sample: CaptionSample; className?: string }) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const asked = JSON.stringify(sample)
  useEffect(() => {
    let isGone = false
    // Fonts and pictures of emoji are fetched only where captions are shown; without them the picture stays bare.
    void import('./caption-easel.ts')
      .then(({ paintSample }) =>
        canvas.current ? paintSample(canvas.current, JSON.parse(asked) as CaptionSample, () => !isGone) : undefined,
      )
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
