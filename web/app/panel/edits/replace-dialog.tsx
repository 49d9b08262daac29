import { useState } from 'react'
import { toast } from 'sonner'
import { findInCaptions, replaceInCaptions } from '@clear-to-post/edit/commands/caption-pages'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { messages } from './messages.ts'
import type { Workbench } from './use-bench.ts'
import { captionWords } from './words/captions.ts'

/** Finds words in the captions, shows their places one after the other, and writes others instead. */
export const ReplaceDialog = ({
  bench,
  onShow,
  onClose,
}: {
  bench: Workbench
  /** Shows a word in the video and in the transcript. */
  onShow: (wordId: string) => void
  onClose: () => void
}) => {
  const { recipe, change, mayWrite } = bench
  const [find, setFind] = useState('')
  const [text, setText] = useState('')
  const [shown, setShown] = useState(0)
  const found = findInCaptions(recipe, find)
  return (
    <FormDialog
      title={captionWords.findTitle}
      submit={captionWords.replaceAll}
      cancel={messages.done}
      isPending={false}
      isDisabled={!mayWrite || found.length === 0}
      beside={
        <Button
          isDisabled={found.length === 0}
          className="mr-auto"
          onPress={() => {
            onShow(found[shown % found.length]![0]!)
            setShown(shown + 1)
          }}
        >
          {captionWords.showNext}
        </Button>
      }
      onSubmit={() => {
        change(captionWords.did.replaced(find.trim()), replaceInCaptions(find, text))
        toast.success(captionWords.replaced(found.length))
        onClose()
      }}
      onClose={onClose}
    >
      <TextField
        label={captionWords.findText}
        value={find}
        onChange={(next) => {
          setFind(next)
          setShown(0)
        }}
        hint={find.trim() === '' ? captionWords.findHint : captionWords.found(found.length)}
        autoFocus
      />
      {mayWrite && <TextField label={captionWords.replaceText} value={text} onChange={setText} maxLength={300} />}
    </FormDialog>
  )
}
