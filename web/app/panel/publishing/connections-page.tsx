import { useEffect, useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Link2, Unlink, UsersRound } from 'lucide-react'
import { toast } from 'sonner'
import type { CallAnswer } from '@clear-to-post/contract/call'
import { publishing, type Connection } from '@clear-to-post/contract/publishing'
import { networks, type Network } from '@clear-to-post/domain/networks'
import { query, useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { useMay } from '../../session.ts'
import { fullWords } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { PeopleLoading } from '../../ui/listed.tsx'
import { Badge } from '../../ui/status-chip.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { ListPage } from '../list-page.tsx'
import { messages } from './messages.ts'
import { OfficersDialog } from './officers-dialog.tsx'

const route = getRouteApi('/panel/connections')

/**
 * Accounts at networks, a person's own or for a company's admin the company's, each with its health, and the way to connect another
 * one. Whoever films no longer finds those of before, and disconnects them.
 */
export const ConnectionsPage = () => {
  const answer = useQuery(query(publishing.connections, {}))
  const isCompanys = useMay('connection.share')
  const posts = useMay('post.write')
  const isFinishing = useReturn()
  const connect = useCall(publishing.connect, {
    onSuccess: ({ address }) => location.assign(address),
    onError: toastFailure,
  })
  const [asked, setAsked] = useState<Asked | null>(null)
  const go = (network: Network, account?: string) =>
    answer.data?.networks.find((one) => one.network === network)?.signIn === 'app-password'
      ? setAsked({ network, account })
      : connect.mutate({ body: { network } })
  const words = isCompanys
    ? { ...messages, text: messages.companyText }
    : posts
      ? messages
      : {
          ...messages,
          text: messages.formerText,
          emptyTitle: messages.formerEmptyTitle,
          emptyText: messages.formerEmptyText,
        }
  return (
    <ListPage
      words={words}
      icon={Link2}
      list={{ ...answer, items: answer.data && placesOf(answer.data) }}
      loading={<PeopleLoading count={4} />}
      className="mx-auto gap-4 py-4"
    >
      {(places) => (
        <>
          {isFinishing && <p role="status">{messages.finishing}</p>}
          <ul className="grid gap-3 md:grid-cols-2 wide:grid-cols-4">
            {connectedFirst(places, answer.data!.items).map(({ network, name, isStandIn, signIn, hasPages }) => {
              const mine = answer.data!.items.filter((one) => one.network === network)
              const isFirst = mine.every(({ actions }) => !actions?.includes('renew'))
              return (
                <li key={network} className="grid content-start gap-3 rounded-card border border-line bg-surface p-4">
                  <div className="flex flex-wrap items-center gap-2">
                    <h2 className="mr-auto text-base font-bold">{name}</h2>
                    {isStandIn && <Badge>{messages.sandbox}</Badge>}
                  </div>
                  {isCompanys && signIn !== undefined && (
                    <p className="text-[0.8125rem] text-muted">
                      {signIn === 'app-password'
                        ? messages.companyConnectsByPassword(name)
                        : hasPages
                          ? messages.companyConnectsPages(name)
                          : messages.companyConnects[networks[network].connects](name)}
                    </p>
                  )}
                  {mine.map((one) => (
                    <Account
                      key={one.id}
                      connection={one}
                      onConnect={signIn === undefined ? undefined : () => go(network, one.name)}
                    />
                  ))}
                  {signIn !== undefined && (
                    <div>
                      <Button icon={<Link2 aria-hidden />} isDisabled={connect.isPending} onPress={() => go(network)}>
                        {isFirst ? messages.connect(name) : messages.connectMore(name)}
                      </Button>
                    </div>
                  )}
                </li>
              )
            })}
          </ul>
          {asked && <AppPassword asked={asked} onClose={() => setAsked(null)} />}
        </>
      )}
    </ListPage>
  )
}

type Place = Omit<CallAnswer<typeof publishing.connections>['networks'][number], 'signIn'> & {
  /** Absent: nothing is connected there. */
  signIn?: 'browser' | 'app-password'
}

/** The networks where an account may be connected, and those where one still is. */
const placesOf = ({ networks: offered, items }: CallAnswer<typeof publishing.connections>): Place[] => [
  ...offered,
  ...items
    .filter(
      ({ network }, at) =>
        offered.every((one) => one.network !== network) && items.findIndex((one) => one.network === network) === at,
    )
    .map(({ network, isStandIn }) => ({ network, name: networks[network].name, isStandIn })),
]

/** Whoever comes back from a network sees the account without looking for it. */
const connectedFirst = <One extends { network: Network }>(
  offered: readonly One[],
  items: readonly Connection[],
): One[] => offered.toSorted((a, b) => countAt(items, b) - countAt(items, a))

const countAt = (items: readonly Connection[], { network }: { network: Network }): number =>
  Math.sign(items.filter((one) => one.network === network).length)

/** Which network's account is connected with a password that is made there; `account`: the one that is connected again. */
type Asked = { network: Network; account: string | undefined }

/** A name and a password that its owner made there for this app; it goes to the network once and is kept nowhere. */
const AppPassword = ({ asked, onClose }: { asked: Asked; onClose: () => void }) => {
  const client = useQueryClient()
  const { network, account = '' } = asked
  const [name, setName] = useState(account)
  const [password, setPassword] = useState('')
  const [server, setServer] = useState('')
  const [missing, setMissing] = useState<'name' | 'password'>()
  const { mutate, isPending, isError, error } = useCall(publishing.connectWithPassword, {
    onSuccess: () => {
      toast.success(messages.connected)
      void client.invalidateQueries({ queryKey: ['connections'] })
      onClose()
    },
  })
  const connect = () => {
    const account = name.trim().replace(/^@/, '')
    if (account === '') return setMissing('name')
    if (password.trim() === '') return setMissing('password')
    setMissing(undefined)
    const host = server.trim()
    const address = host === '' ? {} : { server: /^https?:/.test(host) ? host : `https://${host}` }
    mutate({ body: { network, name: account, password: password.trim(), ...address } })
  }
  return (
    <FormDialog
      title={messages.connect(networks[network].name)}
      submit={messages.connectNow}
      cancel={messages.cancel}
      problem={isError && failureWords(error)}
      isPending={isPending}
      onSubmit={connect}
      onClose={onClose}
    >
      <p className="text-muted">{messages.appPasswordText}</p>
      <TextField
        label={messages.accountName}
        hint={messages.accountNameHint}
        value={name}
        onChange={setName}
        error={missing === 'name' ? messages.needName : undefined}
        autoComplete="off"
        spellCheck="false"
        autoFocus
      />
      <TextField
        label={messages.appPassword}
        hint={messages.appPasswordHint}
        type="password"
        autoComplete="off"
        value={password}
        onChange={setPassword}
        error={missing === 'password' ? messages.needAppPassword : undefined}
      />
      <TextField
        label={messages.server}
        hint={messages.serverHint}
        inputMode="url"
        value={server}
        onChange={setServer}
      />
    </FormDialog>
  )
}

const Account = ({
  connection,
  onConnect,
}: {
  connection: Connection
  /** Absent: this network is not offered. */
  onConnect: (() => void) | undefined
}) => {
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const [isSharing, setSharing] = useState(false)
  const { id, name, network, state, endsAt, owner, kind, actions = [] } = connection
  const disconnect = useCall(publishing.disconnect, {
    onSuccess: ({ isRevoked }) => {
      setAsking(false)
      toast.success(isRevoked ? messages.disconnected : messages.disconnectedHere(networks[network].name))
      void client.invalidateQueries({ queryKey: ['connections'] })
    },
    onError: toastFailure,
  })
  const isActive = state === 'active'
  // The company's, as one of its officers sees it.
  const isOthers = owner === 'company' && !actions.includes('share')
  return (
    <div className="grid gap-2 border-t border-line pt-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="mr-auto min-w-0 font-medium [overflow-wrap:anywhere]">{name}</p>
        {isOthers && <Badge>{messages.companys}</Badge>}
        <Badge tone={isActive ? 'good' : 'danger'}>{isActive ? messages.active : messages.needsSignIn}</Badge>
      </div>
      <p className="text-[0.8125rem] text-muted">
        {isActive ? (endsAt ? messages.ends(fullWords(endsAt)) : messages.lasts) : messages.ended}
        {kind === 'page' && ` · ${messages.page}`}
        {kind !== 'page' &&
          owner === 'company' &&
          networks[network].connects === 'profile' &&
          ` · ${messages.personsProfile}`}
        {isOthers && ` · ${messages.companysHint}`}
      </p>
      {actions.length > 0 && (
        <div className="flex flex-wrap items-center gap-2">
          {onConnect && (!isActive || endsAt !== undefined) && actions.includes('renew') && (
            <Button
              size="small"
              variant={isActive ? 'secondary' : 'primary'}
              aria-label={`${messages.connectAgain}: ${messages.on(networks[network].name, name)}`}
              onPress={onConnect}
            >
              {messages.connectAgain}
            </Button>
          )}
          {actions.includes('share') && (
            <Button
              size="small"
              icon={<UsersRound aria-hidden />}
              aria-label={`${messages.officers}: ${messages.on(networks[network].name, name)}`}
              onPress={() => setSharing(true)}
            >
              {messages.officers}
            </Button>
          )}
          {isSharing && <OfficersDialog connection={connection} onClose={() => setSharing(false)} />}
          {actions.includes('disconnect') && (
            <Button
              size="small"
              variant="quiet"
              icon={<Unlink aria-hidden />}
              aria-label={`${messages.disconnect}: ${messages.on(networks[network].name, name)}`}
              onPress={() => setAsking(true)}
            >
              {messages.disconnect}
            </Button>
          )}
        </div>
      )}
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
  const isCompanys = useMay('connection.share')
  const { state, code, error } = route.useSearch()
  const navigate = route.useNavigate()
  const { mutate, isPending } = useCall(publishing.finishConnecting, {
    onSuccess: () => toast.success(isCompanys ? messages.companyConnected : messages.connected),
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
