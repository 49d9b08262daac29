import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useUser } from '../../session.ts'
import { ColourField } from '../../ui/colour-field.tsx'
import { TextArea, TextField } from '../../ui/fields.tsx'
import { PictureField } from '../../ui/picture-field.tsx'
import { Switch } from '../../ui/switch.tsx'
import { useWritten } from '../../ui/use-written.ts'
import { sendPicture } from '../assets/pictures.ts'
import { ownBrand } from '../brand/tokens.ts'
import { myTenant } from '../brand/use-brand.ts'
import { CaptionSample } from './caption-sample.tsx'
import { messages } from './messages.ts'
import { FormSection } from './section.tsx'
import { useProfile } from './use-profile.ts'

/** Colours, logo, links and wishes for the videos. The logo is kept as soon as it is chosen. */
export const BrandForm = () => {
  const user = useUser()
  const kept = keptOf(user.preferences)
  const { form: kit, written, write, forget: forgetWritten } = useWritten(kept)
  const [wrong, setWrong] = useState<{ facebookLink?: string; instagramLink?: string }>({})
  const { change, save, isPending, failure, forget } = useProfile()
  const company = useQuery({ ...myTenant, enabled: user.tenantId !== undefined }).data?.preferences
  const fallback = company?.primaryColor
    ? { primary: company.primaryColor, secondary: company.secondaryColor || ownBrand.secondary }
    : ownBrand
  const changes = changedOf(written, kept)
  const undo = () => {
    forgetWritten()
    setWrong({})
    forget()
  }
  const submit = () => {
    const links = { facebookLink: whole(kit.facebookLink), instagramLink: whole(kit.instagramLink) }
    const found = Object.fromEntries(
      Object.entries(links).flatMap(([name, address]) => (isLink(address) ? [] : [[name, messages.wrongLink]])),
    )
    setWrong(found)
    if (Object.keys(found).length === 0)
      void save({ preferences: { ...changes, ...changedOf(links, kept) } }, forgetWritten)
  }
  const link = (name: 'facebookLink' | 'instagramLink') => ({
    value: kit[name],
    onChange: (text: string) => {
      setWrong((before) => ({ ...before, [name]: undefined }))
      write({ [name]: text })
    },
    onBlur: () => write({ [name]: whole(kit[name]) }),
    error: wrong[name],
    isRequired: false,
    type: 'url' as const,
    inputMode: 'url' as const,
    maxLength: 500,
  })
  const logo = user.preferences?.logo
  return (
    <FormSection
      id="brand"
      title={messages.brand}
      text={messages.brandText}
      isChanged={Object.keys(changes).length > 0}
      isPending={isPending}
      failure={failure}
      onSave={submit}
      onUndo={undo}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-5 lg:grid-cols-[minmax(0,1fr)_auto]">
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-5">
          <PictureField
            label={messages.logo}
            hint={messages.logoHint}
            hasPicture={Boolean(logo)}
            preview={<LogoPlate address={logo} empty={messages.noLogo} />}
            onChoose={(file, onProgress) =>
              sendPicture(file, 'logo', ({ assetUrl }) => change({ preferences: { logo: assetUrl } }), onProgress)
            }
            onRemove={() => change({ preferences: { logo: '' } })}
          />
          <div className="grid gap-5 sm:grid-cols-2">
            <ColourField
              label={messages.primary}
              hint={messages.primaryHint}
              value={kit.primaryColor}
              start={fallback.primary.toLowerCase()}
              onChange={(primaryColor) => write({ primaryColor })}
            />
            <ColourField
              label={messages.secondary}
              hint={messages.secondaryHint}
              value={kit.secondaryColor}
              start={fallback.secondary.toLowerCase()}
              onChange={(secondaryColor) => write({ secondaryColor })}
            />
          </div>
          <div className="grid gap-5 sm:grid-cols-2">
            <TextField label={messages.facebook} placeholder="https://facebook.com/…" {...link('facebookLink')} />
            <TextField label={messages.instagram} placeholder="https://instagram.com/…" {...link('instagramLink')} />
          </div>
          <TextArea
            label={messages.bRoll}
            placeholder={messages.bRollPlaceholder}
            hint={messages.bRollHint}
            rows={2}
            value={kit.bRoll}
            onChange={(bRoll) => write({ bRoll })}
            maxLength={500}
            isRequired={false}
          />
          <Switch
            isSelected={kit.isFeedbackEnabled}
            onChange={(isFeedbackEnabled) => write({ isFeedbackEnabled })}
            hint={messages.feedbackHint}
          >
            {messages.feedback}
          </Switch>
        </div>
        <CaptionSample
          primary={kit.primaryColor}
          secondary={kit.secondaryColor}
          fallback={fallback}
          name={user.name}
          profession={user.profession ?? ''}
          logo={logo}
        />
      </div>
    </FormSection>
  )
}

/** A logo on a ground that neither dark nor light letters vanish on. */
export const LogoPlate = ({ address, empty }: { address: string | undefined; empty: string }) => (
  <span className="grid h-18 w-32 place-items-center overflow-hidden rounded-control border border-line bg-sunken p-2 text-center text-xs text-muted">
    {address ? (
      <img
        src={address}
        alt=""
        className="max-h-full max-w-full rounded-sm bg-[light-dark(transparent,#f6f7f9)] object-contain"
      />
    ) : (
      empty
    )}
  </span>
)

type Kit = {
  primaryColor: string
  secondaryColor: string
  facebookLink: string
  instagramLink: string
  bRoll: string
  isFeedbackEnabled: boolean
}

const keptOf = (given: Partial<Kit> | undefined): Kit => ({
  primaryColor: given?.primaryColor ?? '',
  secondaryColor: given?.secondaryColor ?? '',
  facebookLink: given?.facebookLink ?? '',
  instagramLink: given?.instagramLink ?? '',
  bRoll: given?.bRoll ?? '',
  isFeedbackEnabled: given?.isFeedbackEnabled ?? true,
})

const changedOf = (draft: Partial<Kit>, kept: Kit): Partial<Kit> =>
  Object.fromEntries(Object.entries(draft).filter(([key, value]) => value !== kept[key as keyof Kit]))

// People copy addresses without their beginning.
const whole = (text: string): string => {
  const trimmed = text.trim()
  return trimmed === '' || /^https?:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`
}

const isLink = (text: string): boolean => text === '' || /^https?:\/\/[^\s/]+\.[^\s]+$/i.test(text)
