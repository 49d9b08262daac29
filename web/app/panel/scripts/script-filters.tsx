import { SearchField } from '../../ui/search-field.tsx'
import { messages } from './messages.ts'
import { ScriptChips } from './script-chips.tsx'
import { ownKey, type ScriptsSearch } from './search.ts'
import { useLibrary } from './use-library.ts'

type FilterProps = { search: ScriptsSearch; onChange: (part: Partial<ScriptsSearch>) => void }

/** Words to look for, and one category at a time. */
export const ScriptFilters = ({ search: { q, category }, onChange }: FilterProps) => {
  const { library, own } = useLibrary()
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div role="search">
        <SearchField
          label={messages.search}
          value={q ?? ''}
          onChange={(words) => onChange({ q: words || undefined })}
          className="sm:w-72"
        />
      </div>
      {library.data && (
        <ScriptChips
          categories={library.data.categories}
          hasOwn={category === ownKey || (own.items?.length ?? 0) > 0}
          chosen={category}
          onChoose={(chosen) => onChange({ category: chosen })}
        />
      )}
    </div>
  )
}
