import {
  BellRing,
  Building2,
  ClipboardCheck,
  CreditCard,
  Columns3,
  Clapperboard,
  Goal,
  ListChecks,
  Palette,
  Scissors,
  ScrollText,
  SquarePlus,
  UsersRound,
  type LucideIcon,
} from 'lucide-react'
import type { Role } from '@clear-to-post/domain/roles'
import { paths } from '../paths.ts'
import { messages } from './messages.ts'

type EntryPath =
  | 'panel'
  | 'newVideo'
  | 'work'
  | 'review'
  | 'board'
  | 'scripts'
  | 'goals'
  | 'people'
  | 'criteria'
  | 'tenants'
  | 'triggers'
  | 'profile'
  | 'plan'
export type Entry = { to: (typeof paths)[EntryPath]; label: string; icon: LucideIcon }

const videos: Entry = { to: paths.panel, label: messages.videos, icon: Clapperboard }
const newVideo: Entry = { to: paths.newVideo, label: messages.newVideo, icon: SquarePlus }
const work: Entry = { to: paths.work, label: messages.myWork, icon: Scissors }
const review: Entry = { to: paths.review, label: messages.review, icon: ClipboardCheck }
const board: Entry = { to: paths.board, label: messages.board, icon: Columns3 }
const scripts: Entry = { to: paths.scripts, label: messages.scripts, icon: ScrollText }
const goals: Entry = { to: paths.goals, label: messages.goals, icon: Goal }
const people: Entry = { to: paths.people, label: messages.people, icon: UsersRound }
const criteria: Entry = { to: paths.criteria, label: messages.criteria, icon: ListChecks }
const tenants: Entry = { to: paths.tenants, label: messages.tenants, icon: Building2 }
const triggers: Entry = { to: paths.triggers, label: messages.triggers, icon: BellRing }
const plan: Entry = { to: paths.plan, label: messages.plan, icon: CreditCard }
const brandKit: Entry = { to: paths.profile, label: messages.brandKit, icon: Palette }

/** What each role finds in the navigation; the first is where the panel opens. */
export const entries = {
  User: [videos, newVideo, scripts, brandKit, plan],
  Editor: [work, scripts],
  QA: [review, people, scripts],
  ADMIN: [board, review, work, people, tenants, goals, criteria, triggers, scripts],
  SYSTEM: [],
} satisfies Record<Role, readonly Entry[]> as Record<Role, readonly Entry[]>

/** The same for a person: whoever buys for a company finds its plan. */
export const entriesOf = ({ role, tenantId }: { role: Role; tenantId?: string | undefined }): readonly Entry[] =>
  role === 'ADMIN' && tenantId !== undefined
    ? entries.ADMIN.flatMap((entry) => (entry === tenants ? [entry, plan] : [entry]))
    : entries[role]

/** Rooms of other roles look absent; what stands in nobody's navigation (a project, one's profile) is open to all. */
export const isOpenTo = (role: Role, pathname: string): boolean => {
  const rooms = Object.values(entries).flat()
  const room = rooms
    .filter(({ to }) => to !== paths.profile && to !== paths.plan)
    .find(({ to }) => to !== paths.panel && pathname.startsWith(to))
  return room === undefined || entries[role].some(({ to }) => to === room.to)
}
