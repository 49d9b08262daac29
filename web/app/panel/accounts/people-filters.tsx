import { personRoles } from '@clear-to-post/domain/roles'
import { useMay } from '../../session.ts'
import { FilterSelect } from '../../ui/filter-bar.tsx'
import { Select } from '../../ui/select.tsx'
import { messages } from './messages.ts'
import { orders, type PeopleSearch } from './search.ts'
import { useChoosesCompany, useCompanies } from './use-people.ts'

/** What narrows and orders the list beside the words that are looked for; all of it lives in the page’s address. */
export const PeopleFilters = ({
  search,
  onChange,
}: {
  search: PeopleSearch
  onChange: (part: Partial<PeopleSearch>) => void
}) => {
  const companies = useCompanies()
  const choosesCompany = useChoosesCompany()
  const isAdmin = useMay('tenant.update')
  return (
    <>
      <FilterSelect
        label={messages.role}
        all={messages.allRoles}
        value={search.role}
        options={personRoles.map((role) => ({ value: role, label: messages.roles[role] }))}
        onChange={(role) => onChange({ role })}
      />
      {isAdmin && choosesCompany && (
        <FilterSelect
          label={messages.company}
          all={messages.allCompanies}
          value={search.company}
          options={companies.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(company) => onChange({ company })}
        />
      )}
      {isAdmin && (
        <FilterSelect
          label={messages.access}
          all={messages.allAccess}
          value={search.access}
          options={[
            { value: 'active', label: messages.active },
            { value: 'disabled', label: messages.disabled },
          ]}
          onChange={(access) => onChange({ access })}
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
    </>
  )
}
