import type { LinkProps } from '@tanstack/react-router'
import type { Profile } from '@clear-to-post/contract/accounts'
import type { PanelAction, RoomName } from '@clear-to-post/domain/panel'
import { inLanguage } from '../language.ts'
import { paths } from '../paths.ts'

/** What a page is called where it is not the page itself that says so: in the row of its room, and in Ctrl+K. */
export const pageNames = inLanguage({
  en: {
    invitations: 'Invitations',
    apiKeys: 'API keys',
    webhooks: 'Webhooks',
    consents: 'Consents',
    reports: 'Reports',
    payroll: 'Payroll',
    payments: 'Payments',
    plans: 'Plans',
    catalogue: 'What we sell',
    givenUp: 'Jobs given up',
    record: 'Record',
    teleprompter: 'Teleprompter',
    newCompany: 'New company',
    newTrigger: 'New trigger',
    newProduct: 'New product',
    /** Heads of pages that their room has a shorter name for. */
    longNames: { reports: 'How are we doing', criteria: 'Feedback criteria', profile: 'Profile and brand kit' },
    /** What somebody may type to find a page whose name they do not know. */
    words: {
      catalogue: 'prices coupons discounts products',
      payments: 'prices invoices money',
      plans: 'prices coupons subscription',
      goals: 'hours days off availability',
      company: 'set up setup settings seats logo',
      hours: 'hours days off availability',
    },
    profile: {
      about: 'You',
      licences: 'Licenses',
      hours: 'When you work',
      brand: 'Brand kit',
      notifications: 'Notifications by e-mail and push',
      handOver: 'Sign in on another device',
      signIn: 'E-mail, password, devices',
      security: 'Security: second step and passkeys',
      calendar: 'Calendar link',
      data: 'Download your data',
      remove: 'Delete your account',
    },
  },
})

type SubPage = {
  of: RoomName
  label: string
  /** Who may, of those who have the room. */
  needs?: PanelAction | readonly PanelAction[]
} & (
  | {
      /** It stands in the row of its room’s pages. */
      isTab: true
      to: LinkProps['to'] & string
    }
  | { isTab?: undefined; to: string }
)

/** The pages that are no room of their own, by the room they belong to. Each stands here once. */
const subPages: readonly SubPage[] = [
  { of: 'newVideo', to: paths.record, label: pageNames.record },
  { of: 'newVideo', to: paths.recordWords, label: pageNames.teleprompter },
  { of: 'reports', to: paths.payroll, label: pageNames.payroll, isTab: true },
  { of: 'people', to: paths.invitations, label: pageNames.invitations, needs: 'user.invite', isTab: true },
  { of: 'people', to: paths.apiKeys, label: pageNames.apiKeys, needs: 'api-key.list', isTab: true },
  { of: 'people', to: paths.webhooks, label: pageNames.webhooks, needs: 'webhook.write', isTab: true },
  { of: 'people', to: paths.consents, label: pageNames.consents, needs: 'tenant.update', isTab: true },
  { of: 'tenants', to: '/panel/tenants/new', label: pageNames.newCompany, needs: 'tenant.create' },
  { of: 'payments', to: paths.payersPlans, label: pageNames.plans, isTab: true },
  { of: 'payments', to: paths.catalogue, label: pageNames.catalogue, needs: 'catalogue.write', isTab: true },
  { of: 'payments', to: `${paths.catalogue}/new`, label: pageNames.newProduct, needs: 'catalogue.write' },
  { of: 'plan', to: paths.plans, label: pageNames.plans, needs: ['plan.buy', 'company-plan.buy'] },
  { of: 'triggers', to: '/panel/triggers/new', label: pageNames.newTrigger },
  { of: 'audit', to: paths.givenUp, label: pageNames.givenUp, needs: 'job.settle', isTab: true },
]

type Visitor = Pick<Profile, 'rooms' | 'actions'>

/** The pages beyond the rooms that a person may open, in the order of this list. */
export const subPagesOf = ({ rooms, actions }: Visitor): readonly SubPage[] =>
  subPages.filter(
    ({ of, needs = [] }) =>
      rooms.includes(of) && ([needs].flat().length === 0 || [needs].flat().some((one) => actions.includes(one))),
  )

/** The parts of everybody’s own page, by the address that leads to each. */
export const profilePartsOf = ({ rooms, actions }: Visitor): readonly { to: string; label: string }[] => {
  const { profile } = pageNames
  const isFilmed = rooms.includes('newVideo')
  return [
    { part: 'about', label: profile.about },
    ...(isFilmed
      ? [
          { part: 'licences', label: profile.licences },
          { part: 'brand', label: profile.brand },
        ]
      : []),
    ...(actions.includes('availability.own') ? [{ part: 'hours', label: profile.hours }] : []),
    { part: 'notifications', label: profile.notifications },
    { part: 'hand-over', label: profile.handOver },
    { part: 'sign-in', label: profile.signIn },
    { part: 'security', label: profile.security },
    { part: 'calendar', label: profile.calendar },
    { part: 'data', label: profile.data },
    { part: 'remove', label: profile.remove },
  ].map(({ part, label }) => ({ to: `${paths.profile}#${part}`, label }))
}
