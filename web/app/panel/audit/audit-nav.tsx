import { useQuery } from '@tanstack/react-query'
import { jobs } from '@clear-to-post/contract/jobs'
import { query } from '../../api.ts'
import { paths } from '../../paths.ts'
import { useMay } from '../../session.ts'
import { PageNav } from '../page-nav.tsx'
import { messages } from './messages.ts'

/** The log, and for whoever runs the service what it could not do. */
export const AuditNav = () => {
  const settles = useMay('job.settle')
  const counts = useQuery({ ...query(jobs.counts, {}), enabled: settles, refetchInterval: 10_000 })
  const count = counts.data?.items.reduce((sum, one) => sum + one.count, 0) ?? 0
  const pages = [
    { to: paths.audit, label: messages.title },
    ...(settles ? [{ to: paths.givenUp, label: messages.givenUp(count) }] : []),
  ]
  return <PageNav label={messages.pages} pages={pages} />
}
