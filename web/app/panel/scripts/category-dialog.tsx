import { useState } from 'react'
import { toast } from 'sonner'
import { scripts } from '@clear-to-post/contract/scripts'
import { useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { ChangedMeanwhile, useMeanwhile } from '../../ui/changed-meanwhile.tsx'
import { changesOf } from '../../ui/changes-of.ts'
import { ColourField } from '../../ui/colour-field.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { PictureField } from '../../ui/picture-field.tsx'
import { Switch } from '../../ui/switch.tsx'
import { sendPicture } from '../assets/pictures.ts'
import { CategoryPicture } from './category-picture.tsx'
import { messages } from './messages.ts'
import { refreshScripts, type Category } from './use-library.ts'

type Form = Pick<Category, 'title' | 'backgroundColor' | 'active'>

/** A category of the library: name, colour, picture, shown or not. The picture is kept as soon as it is chosen. */
export const CategoryDialog = ({ category, onClose }: { category?: Category | undefined; onClose: () => void }) => {
  const current = category ? formOf(category) : nothing
  const [from] = useState(current)
  const [form, setForm] = useState(from)
  const [pictureUrl, setPictureUrl] = useState(category?.pictureUrl ?? '')
  const [error, setError] = useState<string>()
  const { now, onError } = useMeanwhile({ from, current }, 'category.changed', refreshScripts)
  const save = useCall(scripts.saveCategory, { onError })
  const write = (part: Partial<Form>) => {
    setError(undefined)
    setForm({ ...form, ...part })
  }
  const body = { ...form, title: form.title.trim(), backgroundColor: form.backgroundColor || startColour }

  const submit = async () => {
    if (body.title === '') return setError(messages.needCategory)
    try {
      await save.mutateAsync({ body: category ? { id: category.id, ...changesOf(body, from, now) } : body })
      void refreshScripts()
      toast.success(messages.saved)
      onClose()
    } catch {
      // Said below.
    }
  }
  const setPicture = async (address: string) => {
    const { pictureUrl: shown } = await save.mutateAsync({ body: { id: category!.id, pictureUrl: address } })
    setPictureUrl(shown)
    void refreshScripts()
  }
  return (
    <FormDialog
      title={category ? messages.editCategory : messages.addCategory}
      submit={messages.save}
      cancel={messages.cancel}
      problem={save.isError && failureWords(save.error)}
      isPending={save.isPending}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <ChangedMeanwhile
        from={from}
        now={now}
        titles={messages.categoryIsNow}
        say={{ active: (isActive) => (isActive ? messages.active : messages.hidden) }}
      />
      <TextField
        label={messages.categoryTitle}
        value={form.title}
        onChange={(title) => write({ title })}
        maxLength={120}
        error={error}
        autoFocus
        autoComplete="off"
      />
      <ColourField
        label={messages.colour}
        value={form.backgroundColor}
        start={startColour}
        onChange={(backgroundColor) => write({ backgroundColor })}
        isRequired
      />
      {category && (
        <PictureField
          label={messages.picture}
          hint={messages.pictureHint}
          hasPicture={pictureUrl !== ''}
          preview={<CategoryPicture category={{ ...category, ...body, pictureUrl }} />}
          onChoose={(file, onProgress) =>
            sendPicture(file, 'photo', ({ assetUrl }) => setPicture(assetUrl), onProgress)
          }
          onRemove={() => setPicture('')}
        />
      )}
      <Switch isSelected={form.active} onChange={(active) => write({ active })} hint={messages.activeHint}>
        {messages.active}
      </Switch>
    </FormDialog>
  )
}

const startColour = '#e8eeff'
const nothing: Form = { title: '', backgroundColor: startColour, active: true }
const formOf = ({ title, backgroundColor, active }: Category): Form => ({ title, backgroundColor, active })
