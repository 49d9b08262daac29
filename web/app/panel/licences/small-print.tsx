import { nmlsDigits, smallPrint, type Licences } from '@clear-to-post/domain/licences'
import { messages } from './messages.ts'

/** The line under the name on a closing card, as it will stand; nothing where nothing is known. */
export const SmallPrint = (licences: Licences) => {
  const words = smallPrint(licences)
  return words === '' ? null : (
    <p className="rounded-control bg-sunken px-3 py-2 text-[0.8125rem]">
      <span className="text-muted">{messages.smallPrint}: </span>
      {words}
    </p>
  )
}

/** The digits of what is written, null where it is empty or no number. */
export const writtenNumber = (written: string): string | null => nmlsDigits(written) || null
