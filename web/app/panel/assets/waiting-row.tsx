import { useState, type ReactNode } from 'react'
import { CircleAlert, CircleCheck, Film, TriangleAlert, X } from 'lucide-react'
import { clockWords, leftWords, percentWords, sizeWords, whenInSentence } from '../../times.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { Progress } from '../../ui/progress.tsx'
import { useFirstFrame } from './first-frame.ts'
import type { Waiting } from './follow.ts'
import { messages } from './messages.ts'
import { useDiscard } from './use-discard.ts'

/** One file, its picture, and where it is in words. */
export const WaitingRow = ({ item, action }: { item: Waiting; action?: ReactNode }) => (
  <div className="flex items-start gap-3 py-3">
    <Picture item={item} />
    <div className="min-w-0 flex-1">
      <p className="truncate font-medium" title={item.name}>
        {item.name}
      </p>
      <WaitingState item={item} />
      {action}
    </div>
    <DiscardButton item={item} />
  </div>
)

/** Where the file is: a bar while it moves, a sentence when it rests. */
export const WaitingState = ({ item, isShort = false }: { item: Waiting; isShort?: boolean }) => {
  const { upload, asset, phase } = item
  switch (phase) {
    case 'sending':
    case 'paused': {
      const { sentBytes, fileSize, secondsLeft, isFragile } = upload!
      if (upload!.take?.stands === 'left') return <LeftTake item={item} isShort={isShort} />
      const size = messages.sentOf(sizeWords(sentBytes), sizeWords(fileSize))
      return (
        <>
          <Progress
            label={
              phase === 'paused'
                ? messages.paused
                : upload!.take?.stands === 'recording'
                  ? messages.recording
                  : messages.sending
            }
            value={sentBytes / fileSize}
            tone={phase === 'paused' ? 'warn' : 'primary'}
            detail={isShort ? undefined : secondsLeft === null ? size : `${size} · ${leftWords(secondsLeft)}`}
            className="mt-1"
          />
          {isFragile && !isShort && <p className="mt-1 text-[0.8125rem] text-warn">{messages.fragile}</p>}
        </>
      )
    }
    case 'elsewhere':
      return (
        <>
          <Progress
            label={upload ? messages.elsewhere : messages.sending}
            value={asset && !asset.isOpen && asset.fileSize > 0 ? asset.receivedBytes / asset.fileSize : null}
            className="mt-1"
          />
          {!upload && !isShort && (
            <p className="mt-1 text-[0.8125rem] text-muted">
              {asset?.isOpen ? messages.recordedElsewhere : messages.elsewhereDevice}
            </p>
          )}
        </>
      )
    case 'sent':
      return (
        <Progress
          label={asset?.stage ? messages.stage(asset.stage) : messages.received}
          value={null}
          className="mt-1"
        />
      )
    case 'checking':
      return (
        <Progress
          label={asset?.stage ? messages.stage(asset.stage) : messages.checking}
          value={asset?.progress ?? null}
          className="mt-1"
        />
      )
    case 'ready':
      return (
        <>
          <p className="figures flex items-center gap-1.5 text-[0.8125rem] text-good">
            <CircleCheck aria-hidden className="size-4 shrink-0" />
            {messages.ready}
            {!isShort && (
              <span className="text-muted">
                {[asset?.duration === undefined ? null : clockWords(asset.duration), sizeWords(asset?.fileSize ?? 0)]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            )}
          </p>
          {!isShort &&
            asset?.notes.map((note) => (
              <p key={note} className="mt-1 flex items-start gap-1.5 text-[0.8125rem] text-warn">
                <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
                {note}
              </p>
            ))}
        </>
      )
    default:
      return (
        <>
          <p role="alert" className="flex items-start gap-1.5 text-[0.8125rem] text-danger">
            <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            <span>
              {upload?.error ??
                asset?.error ??
                (phase === 'failed' ? `${messages.failed}. ${messages.failedText}` : messages.rejected)}
            </span>
          </p>
          {/* What was said is not lost with a refusal. */}
          {upload?.take && (
            <Button size="small" className="mt-1" onPress={() => void saveTake(upload.key)}>
              {messages.saveFile}
            </Button>
          )}
        </>
      )
  }
}

/** What a page that ended in the middle of a take has left on this device. */
const LeftTake = ({ item: { upload }, isShort }: { item: Waiting; isShort: boolean }) => {
  const { key, take, sentBytes, fileSize } = upload!
  const when = whenInSentence(new Date(take!.begunAt).toISOString())
  return (
    <div className="grid justify-items-start gap-2">
      {!isShort && (
        <p className="text-[0.8125rem]">
          {messages.left(when, clockWords(Math.round(take!.ms / 1000)), percentWords(sentBytes / fileSize))}
        </p>
      )}
      <Button size="small" onPress={() => void import('./takes.ts').then(({ finishTake }) => finishTake(key))}>
        {messages.finishIt}
      </Button>
    </div>
  )
}

const saveTake = async (key: string): Promise<void> => {
  const file = await (await import('./takes.ts')).fileOfTake(key)
  if (file === null) return
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = file.name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** Removes the file; asks first when something would be lost. */
export const DiscardButton = ({ item }: { item: Waiting }) => {
  const [isAsking, setAsking] = useState(false)
  const discard = useDiscard()
  const isWorthless = item.phase === 'refused' || item.phase === 'rejected' || item.phase === 'failed'
  return (
    <>
      <IconButton
        label={messages.discardNamed(item.name)}
        onPress={() => (isWorthless ? discard(item) : setAsking(true))}
        className="text-muted"
      >
        <X aria-hidden />
      </IconButton>
      <Confirm
        title={messages.discardTitle}
        text={messages.discardText(item.name)}
        confirm={messages.discard}
        keep={messages.keep}
        isOpen={isAsking}
        onOpenChange={setAsking}
        onConfirm={() => {
          setAsking(false)
          discard(item)
        }}
      />
    </>
  )
}

const Picture = ({ item: { upload, asset } }: { item: Waiting }) => {
  const local = useFirstFrame(upload?.file)
  const address = asset?.posterUrl || asset?.thumbnailUrl || local
  return (
    <span
      aria-hidden
      className={cx('grid h-16 w-12 shrink-0 place-items-center overflow-hidden rounded-md bg-sunken text-muted')}
    >
      {address ? <img src={address} alt="" className="size-full object-cover" /> : <Film className="size-5" />}
    </span>
  )
}
