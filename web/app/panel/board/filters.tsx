import { useQuery } from '@tanstack/react-query'
import { statuses, statusValues } from '@clear-to-post/domain/workflow'
import { FilterBar, FilterSelect } from '../../ui/filter-bar.tsx'
import { editorsQuery, useChoosesCompany, useCompanies } from '../accounts/use-people.ts'
import { ViewsMenu } from '../views/views-menu.tsx'
import { messages } from './messages.ts'
import { ordersOf, type BoardSearch } from './search.ts'

/** Title or officer, status, editor, company; of the list its order. All of it lives in the address. */
export const BoardFilters = ({
  search,
  isList,
  onChange,
  onClear,
}: {
  search: BoardSearch
  /** Board and calendar have orders of their own. */
  isList: boolean
  onChange: (part: Partial<BoardSearch>) => void
  /** Absent where nothing is filtered. */
  onClear: (() => void) | undefined
}) => {
  const editors = useQuery(editorsQuery)
  const companies = useCompanies()
  const choosesCompany = useChoosesCompany()
  return (
    <FilterBar
      search={messages.search}
      words={search.q}
      onWords={(q) => onChange({ q })}
      clear={messages.clear}
      onClear={onClear}
    >
      <FilterSelect
        label={messages.status}
        all={messages.allStatuses}
        value={search.status === undefined ? undefined : String(search.status)}
        options={statusValues.map((status) => ({ value: String(status), label: statuses[status] }))}
        onChange={(chosen) => onChange({ status: statusValues.find((status) => String(status) === chosen) })}
      />
      <FilterSelect
        label={messages.editor}
        all={messages.allEditors}
        value={search.editor}
        options={(editors.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(editor) => onChange({ editor })}
      />
      {choosesCompany && (
        <FilterSelect
          label={messages.company}
          all={messages.allCompanies}
          value={search.tenant}
          options={companies.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(tenant) => onChange({ tenant })}
        />
      )}
      {isList && (
        <FilterSelect
          label={messages.order}
          all={messages.ownOrder(search.status)}
          value={search.order}
          options={ordersOf(search.status).map((order) => ({ value: order, label: messages.orders[order] }))}
          onChange={(order) => onChange({ order })}
        />
      )}
      <ViewsMenu search={search} />
    </FilterBar>
  )
}
