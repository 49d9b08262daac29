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
  const { phone = '', city = '' } = user.preferences ?? {}
  const said = { phone, city }
  const kept = { name: user.name, profession: user.profession ?? '', timezone: user.timezone ?? '', ...said }
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
      onSave={() => {
        if (form.name.trim() === '') return setNameError(messages.needName)
        const isSaid = (key: string) => Object.hasOwn(said, key)
        const parts = Object.entries(changes)
        const preferences = Object.fromEntries(parts.filter(([key]) => isSaid(key)))
        const others = Object.fromEntries(parts.filter(([key]) => !isSaid(key)))
        void save({ ...others, ...(Object.keys(preferences).length > 0 ? { preferences } : {}) }, forgetWritten)
      }}
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
      {isInVideos && (
        <fieldset className="grid gap-3">
          <legend className="pb-1 font-medium">{messages.inScripts}</legend>
          <p className="text-[0.8125rem] text-muted">{messages.inScriptsText}</p>
          <div className="grid gap-5 sm:grid-cols-2">
            <TextField
              label={messages.ownPhone}
              inputMode="tel"
              autoComplete="tel"
              value={form.phone}
              onChange={(value) => write({ phone: value })}
              maxLength={40}
              isRequired={false}
            />
            <TextField
              label={messages.city}
              autoComplete="address-level2"
              value={form.city}
              onChange={(value) => write({ city: value })}
              maxLength={80}
              isRequired={false}
            />
          </div>
        </fieldset>
      )}
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
