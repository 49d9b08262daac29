import { asWhat, personRoles, type PersonRole } from '@clear-to-post/domain/roles'
import { messages as people } from '../accounts/messages.ts'
import type { AddressFile } from './addresses.ts'
import { messages } from './messages.ts'

/** The role that a file names, if it names one that there is for everybody in it. */
export const roleNamed = ({ roles }: AddressFile): PersonRole | undefined => {
  const [first, ...others] = new Set(roles.map(roleOf))
  return others.length === 0 ? first : undefined
}

/** What of a file was not taken as an address to invite, a sentence each. */
export const fileNotes = (file: AddressFile): string[] => {
  const unknown = file.roles.filter((one) => roleOf(one) === undefined)
  const known = [...new Set(file.roles.flatMap((one) => roleOf(one) ?? []))].map((one) => people.roles[one])
  return [
    file.left.length > 0 && messages.leftOut(file.left.length, some(file.left)),
    file.doubled.length > 0 && messages.doubled(file.doubled.length, some(file.doubled)),
    file.hasNames && messages.namesNotRead,
    unknown.length > 0 && messages.roleUnknown(some(unknown)),
    known.length + unknown.length > 1
      ? messages.rolesMixed(some([...known, ...unknown]))
      : known[0] !== undefined && messages.roleTaken(known[0]),
  ].filter((note) => note !== false)
}

const roleOf = (written: string): PersonRole | undefined => {
  const word = written.toLowerCase()
  return personRoles.find((role) =>
    [role, people.roles[role], asWhat[role].replace(/^an? /, '')].some((name) => name.toLowerCase() === word),
  )
}

/** Three of them, and how many more there are. */
const some = (all: readonly string[]): string =>
  all.slice(0, shown).join(', ') + (all.length > shown ? ` ${messages.andMore(all.length - shown)}` : '')
const shown = 3
