import type { Role } from '@clear-to-post/domain/roles'
import { createPerson } from '../../accounts/actions.ts'
import { sql, type Tx } from '../../kernel/database.ts'
import { addSandboxSubscription } from '../../stand-ins/payments/provider.ts'
import { demoLibrary } from './library.ts'

/** Everybody knows it: it stands in the README. */
export const demoPassword = 'demo-Clear2Post'

/** Made-up people of made-up companies; `.test` addresses reach nobody. */
export const demoPeople = {
  officer: {
    email: 'officer@demo.test',
    name: 'Olivia Hart',
    role: 'User',
    profession: 'Loan officer',
    company: 'harbor',
  },
  editor: { email: 'editor@demo.test', name: 'Eli Brandt', role: 'Editor' },
  qa: { email: 'qa@demo.test', name: 'Quinn Avery', role: 'QA' },
  admin: { email: 'admin@demo.test', name: 'Ada Moreno', role: 'ADMIN' },
  company: { email: 'company@demo.test', name: 'Mara Quill', role: 'ADMIN', company: 'harbor' },
  neighbor: {
    email: 'officer@other.test',
    name: 'Owen Reyes',
    role: 'User',
    profession: 'Loan officer',
    company: 'juniper',
  },
} as const satisfies Record<
  string,
  { email: string; name: string; role: Role; profession?: string; company?: keyof typeof companies }
>
export type DemoPerson = keyof typeof demoPeople

/**
 * Tenants, people, products, the tenant's subscription and the library, in one transaction of the service's. The
 * subscription lives in the sandbox; where another provider takes the money, it is one that was set up by hand.
 */
export const addDemoPeople = async (tx: Tx, { inSandbox }: { inSandbox: boolean }): Promise<void> => {
  for (const product of products) await addProduct(tx, product)
  const tenants = { harbor: await addCompany(tx, companies.harbor), juniper: await addCompany(tx, companies.juniper) }
  const seats = companies.harbor.seats
  const providerId = inSandbox ? await subscribeInSandbox(tx, tenants.harbor, seats) : null
  await tx.count(sql`
    insert into subscription (tenant_id, plan_id, status, current_period_start, current_period_end, provider_id, item_id, quantity)
    values (${tenants.harbor}, 'plan_team_month', 'active', now(), now() + interval '1 month', ${providerId},
      ${providerId?.replace(/^sub/, 'si') ?? null}, ${seats})`)
  await tx.count(sql`insert into coupon (id, percent_off) values ('WELCOME20', 20) on conflict do nothing`)
  await tx.count(sql`update tenant set default_coupon_code = 'WELCOME20' where id = ${tenants.juniper}`)
  for (const person of Object.values(demoPeople)) {
    const { company, profession } = { company: undefined, profession: undefined, ...person }
    await createPerson(tx, {
      email: person.email,
      name: person.name,
      role: person.role,
      password: demoPassword,
      tenantId: company ? tenants[company] : null,
      profession,
      isSample: true,
    })
  }
  await addLibrary(tx)
}

const companies = {
  harbor: {
    name: 'Harbor Point Lending (demo)',
    inviteCode: 'HARBOR-DEMO',
    seats: 25,
    preferences: { iconUrl: '', logoUrl: '', primaryColor: '#2647E0', secondaryColor: '#FF5A3C' },
  },
  juniper: {
    name: 'Juniper Home Loans (demo)',
    inviteCode: 'JUNIPER-DEMO',
    seats: 5,
    preferences: { iconUrl: '', logoUrl: '', primaryColor: '#1F7A5C', secondaryColor: '#F2B441' },
  },
}

const subscribeInSandbox = async (tx: Tx, tenantId: string, quantity: number): Promise<string> => {
  const { customerId, subscriptionId } = await addSandboxSubscription(tx, {
    owner: { tenantId },
    name: companies.harbor.name,
    planId: 'plan_team_month',
    quantity,
  })
  await tx.count(sql`insert into customer (id, tenant_id) values (${customerId}, ${tenantId})`)
  return subscriptionId
}

const addCompany = async (
  tx: Tx,
  { name, inviteCode, seats, preferences }: (typeof companies)['harbor'],
): Promise<string> =>
  (await tx.first(sql<{ id: string }>`
    insert into tenant (name, invite_code, total_users_allowed, preferences)
    values (${name}, ${inviteCode}, ${seats}, ${JSON.stringify(preferences)}) returning id`))!.id

// Prices in cents; a year costs ten months.
const products = [
  {
    id: 'starter',
    name: 'Starter',
    subtitle: 'One video a week',
    description: 'Four edited videos a month, captions included. For the officer who is just beginning to post.',
    monthly: 9_900,
    entitles: { projectsPerMonth: 4, revisionsPerProject: 1, turnaroundHours: 72, rank: 1 },
  },
  {
    id: 'steady',
    name: 'Steady',
    subtitle: 'A presence people notice',
    description: 'Ten edited videos a month with two revisions each. For the officer who posts every other day.',
    monthly: 19_900,
    entitles: { projectsPerMonth: 10, revisionsPerProject: 2, turnaroundHours: 48, rank: 2 },
  },
  {
    id: 'team',
    name: 'Team',
    subtitle: 'For a branch or a busy producer',
    description: 'Forty edited videos a month for each officer, three revisions each, back within a day.',
    monthly: 59_900,
    entitles: { projectsPerMonth: 40, revisionsPerProject: 3, turnaroundHours: 24, rank: 3 },
  },
]

const addProduct = async (
  tx: Tx,
  { id, name, subtitle, description, monthly, entitles }: (typeof products)[number],
) => {
  await tx.count(sql`
    insert into product (id, name, descriptions, metadata)
    values (${`prod_${id}`}, ${name}, ${JSON.stringify({ subtitle, description })}, ${JSON.stringify({ position: entitles.rank })})
    on conflict (id) do nothing`)
  for (const [interval, price] of [
    ['month', monthly],
    ['year', monthly * 10],
  ] as const)
    await tx.count(sql`
      insert into plan (id, product_id, currency, price, interval, metadata)
      values (${`plan_${id}_${interval}`}, ${`prod_${id}`}, 'usd', ${price}, ${interval}, ${JSON.stringify(entitles)})
      on conflict (id) do nothing`)
}

/** Into the service's own library, which every officer reads from whose tenant brings none. */
const addLibrary = async (tx: Tx): Promise<void> => {
  for (const [position, { title, backgroundColor, scripts }] of demoLibrary.entries()) {
    const category = (await tx.first(sql<{ id: string }>`
      insert into script_category (library_id, title, picture_url, background_color, position)
      select id, ${title}, '', ${backgroundColor}, ${position} from script_library where tenant_id is null returning id`))!
    for (const [place, script] of scripts.entries())
      await tx.count(sql`
        insert into script (category_id, title, content, tags, position)
        values (${category.id}, ${script.title}, ${script.content}, ${script.tags as string[]}, ${place})`)
  }
}
