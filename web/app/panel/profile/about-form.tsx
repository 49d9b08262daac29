import { useMemo, useState } from 'react'
import { useUser } from '../../session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { ComboBox } from '../../ui/combo-box.tsx'
import { TextField } from '../../ui/fields.tsx'
import { PictureField } from '../../ui/picture-field.tsx'
import { useWritten } from '../../ui/use-written.ts'
import { sendPicture } from '../assets/pictures.ts'
import { messages } from './messages.ts'
import { FormSection } from './section.tsx'
import { timeZones } from './time-zones.ts'
import { useProfile } from './use-profile.ts'

/** Photo, name, profession, time zone. The photo is kept as soon as it is chosen. `isInVideos`: who is filmed. */
export const AboutForm = ({ isInVideos }: { isInVideos: boolean }) => {
  const user = useUser()
  const kept = { name: user.name, profession: user.profession ?? '', timezone: user.timezone ?? '' }
  const { form, written, write, forget: forgetWritten } = useWritten(kept)
  const [nameError, setNameError] = useState<string>()
  const { change, save, isPending, failure, forget } = useProfile()
  const zones = useMemo(() => timeZones(user.timezone), [user.timezone])
  const changes = Object.fromEntries(
    Object.entries(written).filter(([key, value]) => value.trim() !== kept[key as keyof typeof kept]),
  )
  const undo = () => {
    forgetWritten()
    setNameError(undefined)
    forget()
  }
  return (
    <FormSection
      id="about"
      title={messages.about}
      text={isInVideos ? messages.aboutText : messages.aboutStaff}
      isChanged={Object.keys(changes).length > 0}
      isPending={isPending}
      failure={failure}
      onSave={() => (form.name.trim() === '' ? setNameError(messages.needName) : void save(changes, forgetWritten))}
      onUndo={undo}
    >
      <PictureField
        label={messages.photo}
        hint={messages.photoHint}
        hasPicture={Boolean(user.photoUrl)}
        preview={<Avatar key={user.photoUrl} name={user.name} photoUrl={user.photoUrl} className="size-18 text-2xl" />}
        onChoose={(file, onProgress) =>
          sendPicture(file, 'photo', ({ assetUrl }) => change({ photoUrl: assetUrl }), onProgress)
        }
        onRemove={() => change({ photoUrl: '' })}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label={messages.name}
          {...(isInVideos ? { hint: messages.nameHint } : {})}
          autoComplete="name"
          value={form.name}
          onChange={(name) => {
            setNameError(undefined)
            write({ name })
          }}
          maxLength={120}
          error={nameError}
        />
        <TextField
          label={messages.profession}
          placeholder={isInVideos ? messages.professionPlaceholder : messages.staffPlaceholder}
          autoComplete="organization-title"
          value={form.profession}
          onChange={(profession) => write({ profession })}
          maxLength={120}
          isRequired={false}
        />
      </div>
      <ComboBox
        label={messages.timezone}
        hint={messages.timezoneHint}
        options={zones}
        value={form.timezone === '' ? null : form.timezone}
        onChange={(timezone) => write({ timezone })}
        className="sm:max-w-md"
      />
    </FormSection>
  )
}
