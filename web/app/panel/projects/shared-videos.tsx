import { useRef } from 'react'
import { Share2 } from 'lucide-react'
import { sizeWords } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { useShared, type Shared } from '../assets/shared.ts'
import { messages } from './new-video-messages.ts'

/** Videos that other apps shared wait here until somebody says what becomes of each: nothing of them is sent before. */
export const SharedVideos = ({ onSettled }: { onSettled: () => void }) => {
  const { shared, use, drop } = useShared()
  const heading = useRef<HTMLHeadingElement>(null)
  if (shared.length === 0) return null
  const settle = (work: (one: Shared) => Promise<void>, one: Shared) => {
    void work(one)
    // The row goes with the button that was pressed: the focus goes to what is next.
    if (shared.length > 1) heading.current?.focus()
    else onSettled()
  }
  return (
    <section
      aria-labelledby="shared-videos"
      className="grid grid-cols-1 gap-1 rounded-control border border-line bg-primary-tint px-3 py-3"
    >
      <h3
        id="shared-videos"
        ref={heading}
        tabIndex={-1}
        className="flex items-start gap-2 text-base focus-visible:outline-offset-2"
      >
        <Share2 aria-hidden className="mt-1 size-4 shrink-0" />
        {messages.sharedTitle(shared.length)}
      </h3>
      <p className="text-[0.8125rem] text-muted">{messages.sharedText}</p>
      <ul className="divide-y divide-line">
        {shared.map((one) => (
          <li key={one.key} className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2.5">
            <p className="min-w-40 flex-1 [overflow-wrap:anywhere]">
              <span className="font-medium">{one.file.name}</span>{' '}
              <span className="figures text-[0.8125rem] whitespace-nowrap text-muted">{sizeWords(one.file.size)}</span>
            </p>
            <div className="flex flex-wrap gap-2">
              <Button
                variant="primary"
                onPress={() => settle(use, one)}
                aria-label={messages.useSharedOne(one.file.name)}
              >
                {messages.useShared}
              </Button>
              <Button onPress={() => settle(drop, one)} aria-label={messages.dropSharedOne(one.file.name)}>
                {messages.dropShared}
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
