import { useMemo, useSyncExternalStore } from 'react'
import { followWays, forgetWays, notedWays, type Ways } from '../../security/after-reset.ts'
import { Button } from '../../ui/button.tsx'
import { messages } from './messages.ts'

/** After a new password by code: what still signs in, and what was taken away. */
export const ResetNotice = () => {
  const noted = useSyncExternalStore(followWays, () => JSON.stringify(notedWays()))
  const ways = useMemo(() => JSON.parse(noted) as Ways | null, [noted])
  if (ways === null) return null
  const takenAway = ways.removed.filter(({ kind }) => kind !== 'calendar')
  return (
    <div role="status" className="mb-4 grid gap-2 rounded-control bg-warn-tint px-3 py-2.5 text-warn">
      {ways.kept.length > 0 && (
        <>
          <p>{messages.stillSignIn}</p>
          <WayList ways={ways.kept} />
          <p>{messages.removeStranger}</p>
        </>
      )}
      {takenAway.length > 0 && (
        <>
          <p>{messages.takenAway}</p>
          <WayList ways={takenAway} />
          {takenAway.some(({ kind }) => kind === 'company') && <p>{messages.leftCompany}</p>}
        </>
      )}
      {takenAway.length < ways.removed.length && <p>{messages.linkEnded}</p>}
      <div>
        <Button size="small" onPress={forgetWays}>
          {messages.understood}
        </Button>
      </div>
    </div>
  )
}

const WayList = ({ ways }: { ways: Ways['removed'] }) => (
  <ul className="list-disc pl-5">
    {ways.map(({ kind, name }) => (
      <li key={kind + name} className="wrap-anywhere">
        {name}
      </li>
    ))}
  </ul>
)
