import { useState } from 'react'
import { accounts } from '@clear-to-post/contract/accounts'
import { send } from '../../api.ts'
import { changedUser } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextArea, TextField } from '../../ui/fields.tsx'
import { Select } from '../../ui/select.tsx'
import { blankName, blanksForProfile, blanksIn, fillBlanks, keepBlanks, knownBlanks } from '../scripts/blanks.ts'
import type { KeptScript } from './kept-scripts.ts'
import { messages } from './messages.ts'
import { useRecorder } from './recorder-person.ts'
import { useScriptDraft } from './script-draft.ts'

/** What will be said: written here, or taken from the library; blanks are filled from what is known, the rest is asked for. */
export const ScriptSheet = ({
  text,
  all,
  startsAtBlanks = false,
  onChange,
  onClose,
}: {
  text: string
  /** What may be read. */
  all: readonly KeptScript[]
  /** Somebody came to fill in the blanks: the first has the focus. */
  startsAtBlanks?: boolean
  onChange: (text: string, title?: string) => void
  onClose: () => void
}) => {
  const user = useRecorder()
  const [written, setWritten, clear] = useScriptDraft(text, user.id)
  const [title, setTitle] = useState<string>()
  const [said, setSaid] = useState(() => knownBlanks(user))
  const blanks = blanksIn(written).filter((blank) => !said.kept.has(blank))
  const chosen = all.find(({ content }) => [content, fillBlanks(content, said.values)].includes(written))
  const done = () => {
    keepBlanks(user.id, said.values)
    const changes = blanksForProfile(user, said.values)
    // Where nobody answers they stay on this device.
    if (changes) void send(accounts.update, { body: changes }).then(changedUser, () => undefined)
    clear()
    onChange(fillBlanks(written, said.values), title)
    onClose()
  }
  return (
    <Dialog
      title={messages.scriptFor}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      size="medium"
      actions={() => (
        <Button variant="primary" onPress={done}>
          {messages.doneScript}
        </Button>
      )}
    >
      <div className="grid gap-4">
        {all.length > 0 && (
          <Select
            label={messages.chooseScript}
            placeholder={messages.none}
            value={chosen?.id ?? null}
            onChange={(id) => {
              const script = all.find((one) => one.id === id)
              if (!script) return
              setWritten(fillBlanks(script.content, said.values))
              setTitle(script.title)
            }}
            options={all.map(({ id, title: label }) => ({ value: id, label }))}
          />
        )}
        <TextArea
          label={messages.script}
          hint={messages.scriptHint}
          rows={7}
          maxLength={5000}
          value={written}
          onChange={setWritten}
          isRequired={false}
        />
        {blanks.length > 0 && (
          <fieldset className="grid gap-3">
            <legend className="pb-1 font-medium">{messages.blanks}</legend>
            <p className="text-[0.8125rem] text-muted">{messages.blanksHint}</p>
            {blanks.map((blank, place) => (
              <TextField
                key={blank}
                autoFocus={startsAtBlanks && place === 0}
                label={blankName(blank)}
                value={said.values[blank] ?? ''}
                onChange={(value) => setSaid(({ kept, values }) => ({ kept, values: { ...values, [blank]: value } }))}
                maxLength={300}
                isRequired={false}
              />
            ))}
          </fieldset>
        )}
      </div>
    </Dialog>
  )
}
