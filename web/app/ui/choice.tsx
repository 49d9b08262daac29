import type { ReactNode } from 'react'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup'
import { cx } from './cx.ts'

/** One of two or three beside each other: a view, a size. Icons and letters need `name` for who cannot see them. */
export const Choice = <Key extends string>({
  label,
  options,
  value,
  onChange,
  className,
}: {
  label: string
  options: readonly { key: Key; label: ReactNode; name?: string }[]
  value: Key
  onChange: (key: Key) => void
  className?: string
}) => (
  <ToggleButtonGroup
    aria-label={label}
    selectionMode="single"
    disallowEmptySelection
    selectedKeys={[value]}
    onSelectionChange={(keys) => {
      const chosen = options.find(({ key }) => keys.has(key))
      if (chosen) onChange(chosen.key)
    }}
    className={cx('inline-flex flex-wrap rounded-[10px] bg-sunken p-0.5', className)}
  >
    {options.map(({ key, label: words, name }) => (
      <ToggleButton
        key={key}
        id={key}
        {...(name ? { 'aria-label': name } : {})}
        className="touch inline-flex h-8 items-center justify-center rounded-lg border border-transparent px-3 text-muted hover:text-ink data-selected:border-line data-selected:bg-surface data-selected:font-medium data-selected:text-ink"
      >
        {words}
      </ToggleButton>
    ))}
  </ToggleButtonGroup>
)
