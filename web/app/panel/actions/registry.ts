import type { Profile } from '@clear-to-post/contract/accounts'
import type { LucideIcon } from 'lucide-react'
import { entriesOf } from '../entries.ts'
import { paths } from '../../paths.ts'
import { pageNames, profilePartsOf, subPagesOf } from '../sub-pages.ts'
import { messages } from './messages.ts'

/** What somebody may do from everywhere in the panel: a row feeds Ctrl+K, the sheet of keys and the listener alike. */
export type PanelCommand = {
  id: string
  label: string
  icon?: LucideIcon
  /** Another name of it, by which it is found, too: the head of the page, where its room says less. */
  also?: string
  /** What somebody may type who does not know its name; not shown. */
  words?: string
  /** Keys pressed one after the other, as `KeyboardEvent.key`; none: by name alone. */
  keys: readonly string[]
  /** Where it leads; without an address it is a part of the panel itself. */
  to?: string
}

/** The second key of “g, then …” for each room; two rooms of one person never have the same. */
const seconds: Readonly<Record<string, string>> = {
  [paths.panel]: 'v',
  [paths.newVideo]: 'n',
  [paths.work]: 'w',
  [paths.review]: 'r',
  [paths.board]: 'b',
  [paths.scripts]: 's',
  [paths.clips]: 'l',
  [paths.goals]: 'o',
  [paths.rules]: 'f',
  [paths.reports]: 'h',
  [paths.audit]: 'u',
  [paths.people]: 'p',
  [paths.support]: 'e',
  [paths.criteria]: 'c',
  [paths.tenants]: 't',
  [paths.triggers]: 'i',
  [paths.payments]: 'a',
  [paths.connections]: 'x',
  [paths.calendar]: 'd',
  [paths.profile]: 'k',
  [paths.plan]: 'y',
}

const longNames: Readonly<Record<string, string>> = {
  [paths.reports]: pageNames.longNames.reports,
  [paths.criteria]: pageNames.longNames.criteria,
  [paths.profile]: pageNames.longNames.profile,
}

/** Words for what stands on a page. */
const wordsFor: Readonly<Record<string, string>> = {
  [paths.catalogue]: pageNames.words.catalogue,
  [paths.payments]: pageNames.words.payments,
  [paths.payersPlans]: pageNames.words.plans,
  [paths.plans]: pageNames.words.plans,
  [paths.goals]: pageNames.words.goals,
  [paths.tenants]: pageNames.words.company,
  [`${paths.profile}#hours`]: pageNames.words.hours,
}
const withWords = <Command extends PanelCommand>(command: Command): PanelCommand => {
  const words = wordsFor[command.id]
  return words === undefined ? command : { ...command, words }
}

/** What this person may do from everywhere, in the order of the navigation. */
export const commandsOf = (user: Pick<Profile, 'rooms' | 'actions'>): readonly PanelCommand[] =>
  [
    { id: 'find', label: messages.open, keys: ['Control', 'k'] },
    ...entriesOf(user).map(({ to, label, icon }) => ({
      id: to,
      label: messages.goTo(label),
      ...(longNames[to] === undefined ? {} : { also: longNames[to] }),
      icon,
      keys: seconds[to] === undefined ? [] : ['g', seconds[to]],
      to,
    })),
    ...subPagesOf(user).map(({ to, label }) => ({ id: to, label: messages.goTo(label), keys: [], to })),
    {
      id: paths.notifications,
      label: messages.goTo(messages.notifications),
      keys: ['g', 'm'],
      to: paths.notifications,
    },
    ...(user.rooms.includes('brandKit')
      ? []
      : [
          {
            id: paths.profile,
            label: messages.goTo(messages.profile),
            // Whoever sends videos in for others has a brand kit there, too.
            ...(user.rooms.includes('newVideo') ? { also: pageNames.longNames.profile } : {}),
            keys: ['g', 'k'],
            to: paths.profile,
          },
        ]),
    ...profilePartsOf(user).map(({ to, label }) => ({ id: to, label, also: messages.profile, keys: [], to })),
    { id: 'sheet', label: messages.sheet, keys: ['?'] },
  ].map(withWords)
