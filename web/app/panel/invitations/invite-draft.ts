import type { invitations } from '@clear-to-post/contract/invitations'
import type { CallAnswer } from '@clear-to-post/contract/call'
import { newcomer, type PersonRole } from '@clear-to-post/domain/roles'
import { dropWritten, useDraft, type Sent } from '../project/use-draft.ts'

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
export const useInvited = (company: string, person: string): [Invited, (invited: Invited) => void, Sent<Invited>] => {
  const of = `invitations of ${company}`
  const [invited, keep, sent] = useDraft<Invited>(of, { written: '', role: newcomer, company, left: [] }, person)
  const write = (next: Invited) => {
    keep(next)
    // A role alone does not wait for the addresses of another day.
    if (next.written.trim() === '') dropWritten(person, of)
  }
  return [invited, write, sent]
}

/** The addresses in it, each once for each time that it was written. */
export const linesOf = (written: string): string[] =>
  written
    .split(/[\n,;]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** As it stands after an answer: what was not sent stays, with the reason, and what was written since. Null where there is neither. */
export const stillLeft = (
  now: Invited,
  sent: Pick<Invited, 'role' | 'company'> & { lines: readonly string[] },
  answered: CallAnswer<typeof invitations.send>['lines'],
): Invited | null => {
  const left = answered.flatMap(({ line, error }) => (error === null ? [] : [{ line, error }]))
  const written = [
    ...left.map(({ line }) => line),
    ...linesOf(now.written).filter((line) => !sent.lines.includes(line)),
  ]
  if (written.length === 0) return null
  // Of what was sent, whatever is chosen by now: what was refused for one company is not sent to another.
  const { role, company } = left.length > 0 ? sent : now
  return { written: written.join('\n'), role, company, left }
}
