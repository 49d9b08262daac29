import { ToggleButton } from 'react-aria-components/ToggleButton'
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup'
import { boardViews, type BoardView } from './search.ts'
import { messages } from './messages.ts'

/** Board, list or calendar: views of the same data, so a choice and no tabs. */
export const ViewSwitch = ({ value, onChange }: { value: BoardView; onChange: (view: BoardView) => void }) => (
  <ToggleButtonGroup
    aria-label={messages.view}
    selectionMode="single"
    disallowEmptySelection
    selectedKeys={[value]}
    onSelectionChange={(keys) => {
      const chosen = boardViews.find((view) => keys.has(view))
      if (chosen) onChange(chosen)
    }}
    className="inline-flex rounded-[10px] bg-sunken p-0.5"
  >
    {boardViews.map((view) => (
      <ToggleButton
        key={view}
        id={view}
        className="touch h-8 rounded-lg border border-transparent px-3 text-muted hover:text-ink data-selected:border-line data-selected:bg-surface data-selected:font-medium data-selected:text-ink"
      >
        {messages.views[view]}
      </ToggleButton>
    ))}
  </ToggleButtonGroup>
)
