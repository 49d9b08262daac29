import { lazy, Suspense } from 'react'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { labelLook } from '../../ui/fields.tsx'
import { NumberField } from '../../ui/number-field.tsx'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import type { Device } from '../../recorder/camera.ts'
import { subjects, type Subject } from '../../recorder/format.ts'
import { canJoinScreen } from '../../recorder/screen-camera.ts'
import { messages } from './messages.ts'
import { pace, type Settings } from './settings.ts'
import type { Camera } from './use-camera.ts'

/** Which camera and microphone, and how the words run. */
export const SettingsSheet = ({
  settings,
  change,
  camera,
  canLink,
  isLinked,
  onDevice,
  onSubject,
  onClose,
}: {
  settings: Settings
  change: (part: Partial<Settings>) => void
  camera: Camera
  /** The service can be reached, which carries what two devices tell each other. */
  canLink: boolean
  /** One shows the words. */
  isLinked: boolean
  onDevice: (ids: { camera?: string; microphone?: string }) => void
  onSubject: (subject: Subject) => void
  onClose: () => void
}) => (
  <Dialog
    title={messages.settings}
    isOpen
    onOpenChange={(isOpen) => !isOpen && onClose()}
    actions={(close) => (
      <Button variant="primary" onPress={close}>
        {messages.doneSettings}
      </Button>
    )}
  >
    <div className="grid grid-cols-1 gap-4">
      <div className="grid justify-items-start gap-1.5">
        <span className={labelLook}>{messages.subject}</span>
        <Choice
          label={messages.subject}
          value={settings.subject}
          onChange={(subject) => {
            change({ subject })
            onSubject(subject)
          }}
          options={subjects
            .filter((key) => key !== 'screen' || canJoinScreen())
            .map((key) => ({ key, label: messages.subjects[key] }))}
        />
      </div>
      {camera.state === 'open' && (
        <>
          {settings.subject !== 'sound' && (
            <DeviceField
              label={messages.camera}
              devices={camera.devices.cameras}
              name={camera.camera}
              onChoose={(device) => {
                change({ camera: device.name })
                onDevice({ camera: device.id })
              }}
            />
          )}
          <DeviceField
            label={messages.microphone}
            devices={camera.devices.microphones}
            name={camera.microphone}
            onChoose={(device) => {
              change({ microphone: device.name })
              onDevice({ microphone: device.id })
            }}
          />
        </>
      )}
      <div className="grid justify-items-start gap-1.5">
        <span className={labelLook}>{messages.pace}</span>
        <Choice
          label={messages.pace}
          value={settings.mode}
          onChange={(mode) => change({ mode })}
          options={(['voice', 'steady'] as const).map((key) => ({ key, label: messages.modes[key] }))}
        />
      </div>
      <NumberField
        label={messages.wordsAMinute}
        value={settings.wordsAMinute}
        onChange={(wordsAMinute) => Number.isFinite(wordsAMinute) && change({ wordsAMinute })}
        minValue={pace.least}
        maxValue={pace.most}
        step={pace.step}
        hint={messages.wordsAMinuteHint}
      />
      <div className="grid justify-items-start gap-1.5">
        <span className={labelLook}>{messages.size}</span>
        <Choice
          label={messages.size}
          value={settings.size}
          onChange={(size) => change({ size })}
          options={(['small', 'medium', 'large'] as const).map((key) => ({ key, label: messages.sizes[key] }))}
        />
      </div>
      <div className="grid justify-items-start gap-1.5">
        <span className={labelLook}>{messages.width}</span>
        <Choice
          label={messages.width}
          value={settings.width}
          onChange={(width) => change({ width })}
          options={(['narrow', 'wide'] as const).map((key) => ({ key, label: messages.widths[key] }))}
        />
      </div>
      <Switch isSelected={settings.isHandsFree} onChange={(isHandsFree) => change({ isHandsFree })}>
        {messages.handsFree}
      </Switch>
      <Switch isSelected={settings.isMirrored} onChange={(isMirrored) => change({ isMirrored })}>
        {messages.mirror}
      </Switch>
      <section aria-labelledby="other-device" className="grid justify-items-start gap-2 border-t border-line pt-4">
        <h3 id="other-device" className={`${labelLook} font-sans tracking-normal`}>
          {messages.otherDevice}
        </h3>
        <p className="text-[0.8125rem] text-muted">
          {!canLink ? messages.otherDeviceAway : isLinked ? messages.otherDeviceIsThere : messages.otherDeviceText}
        </p>
        {canLink && (
          <Suspense>
            <HandOverCode next={paths.recordWords} />
          </Suspense>
        )}
      </section>
      <p className="hidden text-[0.8125rem] text-muted pointer-fine:block">{messages.keys}</p>
    </div>
  </Dialog>
)

const HandOverCode = lazy(() =>
  import('../profile/hand-over-card.tsx').then((module) => ({ default: module.HandOverCode })),
)

const DeviceField = ({
  label,
  devices,
  name,
  onChoose,
}: {
  label: string
  devices: readonly Device[]
  name: string
  onChoose: (device: Device) => void
}) => (
  <Select
    label={label}
    value={devices.find((one) => one.name === name)?.id ?? null}
    onChange={(id) => {
      const device = devices.find((one) => one.id === id)
      if (device) onChoose(device)
    }}
    options={devices.map((one) => ({ value: one.id, label: one.name }))}
  />
)
