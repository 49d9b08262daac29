import { ScrollText } from 'lucide-react'
import { inkOn, isColour } from '@clear-to-post/edit/contrast'
import { cx } from '../../ui/cx.ts'
import type { Category } from './use-library.ts'

/** A category's picture on its colour; without one a scroll. */
export const CategoryPicture = ({
  category: { pictureUrl, backgroundColor },
  className = 'size-9',
}: {
  category: Pick<Category, 'pictureUrl' | 'backgroundColor'>
  className?: string
}) => (
  <span
    aria-hidden
    className={cx('grid shrink-0 place-items-center overflow-hidden rounded-lg bg-sunken', className)}
    style={isColour(backgroundColor) ? { background: backgroundColor, color: inkOn(backgroundColor) } : undefined}
  >
    {pictureUrl ? (
      <img src={pictureUrl} alt="" className="size-full object-cover" />
    ) : (
      <ScrollText className="size-1/2" />
    )}
  </span>
)
