import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, RotateCw } from 'lucide-react'
import { accounts, type DataExport } from '@clear-to-post/contract/accounts'
import { keyOf, query, useCall } from '../../api.ts'
import { dayWords, sizeWords } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { messages } from './messages.ts'
import { Section } from './section.tsx'

/** Everything that the service knows about who is signed in, as a file of theirs. */
export const DataCard = () => {
  const client = useQueryClient()
  const found = useQuery({
    ...query(accounts.dataExport, {}),
    // A job makes it; its end is told as a notification, too.
    refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? 3000 : false),
  })
  const { mutate: start } = useCall(accounts.startExport, {
    onSuccess: (made) => client.setQueryData<DataExport>(keyOf(accounts.dataExport, {}), made),
    onError: toastFailure,
  })
  const { mutate: open } = useCall(accounts.openExport, {
    onSuccess: ({ url }) => location.assign(url),
    onError: toastFailure,
  })
  return (
    <Section id="data" title={messages.data} text={messages.dataText}>
      <Loaded answer={found} failed={messages.dataError} loading={<Skeleton className="h-9 w-44" />}>
        {(data) => (
          <div className="grid justify-items-start gap-3" aria-live="polite">
            {data.state === 'waiting' && <p>{messages.dataWaiting}</p>}
            {data.state === 'failed' && <Problem>{messages.dataFailed}</Problem>}
            {data.state === 'ready' ? (
              <>
                <p>{messages.dataReady(sizeWords(data.bytes ?? 0), dayWords(data.endsAt!))}</p>
                <div className="flex flex-wrap gap-2">
                  <Button variant="primary" icon={<Download aria-hidden />} onPress={() => open({})}>
                    {messages.dataFetch}
                  </Button>
                  <Button variant="quiet" icon={<RotateCw aria-hidden />} onPress={() => start({})}>
                    {messages.dataAgain}
                  </Button>
                </div>
              </>
            ) : (
              <Button icon={<Download aria-hidden />} isPending={data.state === 'waiting'} onPress={() => start({})}>
                {messages.dataMake}
              </Button>
            )}
          </div>
        )}
      </Loaded>
    </Section>
  )
}
