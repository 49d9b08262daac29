import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { accounts } from '@clear-to-post/contract/accounts'
import { duties } from '@clear-to-post/domain/roles'
import { query } from '../../api.ts'
import { paths } from '../../paths.ts'
import { ComboBox } from '../../ui/combo-box.tsx'
import { messages } from './new-video-messages.ts'

const film = `role:in:${duties.film.join(',')}`

/** For whom an ADMIN sends a video in: one of the first hundred officers by name, or who was chosen in the list of people. */
export const OfficerField = ({
  value,
  error,
  onChange,
}: {
  value: string | null
  error: string | undefined
  onChange: (officerId: string) => void
}) => {
  const asked = { perPage: 100, orderBy: 'name:asc' }
  const list = useQuery(query(accounts.search, { query: { ...asked, wheres: [film, 'isDisabled:eq:false'] } }))
  const chosen = useQuery({
    ...query(accounts.search, { query: { perPage: 1, wheres: [film, `id:eq:${value}`] } }),
    enabled: value !== null,
  })
  const isKnown = list.data !== undefined && (value === null || !chosen.isPending)
  const officers = new Map([...(chosen.data?.items ?? []), ...(list.data?.items ?? [])].map((one) => [one.id, one]))
  const field = (
    <ComboBox
      label={messages.officer}
      value={value}
      error={error}
      options={[...officers.values()].map(({ id, name, email }) => ({ value: id, label: name, detail: email }))}
      onChange={onChange}
      hint={
        <>
          {messages.officerHint}{' '}
          <Link to={paths.people} className="underline underline-offset-2">
            {messages.toPeople}
          </Link>
        </>
      }
    />
  )
  if (isKnown) return field
  // Its own shape, so that what stands below it stays where it is.
  return (
    <div inert className="skeleton">
      <div className="invisible">{field}</div>
    </div>
  )
}
