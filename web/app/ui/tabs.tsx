import type { ReactNode } from 'react'
import { Tab, TabList, TabPanel as AriaTabPanel, Tabs as AriaTabs } from 'react-aria-components/Tabs'
import { cx } from './cx.ts'
import { ScrollRow } from './scroll-row.tsx'

export type TabItem<Key extends string> = { key: Key; label: ReactNode; count?: number }

/**
 * Tabs with their panels: `<Tabs label items value onChange>{(key) => …}</Tabs>`. Keep `value` in the URL.
 * `look="switch"` is the segmented form for views of the same data (board, list, calendar).
 */
export const Tabs = <Key extends string>({
  label,
  items,
  value,
  onChange,
  children,
  look = 'line',
  className,
}: {
  label: string
  items: readonly TabItem<Key>[]
  value: Key
  onChange: (key: Key) => void
  children?: (key: Key) => ReactNode
  look?: 'line' | 'switch'
  className?: string
}) => (
  // The ring belongs to the tab or the field that has the focus, not to all of it.
  <AriaTabs
    selectedKey={value}
    onSelectionChange={(key) => onChange(key as Key)}
    className={cx('outline-none!', className)}
  >
    <Row look={look}>
      <TabList aria-label={label} className={lists[look]}>
        {items.map(({ key, label: words, count }) => (
          <Tab
            key={key}
            id={key}
            className={cx('touch flex cursor-pointer items-center justify-center gap-1.5', tabs[look])}
          >
            {words}
            {count !== undefined && <span className="figures text-muted">{count}</span>}
          </Tab>
        ))}
      </TabList>
    </Row>
    {children !== undefined &&
      items.map(({ key }) => (
        <AriaTabPanel key={key} id={key} className="rounded-md">
          {children(key)}
        </AriaTabPanel>
      ))}
  </AriaTabs>
)

// A switch is as short as its words; tabs may be more than a phone is wide.
const Row = ({ look, children }: { look: 'line' | 'switch'; children: ReactNode }) =>
  look === 'line' ? <ScrollRow>{children}</ScrollRow> : children

const lists = {
  line: 'flex w-max min-w-full gap-5 border-b border-line',
  switch: 'inline-flex rounded-[10px] bg-sunken p-0.5',
}
const tabs = {
  line: '-mb-px h-10 border-b-2 border-transparent whitespace-nowrap text-muted hover:text-ink data-selected:border-primary data-selected:font-medium data-selected:text-ink',
  switch:
    'h-8 rounded-lg border border-transparent px-3 text-muted hover:text-ink data-selected:border-line data-selected:bg-surface data-selected:font-medium data-selected:text-ink',
}
