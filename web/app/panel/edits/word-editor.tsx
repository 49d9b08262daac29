import { useEffect, useRef, useState } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Popover } from 'react-aria-components/Popover'
import { breakBefore, chooseEmoji } from '@clear-to-post/edit/commands/captions'
import type { Command } from '@clear-to-post/edit/commands/command'
import { acceptWords, correctWord, longestText, writeOut } from '@clear-to-post/edit/commands/words'
import { emojiIn, unrecognised } from '@clear-to-post/edit/drawn'
import { emojiAt, emojis, nameOf, type Emoji } from '@clear-to-post/edit/emoji'
import type { WordToken } from '@clear-to-post/edit/passages'
import { Button } from '../../ui/button.tsx'
import { emojiAddress } from '../../ui/caption-canvas.ts'
import { Choice } from '../../ui/choice.tsx'
import { cx } from '../../ui/cx.ts'
import { floating } from '../../ui/floating.ts'
import { DrawnArea, DrawnField } from './fields.tsx'
import { messages } from './messages.ts'
import { idOf } from './transcript.tsx'

type WordEditorProps = {
  token: WordToken
  /** With others of the same passage beside the script: what is written stands for all of them. */
  together: readonly WordToken[]
  /** Styles without emoji leave their choice out. */
  hasEmoji: boolean
  change: (name: string, command: Command) => void
  onClose: () => void
}

/** A word's caption: its text, where it begins a page or line, its emoji. */
export const WordEditor = ({ token, together, hasEmoji, change, onClose }: WordEditorProps) => {
  const { word, key } = token
  const isUnheard = word.text === unrecognised
  const [text, setText] = useState(token.text)
  const [picks, setPicks] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const area = useRef<HTMLTextAreaElement>(null)
  // Who opens it mostly writes another word; the arrow keys go into this one.
  useEffect(() => (field.current ?? area.current)?.select(), [])
  const save = () => {
    change(messages.did.corrected(text || word.text), (recipe) => {
      if (isUnheard && text.trim() !== '')
        return writeOut(
          together.map((one) => one.word.id),
          text,
        )(recipe)
      const corrected = correctWord(word.id, text)(recipe)
      // Who writes it otherwise has not found when it is said.
      return corrected === recipe || word.estimated ? corrected : acceptWords([word.id])(corrected)
    })
    onClose()
    // A phone's keyboard may have moved it away.
    requestAnimationFrame(() => document.getElementById(idOf(key))?.scrollIntoView({ block: 'nearest' }))
  }
  const own = emojiAt([token.text || word.text], 0)?.emoji ?? null
  const chosen = token.emoji === null ? 'auto' : token.emoji === '' ? 'none' : 'own'
  const shared = {
    label: messages.captionText,
    value: text,
    onChange: setText,
    autoFocus: true,
    hint:
      text.trim() === ''
        ? messages.willBeSilent
        : !hasEmoji && emojiIn(text).length > 0
          ? messages.noEmojiInStyle
          : isUnheard
            ? messages.unrecognised(together.length)
            : messages.heardAs(word.text),
  }
  return (
    <Popover
      triggerRef={{ current: document.getElementById(idOf(key)) }}
      isOpen
      onOpenChange={(open) => !open && save()}
      placement="bottom start"
      className={cx(floating, 'w-80')}
    >
      <Dialog
        aria-label={messages.correctOf(word.text)}
        className="grid max-h-[inherit] gap-4 overflow-y-auto p-4 outline-none"
      >
        <form
          onSubmit={(event) => {
            event.preventDefault()
            save()
          }}
          className="grid gap-2"
        >
          {isUnheard ? (
            <DrawnArea
              {...shared}
              areaRef={area}
              rows={4}
              // Who writes much scrolls in it: the window under it stays where it is.
              className="[&_textarea]:field-sizing-fixed"
              maxLength={longestText.unrecognised}
              onKeyDown={(event) => {
                // Captions break their lines themselves: Enter is done, but not the one that ends composing a letter.
                if (event.key !== 'Enter' || event.nativeEvent.isComposing) return event.continuePropagation()
                event.preventDefault()
                save()
              }}
            />
          ) : (
            <DrawnField {...shared} inputRef={field} maxLength={longestText.word} />
          )}
        </form>
        <div className="grid gap-1.5">
          <p className="text-[0.8125rem] font-medium">{messages.before}</p>
          <Choice
            label={messages.before}
            value={token.break ?? 'none'}
            onChange={(kind) => change(messages.did.break, breakBefore(word.id, kind === 'none' ? null : kind))}
            options={[
              { key: 'none', label: messages.breaks.none },
              { key: 'line', label: messages.breaks.line },
              { key: 'page', label: messages.breaks.page },
              { key: 'joined', label: messages.breaks.joined },
            ]}
            className="justify-self-start"
          />
        </div>
        {hasEmoji && (
          <div className="grid gap-2">
            <p className="text-[0.8125rem] font-medium">{messages.emoji}</p>
            <Choice
              label={messages.emoji}
              value={picks ? 'own' : chosen}
              onChange={(kind) => {
                setPicks(kind === 'own')
                if (kind !== 'own') change(messages.did.emoji, chooseEmoji(word.id, kind === 'auto' ? null : ''))
              }}
              options={[
                { key: 'auto', label: own ? messages.emojiAuto(own) : messages.emojiAutoNone },
                { key: 'none', label: messages.emojiNone },
                { key: 'own', label: messages.emojiOwn },
              ]}
              className="justify-self-start"
            />
            {(picks || chosen === 'own') && (
              <div
                role="group"
                aria-label={messages.emojiOwn}
                className="grid max-h-44 grid-cols-7 gap-1 overflow-y-auto p-0.5"
              >
                {(Object.keys(emojis) as Emoji[]).map((emoji) => (
                  <button
                    key={emoji}
                    type="button"
                    aria-pressed={token.emoji === emoji}
                    aria-label={nameOf(emoji)}
                    title={nameOf(emoji)}
                    className="grid aspect-square place-items-center rounded-md border border-transparent hover:bg-sunken aria-pressed:border-primary aria-pressed:bg-primary-tint"
                    onClick={() => change(messages.did.emoji, chooseEmoji(word.id, emoji))}
                  >
                    <img src={emojiAddress(emoji)} alt="" width={24} height={24} loading="lazy" />
                  </button>
                ))}
              </div>
            )}
          </div>
        )}
        <div className="flex justify-end gap-2">
          <Button size="small" variant="primary" onPress={save}>
            {messages.done}
          </Button>
        </div>
      </Dialog>
    </Popover>
  )
}
