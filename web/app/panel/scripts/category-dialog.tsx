import { useState } from 'react'
import { toast } from 'sonner'
import { scripts } from '@clear-to-post/contract/scripts'
import { useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { ColourField } from '../../ui/colour-field.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { PictureField } from '../../ui/picture-field.tsx'
import { Switch } from '../../ui/switch.tsx'
import { sendPicture } from '../assets/pictures.ts'
import { CategoryPicture } from './category-picture.tsx'
import { messages } from './messages.ts'
import { refreshScripts, type Category } from './use-library.ts'

/** A category of the library: name, colour, picture, shown or not. The picture is kept as soon as it is chosen. */
export const CategoryDialog = ({ category, onClose }: { category?: Category | undefined; onClose: () => void }) => {
  const [title, setTitle] = useState(category?.title ?? '')
  const [backgroundColor, setColour] = useState(category?.backgroundColor ?? startColour)
  const [active, setActive] = useState(category?.active ?? true)
  const [pictureUrl, setPictureUrl] = useState(category?.pictureUrl ?? '')
  const [error, setError] = useState<string>()
  const save = useCall(scripts.saveCategory)
  const body = { title: title.trim(), backgroundColor: backgroundColor || startColour, active }

  const submit = async () => {
    if (body.title === '') return setError(messages.needCategory)
    try {
      await save.mutateAsync({ body: { ...body, ...(category ? { id: category.id } : {}) } })
      void refreshScripts()
      toast.success(messages.saved)
      onClose()
    } catch {
      // Said below.
    }
  }
  const setPicture = async (address: string) => {
    const kept = category!
    const { pictureUrl: shown } = await save.mutateAsync({
      body: {
        id: kept.id,
        title: kept.title,
        backgroundColor: kept.backgroundColor,
        active: kept.active,
        pictureUrl: address,
      },
    })
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
      <TextField
        label={messages.categoryTitle}
        value={title}
        onChange={(text) => {
          setError(undefined)
          setTitle(text)
        }}
        maxLength={120}
        error={error}
        autoFocus
        autoComplete="off"
      />
      <ColourField
        label={messages.colour}
        value={backgroundColor}
        start={startColour}
        onChange={setColour}
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
      <Switch isSelected={active} onChange={setActive} hint={messages.activeHint}>
        {messages.active}
      </Switch>
    </FormDialog>
  )
}

const startColour = '#e8eeff'
