import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, RotateCw } from 'lucide-react'
import { accounts, type DataExport } from '@clear-to-post/contract/accounts'
import { security } from '@clear-to-post/contract/security'
import { keyOf, query, send } from '../../api.ts'
import { dayWords, sizeWords } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Awaiting } from '../../ui/states.tsx'
import { messages } from './messages.ts'
import { Section } from './section.tsx'
import { useProof } from './use-proof.tsx'

/** Everything that the service knows about who is signed in, as a file of theirs. */
export const DataCard = () => {
  const client = useQueryClient()
  const found = useQuery({
    ...query(accounts.dataExport, {}),
    // A job makes it; its end is told as a notification, too.
    refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? 3000 : false),
  })
  const signIn = useQuery(query(security.read, {}))
  const { prove, dialog } = useProof(signIn.data?.hasPassword ?? true)
  const body = (password?: string) => ({ body: password === undefined ? {} : { password } })
  const make = () =>
    void prove(async (password) => {
      const made = await send(accounts.startExport, body(password))
      client.setQueryData<DataExport>(keyOf(accounts.dataExport, {}), made)
    })
  const fetchIt = () =>
    void prove(async (password) => {
      const { url } = await send(accounts.openExport, body(password))
      location.assign(url)
    })
  return (
    <Section id="data" title={messages.data} text={messages.dataText}>
      {found.data === undefined ? (
        <Awaiting answer={found} failed={messages.dataError}>
          <div className="h-9 w-44 rounded-control bg-sunken" />
        </Awaiting>
      ) : (
        <div className="grid justify-items-start gap-3" aria-live="polite">
          {found.data.state === 'waiting' && <p>{messages.dataWaiting}</p>}
          {found.data.state === 'failed' && <Problem>{messages.dataFailed}</Problem>}
          {found.data.state === 'ready' ? (
            <>
              <p>{messages.dataReady(sizeWords(found.data.bytes ?? 0), dayWords(found.data.endsAt!))}</p>
              <div className="flex flex-wrap gap-2">
                <Button variant="primary" icon={<Download aria-hidden />} onPress={fetchIt}>
                  {messages.dataFetch}
                </Button>
                <Button variant="quiet" icon={<RotateCw aria-hidden />} onPress={make}>
                  {messages.dataAgain}
                </Button>
              </div>
            </>
          ) : (
            <Button icon={<Download aria-hidden />} isPending={found.data.state === 'waiting'} onPress={make}>
              {messages.dataMake}
            </Button>
          )}
        </div>
      )}
      {dialog}
    </Section>
  )
}
