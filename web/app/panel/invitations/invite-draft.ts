import type { invitations } from '@clear-to-post/contract/invitations'
import type { CallAnswer } from '@clear-to-post/contract/call'
import { newcomer, type PersonRole } from '@clear-to-post/domain/roles'
import { dropWritten, useDraft } from '../project/use-draft.ts'

/** In place of a company: people of the service itself. */
export const service = 'none'

/** Whom somebody began to invite: the addresses, as what and into which company, and what was not sent of them, with the reason. */
export type Invited = {
  written: string
  role: PersonRole
  company: string
  left: { line: string; error: string | null }[]
}

/** What was begun for the company for which the form was opened; another one's addresses are not among these. */
export const useInvited = (company: string, person: string): [Invited, (invited: Invited) => void, () => void] => {
  const of = `invitations of ${company}`
  const [invited, keep, clear] = useDraft<Invited>(of, { written: '', role: newcomer, company, left: [] }, person)
  const write = (next: Invited) => {
    keep(next)
    // A role alone does not wait for the addresses of another day.
    if (next.written.trim() === '') dropWritten(person, of)
  }
  return [invited, write, clear]
}

/** As it stands after an answer: what was not sent stays, with the reason. Null where all was sent. */
export const stillLeft = (
  sent: Pick<Invited, 'role' | 'company'>,
  answered: CallAnswer<typeof invitations.send>['lines'],
): Invited | null => {
  const left = answered.flatMap(({ line, error }) => (error === null ? [] : [{ line, error }]))
  return left.length === 0 ? null : { ...sent, written: left.map(({ line }) => line).join('\n'), left }
}
