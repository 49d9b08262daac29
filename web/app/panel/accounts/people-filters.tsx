import { X } from 'lucide-react'
import { personRoles } from '@clear-to-post/domain/roles'
import { useMay } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Select } from '../../ui/select.tsx'
import { messages } from './messages.ts'
import { orders, type PeopleSearch } from './search.ts'
import { useCompanies } from './use-people.ts'

/** What narrows and orders the list; all of it lives in the page’s address. */
export const PeopleFilters = ({
  search,
  onChange,
  onClear,
}: {
  search: PeopleSearch
  onChange: (part: Partial<PeopleSearch>) => void
  /** Absent where nothing is filtered. */
  onClear: (() => void) | undefined
}) => {
  const companies = useCompanies()
  const isAdmin = useMay('tenant.update')
  return (
    <div role="search" className="grid grid-cols-2 items-center gap-2 sm:flex sm:flex-wrap">
      <SearchField
        label={messages.search}
        value={search.q ?? ''}
        onChange={(q) => onChange({ q: q || undefined })}
        className="max-sm:col-span-2 sm:w-60"
      />
      <Select
        label={messages.role}
        hideLabel
        className="sm:w-40"
        value={search.role ?? all}
        options={[
          { value: all, label: messages.allRoles },
          ...personRoles.map((role) => ({ value: role, label: messages.roles[role] })),
        ]}
        onChange={(value) => onChange({ role: personRoles.find((role) => role === value) })}
      />
      {isAdmin && companies.length > 1 && (
        <Select
          label={messages.company}
          hideLabel
          className="sm:w-52"
          value={search.company ?? all}
          options={[
            { value: all, label: messages.allCompanies },
            ...companies.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={(value) => onChange({ company: value === all ? undefined : value })}
        />
      )}
      {isAdmin && (
        <Select
          label={messages.access}
          hideLabel
          className="sm:w-36"
          value={search.access ?? all}
          options={[
            { value: all, label: messages.allAccess },
            { value: 'active', label: messages.active },
            { value: 'disabled', label: messages.disabled },
          ]}
          onChange={(value) => onChange({ access: value === 'active' || value === 'disabled' ? value : undefined })}
        />
      )}
      <Select
        label={messages.order}
        hideLabel
        className="sm:w-40"
        value={search.order ?? 'name:asc'}
        options={orders.map((order) => ({ value: order, label: messages.orders[order] }))}
        onChange={(order) => onChange({ order: order === 'name:asc' ? undefined : order })}
      />
      {onClear && (
        <Button variant="quiet" icon={<X aria-hidden />} onPress={onClear}>
          {messages.clear}
        </Button>
      )}
    </div>
  )
}

const all = 'all'
