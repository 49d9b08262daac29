import { useEffect, useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Link2, Unlink } from 'lucide-react'
import { toast } from 'sonner'
import { publishing, type Connection } from '@clear-to-post/contract/publishing'
import { networks, type Network } from '@clear-to-post/domain/networks'
import { query, useCall } from '../../api.ts'
import { fullWords } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { PeopleLoading } from '../../ui/listed.tsx'
import { Badge } from '../../ui/status-chip.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { ListPage } from '../list-page.tsx'
import { messages } from './messages.ts'

const route = getRouteApi('/panel/connections')

/** A person's own accounts at networks, each with its health, and the way to connect another one. */
export const ConnectionsPage = () => {
  const answer = useQuery(query(publishing.connections, {}))
  const isFinishing = useReturn()
  const connect = useCall(publishing.connect, {
    onSuccess: ({ address }) => location.assign(address),
    onError: toastFailure,
  })
  const go = (network: Network) => connect.mutate({ body: { network } })
  return (
    <ListPage
      words={messages}
      icon={Link2}
      list={{ ...answer, items: answer.data?.networks }}
      loading={<PeopleLoading count={4} />}
      className="mx-auto gap-4 py-4"
    >
      {(offered) => (
        <>
          {isFinishing && <p role="status">{messages.finishing}</p>}
          <ul className="grid gap-3 md:grid-cols-2">
            {offered.map(({ network, name, isStandIn }) => {
              const mine = answer.data!.items.filter((one) => one.network === network)
              return (
                <li key={network} className="grid content-start gap-3 rounded-card border border-line bg-surface p-4">
                  <div className="flex flex-wrap items-center gap-2">
                    <h2 className="mr-auto text-base font-bold">{name}</h2>
                    {isStandIn && <Badge>{messages.sandbox}</Badge>}
                  </div>
                  {mine.map((one) => (
                    <Account key={one.id} connection={one} onConnect={() => go(network)} />
                  ))}
                  <div>
                    <Button icon={<Link2 aria-hidden />} isDisabled={connect.isPending} onPress={() => go(network)}>
                      {mine.length === 0 ? messages.connect(name) : messages.connectMore(name)}
                    </Button>
                  </div>
                </li>
              )
            })}
          </ul>
        </>
      )}
    </ListPage>
  )
}

const Account = ({ connection, onConnect }: { connection: Connection; onConnect: () => void }) => {
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const { id, name, network, state, endsAt } = connection
  const disconnect = useCall(publishing.disconnect, {
    onSuccess: ({ isRevoked }) => {
      setAsking(false)
      toast.success(isRevoked ? messages.disconnected : messages.disconnectedHere(networks[network].name))
      void client.invalidateQueries({ queryKey: ['connections'] })
    },
    onError: toastFailure,
  })
  const isActive = state === 'active'
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line pt-3">
      <div className="mr-auto min-w-0">
        <p className="font-medium [overflow-wrap:anywhere]">{name}</p>
        <p className="text-[0.8125rem] text-muted">{endsAt ? messages.ends(fullWords(endsAt)) : messages.lasts}</p>
      </div>
      <Badge tone={isActive ? 'good' : 'danger'}>{isActive ? messages.active : messages.needsSignIn}</Badge>
      {!isActive && (
        <Button size="small" variant="primary" onPress={onConnect}>
          {messages.connectAgain}
        </Button>
      )}
      <Button
        size="small"
        variant="quiet"
        icon={<Unlink aria-hidden />}
        aria-label={`${messages.disconnect}: ${messages.on(networks[network].name, name)}`}
        onPress={() => setAsking(true)}
      >
        {messages.disconnect}
      </Button>
      <Confirm
        title={messages.disconnectTitle(name)}
        text={messages.disconnectText}
        confirm={messages.disconnect}
        keep={messages.keep}
        isOpen={isAsking}
        onOpenChange={setAsking}
        isPending={disconnect.isPending}
        onConfirm={() => disconnect.mutate({ params: { connectionId: id } })}
      />
    </div>
  )
}

/** Ends the way to a network with what stands in the address, once; the address forgets it at once. */
const useReturn = (): boolean => {
  const client = useQueryClient()
  const { state, code, error } = route.useSearch()
  const navigate = route.useNavigate()
  const { mutate, isPending } = useCall(publishing.finishConnecting, {
    onSuccess: () => toast.success(messages.connected),
    onError: toastFailure,
    onSettled: () => void client.invalidateQueries({ queryKey: ['connections'] }),
  })
  useEffect(() => {
    if (state === undefined && error === undefined) return
    void navigate({ search: {}, replace: true })
    if (state !== undefined && code !== undefined) mutate({ body: { state, code } })
    else toast.info(messages.denied)
  }, [state, code, error, navigate, mutate])
  return isPending
}
