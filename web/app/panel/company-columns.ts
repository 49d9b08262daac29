import { useQuery } from '@tanstack/react-query'
import { servesAll } from '@clear-to-post/domain/roles'
import { useMay, useUser } from '../session.ts'
import { companiesQuery } from './accounts/use-people.ts'

/** Columns of a table or of a file; those that name the company only for who serves several. */
export const useCompanyColumns = <Column extends { isCompany?: true } | false>(
  columns: readonly Column[],
): readonly Column[] => (useServesSeveral() ? columns : columns.filter((one) => one === false || !one.isCompany))

// Until it is known how many there are, who serves all serves several: no column comes later.
const useServesSeveral = (): boolean => {
  const { role, tenantId = null } = useUser()
  const mayServe = servesAll({ role, tenantId })
  const lists = useMay('tenant.list')
  const companies = useQuery({ ...companiesQuery, enabled: lists && mayServe }).data?.items
  return mayServe && (companies === undefined || companies.length > 1)
}
