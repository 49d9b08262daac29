import { FileTrigger } from 'react-aria-components/FileTrigger'
import { useNavigate } from '@tanstack/react-router'
import { RotateCcw, Video } from 'lucide-react'
import { paths } from '../../paths.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { startUpload } from '../assets/uploads.ts'
import { useHeadingFocus } from '../use-heading-focus.ts'
import { RecordOnPhone } from '../projects/record-on-phone.tsx'
import { messages } from './messages.ts'

/** Why there is no camera here, and what to do instead. */
export const CameraFailed = ({
  failure,
  isSound,
  canHandOver,
  onAgain,
  onCameraAlone,
}: {
  failure: keyof typeof messages.failures
  /** A voice alone was to be recorded. */
  isSound: boolean
  /** The service answers, so another device can be signed in. */
  canHandOver: boolean
  onAgain: () => void
  onCameraAlone: () => void
}) => {
  const navigate = useNavigate()
  const heading = useHeadingFocus()
  const { title, text } =
    isSound && failure in messages.soundFailures
      ? messages.soundFailures[failure as keyof typeof messages.soundFailures]
      : messages.failures[failure]
  return (
    <div className="mx-auto grid max-w-md flex-1 content-center justify-items-center gap-4 px-6 py-10 text-center">
      <h2 ref={heading} tabIndex={-1} className="text-xl outline-none">
        {title}
      </h2>
      <p role="alert" className="text-muted-on-night">
        {text}
      </p>
      <div className="flex flex-wrap justify-center gap-2">
        <Button variant="primary" icon={<RotateCcw aria-hidden />} onPress={onAgain}>
          {messages.tryAgain}
        </Button>
        {failure === 'unshared' && <Button onPress={onCameraAlone}>{messages.cameraAlone}</Button>}
        {canHandOver && failure !== 'unshared' && <RecordOnPhone />}
        {/* Opens the camera on phones and tablets; elsewhere it would only be a second file dialog. */}
        <span className="hidden pointer-coarse:block">
          <FileTrigger
            acceptedFileTypes={['video/*']}
            defaultCamera="user"
            onSelect={(files) => {
              for (const file of files ?? []) startUpload(file)
              if (files?.length) void navigate({ to: paths.newVideo })
            }}
          >
            <Button icon={<Video aria-hidden />}>{messages.ownCamera}</Button>
          </FileTrigger>
        </span>
        <LinkButton to={paths.newVideo}>{messages.chooseFile}</LinkButton>
      </div>
    </div>
  )
}
