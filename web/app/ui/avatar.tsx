import { useState } from 'react'
import { cx } from './cx.ts'

/** The photo, or the first letter of the name. */
export const Avatar = ({
  name,
  photoUrl,
  className = 'size-8 text-sm',
}: {
  name: string
  photoUrl?: string | undefined
  /** Size and text size. */
  className?: string
}) => {
  const [broken, setBroken] = useState(false)
  return (
    <span
      aria-hidden
      className={cx(
        'grid shrink-0 place-items-center overflow-hidden rounded-full bg-primary-tint font-semibold text-primary-text uppercase select-none',
        className,
      )}
    >
      {photoUrl && !broken ? (
        <img src={photoUrl} alt="" className="size-full object-cover" onError={() => setBroken(true)} />
      ) : (
        [...name.trim()][0]
      )}
    </span>
  )
}
