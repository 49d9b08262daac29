import { Layers } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { messages } from './messages.ts'
import type { PlayableMedia } from './playable-media.ts'

type NewerCutProps = {
  shown: PlayableMedia
  /** The cut that counts now, while it is not on the screen. */
  current: PlayableMedia | undefined
  onShow: (key: string) => void
}

/** Below the video: another cut counts than the one on the screen. Takes no focus; a screen reader says it in its turn. */
export const NewerCut = ({ shown, current, onShow }: NewerCutProps) => {
  const number = current?.cut?.number ?? 0
  const words = number > (shown.cut?.number ?? 0) ? messages.newerCut : messages.earlierCut
  return (
    <div
      className="data-here:border-y data-here:border-line data-here:bg-primary-tint data-here:px-3 data-here:py-2 md:data-here:mt-3 md:data-here:rounded-control md:data-here:border-x"
      data-here={current && ''}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p role="status" className="flex min-w-0 flex-1 items-center gap-2 font-medium text-primary-text">
          {current && (
            <>
              <Layers aria-hidden className="size-4.5 shrink-0" />
              {words(number, shown.name)}
            </>
          )}
        </p>
        {current && (
          <Button size="small" onPress={() => onShow(current.key)}>
            {messages.showCut(number)}
          </Button>
        )}
      </div>
    </div>
  )
}
