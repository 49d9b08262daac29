import {
  BellRing,
  Building2,
  CalendarDays,
  ChartColumn,
  ClipboardCheck,
  CreditCard,
  Columns3,
  Clapperboard,
  Film,
  Goal,
  History,
  LifeBuoy,
  Link2,
  ListChecks,
  Ruler,
  Palette,
  Scissors,
  ScrollText,
  SquarePlus,
  UsersRound,
  type LucideIcon,
} from 'lucide-react'
import type { Profile } from '@clear-to-post/contract/accounts'
import type { RoomName } from '@clear-to-post/domain/panel'
import { paths } from '../paths.ts'
import { messages } from './messages.ts'

type EntryPath =
  | 'panel'
  | 'newVideo'
  | 'work'
  | 'review'
  | 'board'
  | 'scripts'
  | 'clips'
  | 'goals'
  | 'people'
  | 'criteria'
  | 'rules'
  | 'reports'
  | 'tenants'
  | 'payments'
  | 'triggers'
  | 'audit'
  | 'support'
  | 'profile'
  | 'calendar'
  | 'connections'
  | 'plan'
export type Entry = { to: (typeof paths)[EntryPath]; label: string; icon: LucideIcon }

/** How each room stands in the navigation. */
const entries: Record<RoomName, Entry> = {
  videos: { to: paths.panel, label: messages.videos, icon: Clapperboard },
  newVideo: { to: paths.newVideo, label: messages.newVideo, icon: SquarePlus },
  work: { to: paths.work, label: messages.myWork, icon: Scissors },
  review: { to: paths.review, label: messages.review, icon: ClipboardCheck },
  board: { to: paths.board, label: messages.board, icon: Columns3 },
  scripts: { to: paths.scripts, label: messages.scripts, icon: ScrollText },
  clips: { to: paths.clips, label: messages.clips, icon: Film },
  goals: { to: paths.goals, label: messages.goals, icon: Goal },
  people: { to: paths.people, label: messages.people, icon: UsersRound },
  criteria: { to: paths.criteria, label: messages.criteria, icon: ListChecks },
  reports: { to: paths.reports, label: messages.reports, icon: ChartColumn },
  rules: { to: paths.rules, label: messages.rules, icon: Ruler },
  tenants: { to: paths.tenants, label: messages.tenants, icon: Building2 },
  payments: { to: paths.payments, label: messages.payments, icon: CreditCard },
  triggers: { to: paths.triggers, label: messages.triggers, icon: BellRing },
  audit: { to: paths.audit, label: messages.audit, icon: History },
  brandKit: { to: paths.profile, label: messages.brandKit, icon: Palette },
  calendar: { to: paths.calendar, label: messages.calendar, icon: CalendarDays },
  connections: { to: paths.connections, label: messages.connections, icon: Link2 },
  support: { to: paths.support, label: messages.support, icon: LifeBuoy },
  plan: { to: paths.plan, label: messages.plan, icon: CreditCard },
}

/** Whoever runs one company has no list of them. */
const ownCompany: Entry = { ...entries.tenants, label: messages.company }

type Visitor = Pick<Profile, 'rooms' | 'actions'>

/** What a person finds in the navigation, in order. */
export const entriesOf = ({ rooms, actions }: Visitor): readonly Entry[] =>
  rooms.map((room) => (room === 'tenants' && !actions.includes('tenant.create') ? ownCompany : entries[room]))

/** Where a person's panel opens. */
export const homeOf = (visitor: Visitor): Entry['to'] => entriesOf(visitor)[0]?.to ?? paths.panel

/** Rooms of others look absent; what stands in nobody's navigation (a project, one's profile) is open to all. */
export const isOpenTo = (visitor: Visitor, pathname: string): boolean => {
  const room = Object.values(entries)
    .filter(({ to }) => to !== paths.profile && to !== paths.plan)
    .find(({ to }) => to !== paths.panel && pathname.startsWith(to))
  return room === undefined || entriesOf(visitor).some(({ to }) => to === room.to)
}
