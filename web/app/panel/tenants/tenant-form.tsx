import { useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { toast } from 'sonner'
import { Refusal } from '@clear-to-post/contract/errors'
import { tenants, type Tenant } from '@clear-to-post/contract/tenants'
import { keyOf, queryClient, send, useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { paths } from '../../paths.ts'
import { useMay } from '../../session.ts'
import { ColourField } from '../../ui/colour-field.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormCard, LongForm } from '../../ui/form-card.tsx'
import { NumberField } from '../../ui/number-field.tsx'
import { PictureField } from '../../ui/picture-field.tsx'
import { Switch } from '../../ui/switch.tsx'
import { toastUndo } from '../../ui/toast-undo.ts'
import { useWritten } from '../../ui/use-written.ts'
import { sendPicture } from '../assets/pictures.ts'
import { ownBrand } from '../brand/tokens.ts'
import { nmlsDigits } from '@clear-to-post/domain/licences'
import { TwoColumns } from '../two-columns.tsx'
import { BrandPreview } from './brand-preview.tsx'
import { LicenceFields } from './licence-fields.tsx'
import { messages } from './messages.ts'
import { PlanFields } from './plan-fields.tsx'
import { changesOf, formOf, type Form } from './tenant-data.ts'
import { TenantIcon } from './tenant-icon.tsx'

type Wrong = Partial<Record<'name' | 'inviteCode' | 'seats' | 'guidelinesUrl' | 'form', string>>

/** Everything an admin sets for a company. A company's own admin sets its branding, scripts and code; seats and billing are ours. */
export const TenantForm = ({ tenant, isNew }: { tenant: Tenant; isNew: boolean }) => {
  const isService = useMay('tenant.set-terms')
  const navigate = useNavigate()
  const kept = formOf(tenant)
  const [wrong, setWrong] = useState<Wrong>({})
  const { form, write, forget } = useWritten<Form>(kept)
  const changes = changesOf(form, kept, { isService })
  const isChanged = Object.keys(changes).length > 0

  const seen = (changed: Tenant) => {
    queryClient.setQueryData(keyOf(tenants.find, { params: { tenantId: changed.id } }), changed)
    void queryClient.invalidateQueries({ queryKey: ['tenants'] })
    // Which library its people read, and what they may do with it.
    void queryClient.invalidateQueries({ queryKey: ['prompts'] })
  }
  const failed = (error: Error) => setWrong(wrongOf(error))
  const update = useCall(tenants.update, {
    onSuccess: (changed) => {
      seen(changed)
      forget()
      // A code that was replaced is not known any more.
      if (form.inviteCode !== '') toast.success(messages.saved)
      else {
        const data = changesOf(kept, form, { isService })
        toastUndo(messages.saved, () => send(tenants.update, { body: { tenantId: changed.id, data } }).then(seen))
      }
    },
    onError: failed,
  })
  const create = useCall(tenants.create, {
    onSuccess: (made) => {
      seen(made)
      toast.success(messages.created(made.name))
      void navigate({ to: paths.tenant, params: { tenantId: made.id }, replace: true })
    },
    onError: failed,
  })
  const isPending = update.isPending || create.isPending

  const submit = () => {
    const found: Wrong = {
      ...(form.name.trim() === '' ? { name: messages.needName } : {}),
      ...(form.inviteCode === '' || /^[\w-]{6,40}$/.test(form.inviteCode) ? {} : { inviteCode: messages.wrongCode }),
      ...(form.guidelinesUrl === '' || /^https?:\/\/\S+\.\S+$/.test(form.guidelinesUrl)
        ? {}
        : { guidelinesUrl: messages.wrongLink }),
    }
    setWrong(found)
    // A number that is none is said at its field.
    if (Object.keys(found).length > 0 || nmlsDigits(form.nmlsNumber) === null) return
    if (isNew) create.mutate({ body: { ...changes, name: form.name.trim() } })
    else if (isChanged) update.mutate({ body: { tenantId: tenant.id, data: changes } })
  }
  const setPicture = async (field: 'logoUrl' | 'iconUrl', address: string) =>
    seen(await send(tenants.update, { body: { tenantId: tenant.id, data: { preferences: { [field]: address } } } }))
  const used = tenant.currentUsersSize ?? 0

  return (
    <LongForm
      isUnsaved={isChanged || isNew}
      isPending={isPending}
      failure={wrong.form}
      create={isNew && messages.createIt}
      onSave={submit}
      onUndo={() => {
        forget()
        setWrong({})
      }}
      className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,1fr)_26rem]"
      footClassName="order-3 -mx-4 md:-mx-6 md:px-6 lg:col-span-2"
    >
      <TwoColumns className="max-lg:contents">
        <>
          <FormCard id="company" title={messages.about}>
            <div className="grid gap-5 sm:grid-cols-2">
              <TextField
                label={messages.name}
                value={form.name}
                onChange={(name) => {
                  setWrong({})
                  write({ name })
                }}
                maxLength={120}
                error={wrong.name}
                autoComplete="off"
                autoFocus={isNew}
              />
              <TextField
                label={isNew ? messages.code : messages.newCode}
                hint={isNew ? messages.codeFresh : messages.codeHint}
                value={form.inviteCode}
                onChange={(inviteCode) => {
                  setWrong({})
                  write({ inviteCode: inviteCode.trim() })
                }}
                maxLength={40}
                error={wrong.inviteCode}
                isRequired={false}
                autoComplete="off"
                spellCheck="false"
                className="[&_input]:font-mono"
              />
            </div>
            {isService && (
              <div className="flex flex-wrap items-start gap-x-10 gap-y-5">
                <NumberField
                  label={messages.totalSeats}
                  hint={isNew ? undefined : messages.seatsHint(used)}
                  value={form.seats}
                  onChange={(seats) => {
                    setWrong({})
                    if (Number.isFinite(seats)) write({ seats })
                  }}
                  minValue={0}
                  maxValue={100_000}
                  error={wrong.seats}
                />
                <Switch
                  isSelected={form.isActive}
                  onChange={(isActive) => write({ isActive })}
                  hint={messages.isActiveHint}
                  className="min-w-56 flex-1 sm:pt-6"
                >
                  {messages.isActive}
                </Switch>
              </div>
            )}
          </FormCard>
          <FormCard id="look" title={messages.look} text={isNew ? messages.lookNew : messages.lookText}>
            {!isNew && (
              <div className="grid gap-5 sm:grid-cols-2 lg:grid-cols-1 min-[88rem]:grid-cols-2 wide:grid-cols-1">
                <PictureField
                  label={messages.logo}
                  hint={messages.logoHint}
                  hasPicture={tenant.preferences.logoUrl !== ''}
                  preview={<Plate address={tenant.preferences.logoUrl} />}
                  onChoose={(file, onProgress) =>
                    sendPicture(file, 'logo', ({ assetUrl }) => setPicture('logoUrl', assetUrl), onProgress)
                  }
                  onRemove={() => setPicture('logoUrl', '')}
                />
                <PictureField
                  label={messages.icon}
                  hint={messages.iconHint}
                  hasPicture={tenant.preferences.iconUrl !== ''}
                  preview={<TenantIcon tenant={tenant} />}
                  onChoose={(file, onProgress) =>
                    sendPicture(file, 'logo', ({ assetUrl }) => setPicture('iconUrl', assetUrl), onProgress)
                  }
                  onRemove={() => setPicture('iconUrl', '')}
                />
              </div>
            )}
            <div className="grid gap-5 sm:grid-cols-2">
              <ColourField
                label={messages.primary}
                hint={messages.primaryHint}
                value={form.primaryColor}
                start={ownBrand.primary}
                onChange={(primaryColor) => write({ primaryColor })}
              />
              <ColourField
                label={messages.secondary}
                hint={messages.secondaryHint}
                value={form.secondaryColor}
                start={ownBrand.secondary}
                onChange={(secondaryColor) => write({ secondaryColor })}
              />
            </div>
            <TextField
              label={messages.guidelines}
              hint={messages.guidelinesHint}
              placeholder="https://"
              type="url"
              inputMode="url"
              value={form.guidelinesUrl}
              onChange={(guidelinesUrl) => {
                setWrong({})
                write({ guidelinesUrl: guidelinesUrl.trim() })
              }}
              maxLength={500}
              error={wrong.guidelinesUrl}
              isRequired={false}
            />
          </FormCard>
        </>
        <>
          <LicenceFields form={form} onChange={write} />
          <FormCard id="work" title={messages.work} className="max-lg:order-2">
            <Switch
              isSelected={form.useOwnScripts}
              onChange={(useOwnScripts) => write({ useOwnScripts })}
              hint={messages.useOwnScriptsHint}
            >
              {messages.useOwnScripts}
            </Switch>
            <Switch
              isSelected={form.requireSecondFactor}
              onChange={(requireSecondFactor) => write({ requireSecondFactor })}
              hint={messages.requireSecondFactorHint}
            >
              {messages.requireSecondFactor}
            </Switch>
            <Switch
              isSelected={form.wantsThreePeople}
              onChange={(wantsThreePeople) => write({ wantsThreePeople })}
              hint={messages.threePeopleHint}
            >
              {messages.threePeople}
            </Switch>
            {isService && <PlanFields tenant={tenant} form={form} onChange={write} />}
          </FormCard>
        </>
      </TwoColumns>
      <div className="rounded-card border border-line bg-surface p-4 max-lg:order-1 md:p-5 lg:sticky lg:top-5">
        <BrandPreview
          brand={{ primary: form.primaryColor, secondary: form.secondaryColor }}
          tenant={{ name: form.name, preferences: tenant.preferences }}
        />
      </div>
    </LongForm>
  )
}

const Plate = ({ address }: { address: string }) => (
  <span className="grid h-14 w-28 place-items-center overflow-hidden rounded-control border border-line bg-[light-dark(var(--color-surface),#f6f7f9)] p-2 text-xs text-muted">
    {address ? (
      <img src={address} alt="" className="max-h-full max-w-full object-contain" />
    ) : (
      <span className="text-[light-dark(var(--color-muted),#566074)]">{messages.noPicture}</span>
    )}
  </span>
)

/** The service's words at the field they speak of. */
const wrongOf = (error: unknown): Wrong => {
  const words = failureWords(error)
  switch (error instanceof Refusal ? error.code : '') {
    case 'tenant.code-taken':
      return { inviteCode: words, form: words }
    case 'tenant.too-few-seats':
      return { seats: words, form: words }
    default:
      return { form: words }
  }
}
