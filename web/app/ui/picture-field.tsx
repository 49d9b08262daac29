import { useState, type ReactNode } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { ImageUp, Trash2 } from 'lucide-react'
import { failureWords } from '../failures.ts'
import { Button } from './button.tsx'
import { Progress } from './progress.tsx'
import { labelLook } from './fields.tsx'
import { messages } from './messages.ts'

/** A picture that is kept as soon as it is chosen. `onChoose` reports 0 to 1 and throws what went wrong. */
export const PictureField = ({
  label,
  hint,
  preview,
  hasPicture,
  onChoose,
  onRemove,
}: {
  label: string
  hint?: ReactNode
  /** What stands there now, also when it is nothing. */
  preview: ReactNode
  hasPicture: boolean
  onChoose: (file: File, onProgress: (part: number | null) => void) => Promise<void>
  onRemove: () => Promise<void>
}) => {
  const [part, setPart] = useState<number | null | undefined>()
  const [error, setError] = useState<string>()
  const work = async (job: () => Promise<void>) => {
    setError(undefined)
    setPart(null)
    try {
      await job()
    } catch (reason) {
      setError(failureWords(reason))
    } finally {
      setPart(undefined)
    }
  }
  const isWorking = part !== undefined
  return (
    <div role="group" aria-label={label} className="flex flex-wrap items-center gap-x-4 gap-y-3">
      {preview}
      <div className="grid min-w-40 flex-1 gap-1.5">
        <p className={labelLook}>{label}</p>
        {isWorking ? (
          <Progress label={messages.sending} value={part} className="max-w-56" />
        ) : (
          <div className="flex flex-wrap gap-2">
            <FileTrigger
              acceptedFileTypes={['image/png', 'image/jpeg', 'image/webp', 'image/*']}
              onSelect={(files) => {
                const file = files?.[0]
                if (file) void work(() => onChoose(file, setPart))
              }}
            >
              <Button size="small" icon={<ImageUp aria-hidden />}>
                {hasPicture ? messages.changePicture : messages.choosePicture}
              </Button>
            </FileTrigger>
            {hasPicture && (
              <Button
                size="small"
                variant="quiet"
                icon={<Trash2 aria-hidden />}
                aria-label={messages.removeNamed(label)}
                onPress={() => void work(onRemove)}
              >
                {messages.remove}
              </Button>
            )}
          </div>
        )}
        {error !== undefined ? (
          <p role="alert" className="text-[0.8125rem] text-danger">
            {error}
          </p>
        ) : (
          hint !== undefined && <p className="text-[0.8125rem] text-muted">{hint}</p>
        )}
      </div>
    </div>
  )
}
