import { useRef } from 'react'
import { ImageOff } from 'lucide-react'
import type { Clip } from '@clear-to-post/contract/clips'
import { cx } from '../../ui/cx.ts'
import { messages } from './messages.ts'

/** A clip as its poster and its length; it plays, silent, while a pointer or the focus is on whatever holds it. */
export const ClipPoster = ({ clip, isPlaying, className }: { clip: Clip; isPlaying: boolean; className?: string }) => {
  const { asset } = clip
  const poster = asset.posterUrl ?? asset.thumbnailUrl
  return (
    <span aria-hidden className={cx('relative block overflow-hidden bg-sunken', className)}>
      {poster ? (
        <img src={poster} alt="" loading="lazy" className="absolute inset-0 size-full object-contain" />
      ) : (
        <ImageOff className="absolute inset-0 m-auto size-6 text-muted" />
      )}
      {isPlaying && asset.type === 'video' && asset.playUrl && <Moving src={asset.playUrl} />}
      <span className="figures absolute right-1.5 bottom-1.5 rounded bg-black/70 px-1.5 py-0.5 text-[0.6875rem] leading-none font-medium text-white">
        {asset.type === 'picture' ? messages.picture : messages.seconds(asset.duration ?? 0)}
      </span>
    </span>
  )
}

// Over the poster, so that nothing flashes before its first picture is there.
const Moving = ({ src }: { src: string }) => {
  const element = useRef<HTMLVideoElement>(null)
  return (
    <video
      ref={element}
      src={src}
      muted
      loop
      autoPlay
      playsInline
      className="absolute inset-0 size-full object-contain"
    />
  )
}
