import { Columns2, Square } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import { messages } from './messages.ts'
import type { ProjectSearch } from './search.ts'
import type { PlayableMedia } from './playable-media.ts'

type MediaBarProps = {
  playable: readonly PlayableMedia[]
  shown: PlayableMedia
  beside: PlayableMedia | undefined
  onChange: (part: Pick<ProjectSearch, 'show' | 'beside'>) => void
}

/** Which cut or source is on the screen, and which one beside it. The time stays. */
export const MediaBar = ({ playable, shown, beside, onChange }: MediaBarProps) => {
  const others = playable.filter(({ key }) => key !== shown.key)
  const options = (of: readonly PlayableMedia[]) => of.map(({ key, name }) => ({ value: key, label: name }))
  return (
    <div className="flex flex-wrap items-center gap-2 md:pt-3">
      <Select
        label={messages.shown}
        hideLabel
        value={shown.key}
        options={options(playable)}
        // Choosing what stands beside it swaps the two.
        onChange={(key) => onChange({ show: key, ...(key === beside?.key ? { beside: shown.key } : {}) })}
        className="min-w-36"
      />
      {beside ? (
        <>
          <Select
            label={messages.compareWith}
            hideLabel
            value={beside.key}
            options={options(others)}
            onChange={(key) => onChange({ beside: key })}
            className="min-w-36"
          />
          <Button variant="quiet" icon={<Square aria-hidden />} onPress={() => onChange({ beside: undefined })}>
            {messages.stopCompare}
          </Button>
        </>
      ) : (
        <Button
          variant="quiet"
          icon={<Columns2 aria-hidden />}
          onPress={() => onChange({ show: shown.key, beside: others[0]?.key })}
        >
          {messages.compare}
        </Button>
      )}
    </div>
  )
}
