import { useEffect, useRef, type ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'
import { CategoryPicture } from './category-picture.tsx'
import { messages } from './messages.ts'
import { ownKey } from './search.ts'
import type { Category } from './use-library.ts'

/** One category at a time, or one's own scripts, or all. */
export const ScriptChips = ({
  categories,
  hasOwn,
  chosen,
  onChoose,
}: {
  categories: readonly Category[]
  hasOwn: boolean
  chosen: string | undefined
  onChoose: (category: string | undefined) => void
}) => (
  <div
    role="group"
    aria-label={messages.categories}
    className="-mx-4 flex gap-2 overflow-x-auto px-4 py-1 [scrollbar-width:none] md:mx-0 md:flex-wrap md:px-0"
  >
    <Chip isOn={chosen === undefined} onPress={() => onChoose(undefined)}>
      {messages.all}
    </Chip>
    {hasOwn && (
      <Chip isOn={chosen === ownKey} onPress={() => onChoose(ownKey)}>
        {messages.own}
      </Chip>
    )}
    {categories.map((category) => (
      <Chip key={category.id} isOn={chosen === category.id} onPress={() => onChoose(category.id)}>
        <CategoryPicture category={category} className="-ml-1.5 size-5 rounded-full!" />
        {category.title}
      </Chip>
    ))}
  </div>
)

const Chip = ({ isOn, onPress, children }: { isOn: boolean; onPress: () => void; children: ReactNode }) => {
  const ref = useRef<HTMLButtonElement>(null)
  // On a phone the chosen one may lie beyond the edge.
  useEffect(() => {
    if (isOn) ref.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [isOn])
  return (
    <button
      ref={ref}
      type="button"
      aria-pressed={isOn}
      onClick={onPress}
      className={cx(
        'touch inline-flex h-9 shrink-0 scroll-mx-4 items-center gap-2 rounded-full border px-3.5 whitespace-nowrap',
        isOn ? 'border-transparent bg-ink text-surface' : 'border-edge/60 bg-surface text-ink hover:bg-sunken',
      )}
    >
      {children}
    </button>
  )
}
