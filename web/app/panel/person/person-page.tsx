import { useState } from 'react'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { CreditCard, Pencil, SquarePlus } from 'lucide-react'
import { accounts, type Person } from '@clear-to-post/contract/accounts'
import { hasDuty } from '@clear-to-post/domain/roles'
import { query } from '../../api.ts'
import { paths } from '../../paths.ts'
import { useMay } from '../../session.ts'
import { dayWords } from '../../times.ts'
import { ActionMenu } from '../../ui/action-menu.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Badge } from '../../ui/status-chip.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { messages as people } from '../accounts/messages.ts'
import { PersonDialog } from '../accounts/person-dialog.tsx'
import { DetailPage } from '../detail-page.tsx'
import { TwoColumns } from '../two-columns.tsx'
import { Notes } from '../notes/notes.tsx'
import { Card, Facts } from './card.tsx'
import { messages } from './messages.ts'
import { InvitationsCard, KeysCard, WaysInCard } from './access-cards.tsx'
import { EventsCard } from './events-card.tsx'
import { PlanCard } from './plan-card.tsx'
import { VideosCard } from './videos-card.tsx'

const route = getRouteApi('/panel/people/$personId')

/** Everything about one person in one place, as far as the reader may see it, and what can be done. */
export const PersonPage = () => {
  const { personId } = route.useParams()
  const found = useQuery(query(accounts.person, { params: { userId: personId } }))
  return (
    <DetailPage
      title={found.data?.name ?? messages.one}
      back={{ to: paths.people, label: messages.back }}
      beside={(person) => (
        <span className="flex flex-wrap gap-2">
          <Badge>{people.roles[person.role]}</Badge>
          {person.isDisabled && <Badge tone="danger">{people.disabled}</Badge>}
        </span>
      )}
      actions={(person) => <Actions person={person} />}
      found={found}
      missing={{ title: messages.missingTitle, text: messages.missingText, toList: messages.toList }}
      failed={messages.failed}
      loading={
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_24rem]">
          <div className="grid gap-5">
            <Skeleton className="h-72 rounded-card" />
            <Skeleton className="h-60 rounded-card" />
          </div>
          <div className="grid gap-5">
            <Skeleton className="h-64 rounded-card" />
            <Skeleton className="h-48 rounded-card" />
          </div>
        </div>
      }
    >
      {(person) => person && <Parts key={person.id} person={person} />}
    </DetailPage>
  )
}

const Parts = ({ person }: { person: Person }) => {
  const readsPlans = useMay('subscription.read')
  const readsNotes = useMay('note.read')
  const seesKeys = useMay('api-key.list')
  const invites = useMay('user.invite')
  const isAdmin = useMay('tenant.update')
  const isOfficer = hasDuty(person.role, 'film')
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,1fr)_24rem] wide:grid-cols-[minmax(0,1fr)_28rem]">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 max-lg:order-2">
        <VideosCard person={person} />
        <TwoColumns>
          {isOfficer && readsNotes && (
            <Card id="notes" title={messages.notes}>
              <Notes userId={person.id} name={person.name} />
            </Card>
          )}
          {isAdmin && <EventsCard person={person} />}
        </TwoColumns>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 max-lg:contents">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5 max-lg:order-1">
          <About person={person} />
          {isOfficer && readsPlans && <PlanCard person={person} />}
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5 max-lg:order-3">
          {isAdmin && <WaysInCard person={person} />}
          {seesKeys && <KeysCard person={person} />}
          {invites && <InvitationsCard person={person} />}
        </div>
      </div>
    </div>
  )
}

const About = ({ person }: { person: Person }) => {
  const readsCompanies = useMay('tenant.list')
  const { tenantId = '', tenantName, licenceStates = [] } = person
  const company =
    tenantName === undefined ? (
      hasDuty(person.role, 'serve') ? (
        messages.wholeService
      ) : (
        messages.noCompany
      )
    ) : readsCompanies ? (
      <Link to={paths.tenant} params={{ tenantId }} className="underline underline-offset-2">
        {tenantName}
      </Link>
    ) : (
      tenantName
    )
  return (
    <Card id="about" title={messages.about}>
      <div className="flex items-center gap-3">
        <Avatar name={person.name} photoUrl={person.photoUrl} className="size-12 text-lg" />
        <div className="min-w-0">
          <p className="font-medium [overflow-wrap:anywhere]">{person.name}</p>
          {person.profession && <p className="text-muted [overflow-wrap:anywhere]">{person.profession}</p>}
        </div>
      </div>
      <Facts
        of={[
          [
            messages.email,
            <>
              {person.email}
              {!person.isEmailVerified && <span className="text-warn"> ({messages.unconfirmed})</span>}
            </>,
          ],
          [messages.company, company],
          [messages.editor, person.editorName],
          [
            messages.licence,
            [person.nmlsNumber ? messages.nmls(person.nmlsNumber) : '', licenceStates.join(', ')]
              .filter(Boolean)
              .join(' · '),
          ],
          [messages.timezone, person.timezone?.replaceAll('_', ' ')],
          [messages.since, dayWords(person.createdAt)],
        ]}
      />
    </Card>
  )
}

const Actions = ({ person }: { person: Person }) => {
  const navigate = useNavigate()
  const [isChanging, setChanging] = useState(false)
  const changes = useMay('tenant.update')
  const sendsForOthers = useMay('project.create-for')
  const readsPlans = useMay('subscription.read')
  const isOfficer = hasDuty(person.role, 'film')
  const actions = [
    ...(isOfficer && sendsForOthers
      ? [
          {
            label: messages.newVideo,
            icon: SquarePlus,
            onAction: () => void navigate({ to: paths.newVideo, search: { for: person.id } }),
          },
        ]
      : []),
    ...(isOfficer && readsPlans
      ? [
          {
            label: messages.plan,
            icon: CreditCard,
            onAction: () => void navigate({ to: paths.plan, search: { person: person.id } }),
          },
        ]
      : []),
  ]
  return (
    <>
      {changes && (
        <Button icon={<Pencil aria-hidden />} onPress={() => setChanging(true)}>
          {messages.change}
        </Button>
      )}
      {actions.length > 0 && <ActionMenu label={messages.actionsOf(person.name)} actions={actions} />}
      {isChanging && <PersonDialog person={person} onClose={() => setChanging(false)} />}
    </>
  )
}
