import { randomUUID } from 'node:crypto'
import { hasDuty } from '@clear-to-post/domain/roles'
import { sql, type Tx } from '../kernel/database.ts'
import { asService } from '../kernel/tenancy.ts'
import { sendMails } from '../mail/actions.ts'
import { administratorsOf, type PersonRow } from './store.ts'

type Place = Pick<PersonRow, 'role' | 'tenant_id' | 'is_disabled'>
type Person = Pick<PersonRow, 'id' | 'email' | 'name'>

/** Says who becomes an ADMIN, or is one no more, where one of the two is so. `by`: who did it; undefined: the operator. */
export const tellOfAdmin = async (
  tx: Tx,
  person: Person,
  before: Place | null,
  after: Place,
  by: string | undefined,
): Promise<void> => {
  const was = before !== null && administers(before)
  const is = administers(after)
  if (was && is && before.tenant_id === after.tenant_id) return
  if (was)
    await tellAdmins(tx, before.tenant_id, {
      kind: 'admin-ended',
      by,
      about: person,
      title: 'An admin is one no more',
      happened: (company) => `${person.name} (${person.email}) is no admin of ${company} any more.`,
      wayBack: 'Make them one again under People',
    })
  if (is)
    await tellAdmins(tx, after.tenant_id, {
      kind: 'admin-added',
      by,
      about: person,
      title: 'There is a new admin',
      happened: (company) => `${person.name} (${person.email}) is an admin of ${company} now.`,
      wayBack: 'Shut them out under People',
    })
}

/**
 * Tells all who administer a company (null: the service), and whom it is about, by a mail that nobody can switch off, that
 * there is one more or less of them, and whose doing that is: whoever lets somebody in, or shuts the others out, cannot hide it.
 */
export const tellAdmins = (
  tx: Tx,
  tenantId: string | null,
  {
    kind,
    by,
    about,
    title,
    happened,
    wayBack,
  }: {
    kind: 'admin-added' | 'admin-ended' | 'admin-invited'
    by: string | undefined
    about?: Person
    title: string
    happened: (company: string) => string
    wayBack: string
  },
): Promise<void> =>
  asService(tx, async () => {
    const admins = await administratorsOf(tx, tenantId)
    const told = about ? [...admins.filter(({ id }) => id !== about.id), about] : admins
    const company = await tx.first(sql<{ name: string }>`select name from tenant where id = ${tenantId}::uuid`)
    const doer =
      by === undefined
        ? 'The operator of Clear to Post'
        : (told.find(({ id }) => id === by)?.name ?? 'An admin of Clear to Post')
    // Each change is told: two may come within a millisecond. Whom it names stands in the key, and goes with them.
    const change = `${by ?? 'operator'}:${about?.id ?? ''}:${randomUUID()}`
    await sendMails(
      tx,
      told.map(({ id, email }) => ({
        key: `${kind}:${change}:${id}` as const,
        to: email,
        company: tenantId ?? id,
        template: 'message' as const,
        data: {
          title,
          body:
            `${happened(company?.name ?? 'Clear to Post')} ${doer} did that.\n\n` +
            `Did nobody of you mean to? ${wayBack}, and have whoever did it choose a new password.`,
          link: { label: 'Look at the people', url: '/panel/people' },
        },
      })),
    )
  })

const administers = ({ role, is_disabled }: Place): boolean => hasDuty(role, 'administer') && !is_disabled
