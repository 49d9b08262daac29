import { Columns2, Download, Layers, Play } from 'lucide-react'
import { whenWords } from '../../times.ts'
import { AnchorButton, Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Badge } from '../../ui/status-chip.tsx'
import { messages } from './messages.ts'
import type { PlayableMedia } from './playable-media.ts'

type CutsProps = {
  playable: readonly PlayableMedia[]
  shown: readonly string[]
  onWatch: (key: string) => void
  onBeside: (key: string) => void
}

/** Every cut that was sent, newest first; two of them beside each other. */
export const Cuts = ({ playable, shown, onWatch, onBeside }: CutsProps) => {
  const sentCuts = playable.filter(({ cut }) => cut)
  if (sentCuts.length === 0)
    return (
      <div className="grid justify-items-center gap-1 py-6 text-center text-muted">
        <Layers aria-hidden className="mb-1 size-6" />
        <p className="font-medium text-ink">{messages.noVersions}</p>
        <p>{messages.noVersionsText}</p>
      </div>
    )
  return (
    <ol className="divide-y divide-line">
      {sentCuts.map(({ key, name, asset, cut, isOlder }) => (
        <li key={key} className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
          <div className="min-w-40 flex-1">
            <p className="flex items-center gap-2 font-medium">
              {name}
              <Badge tone={tones[cut!.verdict]}>{messages.verdict[cut!.verdict]}</Badge>
            </p>
            <p className="text-[0.8125rem] text-muted">
              {messages.sentAt(whenWords(cut!.sentAt))}
              {isOlder && <span className="block">{messages.olderCut}</span>}
            </p>
          </div>
          <div className="flex flex-wrap gap-1">
            <Button
              size="small"
              variant="quiet"
              icon={<Play aria-hidden />}
              isDisabled={shown[0] === key && shown.length === 1}
              onPress={() => onWatch(key)}
            >
              {shown.includes(key) ? messages.watching : messages.watch}
            </Button>
            {sentCuts.length > 1 && (
              <Button
                size="small"
                variant="quiet"
                icon={<Columns2 aria-hidden />}
                isDisabled={shown[0] === key}
                className={cx(shown[1] === key && 'bg-sunken')}
                onPress={() => onBeside(key)}
              >
                {messages.besideIt}
              </Button>
            )}
            {asset.assetUrl && (
              <AnchorButton
                href={asset.assetUrl}
                download={asset.fileName}
                size="small"
                variant="quiet"
                aria-label={messages.downloadFile(name)}
                icon={<Download aria-hidden />}
              >
                {messages.download}
              </AnchorButton>
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}

const tones = { waiting: 'warn', approved: 'good', denied: 'danger', replaced: 'plain' } as const
