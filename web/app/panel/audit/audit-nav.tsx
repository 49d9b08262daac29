import { paths } from '../../paths.ts'
import { useMay } from '../../session.ts'
import { useGivenUp } from '../jobs/use-given-up.ts'
import { RoomNav } from '../room-nav.tsx'
import { messages } from './messages.ts'

/** The log, and for whoever runs the service what it could not do. */
export const AuditNav = () => {
  const count = useGivenUp({ enabled: useMay('job.settle'), everyMs: 10_000 })
  return (
    <RoomNav
      room="audit"
      first={{ to: paths.audit, label: messages.title }}
      label={messages.pages}
      names={{ [paths.givenUp]: messages.givenUp(count) }}
    />
  )
}
