import { useEffect, useRef, useState, useSyncExternalStore, type KeyboardEvent } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Popover } from 'react-aria-components/Popover'
import { ArrowLeftToLine, ArrowRightToLine, Scissors } from 'lucide-react'
import type { Page } from '@clear-to-post/edit/captions'
import { pageText, wordsOfPage } from '@clear-to-post/edit/commands/caption-pages'
import { sizeOf } from '@clear-to-post/edit/recipe'
import { Button, IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { floating } from '../../ui/floating.ts'
import { DrawnArea } from './fields.tsx'
import { messages } from './messages.ts'
import { frameOf } from './timeline-player.ts'
import type { CaptionPages } from './use-caption-pages.ts'
import type { PreviewParts } from './use-preview.ts'
import { captionWords } from './words/captions.ts'

type Props = { preview: PreviewParts; captions: CaptionPages }

/** The caption that is seen while the video stands: a press writes it, where it stands. */
export const CaptionOnPicture = ({ preview, captions }: Props) => {
  const { recipe, timeline, player } = preview
  const { pages, open } = captions
  const { playing } = useSyncExternalStore(player.subscribe, player.state)
  const [page, setPage] = useState<Page | null>(null)
  const anchor = useRef<HTMLSpanElement>(null)
  useEffect(
    () =>
      player.onTime((seconds) => {
        const frame = frameOf(seconds, timeline.fps)
        setPage(pages.find(({ from, to }) => frame >= from && frame < to) ?? null)
      }),
    [player, pages, timeline],
  )
  const { width, height } = sizeOf(recipe)
  const place = ({ x, y, ...size }: Page['box']) => ({
    left: `${(x / width) * 100}%`,
    top: `${(y / height) * 100}%`,
    width: `${(size.width / width) * 100}%`,
    height: `${(size.height / height) * 100}%`,
  })
  return (
    <>
      {page && !playing && !open && captions.mayEdit && (
        <button
          type="button"
          className="caption-hit"
          style={place(page.box)}
          aria-label={captionWords.edit(pageText(recipe, wordsOfPage(recipe, page)))}
          onClick={() => captions.edit(page)}
        />
      )}
      {open && (
        <>
          <span ref={anchor} aria-hidden className="pointer-events-none absolute" style={place(open.box)} />
          <Popover
            triggerRef={anchor}
            isOpen
            onOpenChange={(isOpen) => !isOpen && captions.close()}
            placement="bottom"
            className={cx(floating, 'w-80')}
          >
            <Dialog aria-label={captionWords.editor} className="grid gap-3 p-4 outline-none">
              <Field
                key={open.merge}
                captions={captions}
                words={open.words
                  .map(({ text }) => text)
                  .filter(Boolean)
                  .join(' ')}
              />
            </Dialog>
          </Popover>
        </>
      )}
    </>
  )
}

const Field = ({ captions, words }: { captions: CaptionPages; words: string }) => {
  const [text, setText] = useState(words)
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => area.current?.select(), [])
  const split = () => captions.split(text, area.current?.selectionStart ?? 0)
  const keys = (event: KeyboardEvent<HTMLTextAreaElement> & { continuePropagation: () => void }) => {
    const { selectionStart, selectionEnd, value } = event.currentTarget
    const isAt = (place: number) => selectionStart === place && selectionEnd === place
    const done =
      event.key === 'Enter' && !event.nativeEvent.isComposing
        ? event.ctrlKey || event.metaKey
          ? split
          : captions.close
        : event.key === 'Backspace' && isAt(0)
          ? captions.joinBefore
          : event.key === 'Delete' && isAt(value.length)
            ? captions.joinAfter
            : null
    if (!done) return event.continuePropagation()
    event.preventDefault()
    done()
  }
  return (
    <>
      <DrawnArea
        label={captionWords.text}
        hint={captionWords.hint}
        value={text}
        areaRef={area}
        rows={2}
        className="[&_textarea]:min-h-0"
        autoFocus
        onChange={(next) => {
          setText(next)
          captions.write(next)
        }}
        onKeyDown={keys}
      />
      <div className="flex items-center gap-1">
        <Button size="small" icon={<Scissors aria-hidden />} onPress={split}>
          {captionWords.split}
        </Button>
        <IconButton label={captionWords.joinBefore} onPress={captions.joinBefore}>
          <ArrowLeftToLine aria-hidden />
        </IconButton>
        <IconButton label={captionWords.joinAfter} onPress={captions.joinAfter}>
          <ArrowRightToLine aria-hidden />
        </IconButton>
        <Button size="small" variant="primary" className="ml-auto" onPress={captions.close}>
          {messages.done}
        </Button>
      </div>
    </>
  )
}
