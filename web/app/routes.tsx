import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { paths } from './paths.ts'
import { isReachable, NoSuchRoom, PageFailure, PagePending, Unreachable } from './page-states.tsx'
import { readBoardSearch } from './panel/board/search.ts'
import { readClipsSearch } from './panel/clips/search.ts'
import { readGoalsSearch } from './panel/goals/search.ts'
import { readCalendarSearch, readConnectionsSearch } from './panel/publishing/search.ts'
import { readReportsSearch } from './panel/reports/search.ts'
import { readRulesSearch } from './panel/rules/search.ts'
import { readWebhookSearch, readWebhooksSearch } from './panel/webhooks/search.ts'
import { readApiKeysSearch } from './panel/api-keys/search.ts'
import { readConsentsSearch } from './panel/consents/search.ts'
import { readInvitationsSearch } from './panel/invitations/search.ts'
import { readAuditSearch } from './panel/audit/search.ts'
import { readPayrollSearch } from './panel/payroll/search.ts'
import { readPaymentsSearch, readPlansSearch } from './panel/payments/search.ts'
import { readPeopleSearch } from './panel/accounts/search.ts'
import { readProjectSearch } from './panel/project/search.ts'
import { readSupportSearch } from './panel/support/search.ts'
import { readScriptsSearch } from './panel/scripts/search.ts'
import { readTenantsSearch } from './panel/tenants/search.ts'
import { readWorkbenchSearch } from './panel/edits/search.ts'

/** The web app's table of contents: one line a page, each room loaded when it is first opened. */

/**
 * A page whose code comes when it is opened. The router reloads the address once when code is missing, as after a new
 * release; where nobody answers that would leave the person with the browser's own error page.
 */
const page = <Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) =>
  lazyRouteComponent<Module, Name>(
    () =>
      load().catch(async (error: unknown) => {
        throw (await isReachable()) ? error : new Unreachable('Nobody answers', { cause: error })
      }),
    name,
  )

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: page(() => import('./site/not-found.tsx'), 'NotFound'),
})

// `/` is a page of its own without React. A server that answers this app instead is sent there.
const home = createRoute({
  getParentRoute: () => root,
  path: paths.home,
  component: () => {
    location.replace(`/home.html${location.hash}`)
    return null
  },
})

const login = createRoute({
  getParentRoute: () => root,
  path: paths.login,
  validateSearch: (search): { next?: string; invitation?: string; mode?: 'sign-up' | 'forgot' | 'invited' } => ({
    ...(typeof search['next'] === 'string' ? { next: search['next'] } : {}),
    ...(typeof search['invitation'] === 'string' ? { invitation: search['invitation'] } : {}),
    ...(search['mode'] === 'sign-up' || search['mode'] === 'forgot' || search['mode'] === 'invited'
      ? { mode: search['mode'] }
      : {}),
  }),
  component: page(() => import('./sign-in/sign-in-page.tsx'), 'SignInPage'),
})

const loginReturn = createRoute({
  getParentRoute: () => root,
  path: paths.loginReturn,
  component: page(() => import('./sign-in/return-page.tsx'), 'ReturnPage'),
})

const panel = createRoute({
  getParentRoute: () => root,
  path: paths.panel,
  component: page(() => import('./panel/shell.tsx'), 'PanelShell'),
})

const projects = createRoute({
  getParentRoute: () => panel,
  path: '/',
  component: page(() => import('./panel/projects/projects-page.tsx'), 'ProjectsPage'),
})

const newVideo = createRoute({
  getParentRoute: () => panel,
  path: '/new',
  validateSearch: (search): { for?: string; shared?: 'taken' | 'none' | 'failed' } => ({
    ...(typeof search['for'] === 'string' && /^[\da-f-]{36}$/.test(search['for']) ? { for: search['for'] } : {}),
    // What became of a video that another app shared (public/worker.js).
    ...(search['shared'] === 'taken' || search['shared'] === 'none' || search['shared'] === 'failed'
      ? { shared: search['shared'] }
      : {}),
  }),
  component: page(() => import('./panel/projects/new-video-page.tsx'), 'NewVideoPage'),
})

const record = createRoute({
  getParentRoute: () => panel,
  path: '/new/record',
  component: page(() => import('./panel/record/record-page.tsx'), 'RecordPage'),
})

const recordWords = createRoute({
  getParentRoute: () => panel,
  path: '/new/record/words',
  component: page(() => import('./panel/record/words-page.tsx'), 'WordsPage'),
})

const project = createRoute({
  getParentRoute: () => panel,
  path: '/projects/$projectId',
  validateSearch: readProjectSearch,
  component: page(() => import('./panel/project/project-page.tsx'), 'ProjectPage'),
})

const workbench = createRoute({
  getParentRoute: () => panel,
  path: '/projects/$projectId/edit',
  validateSearch: readWorkbenchSearch,
  component: page(() => import('./panel/edits/workbench-page.tsx'), 'WorkbenchPage'),
})

const work = createRoute({
  getParentRoute: () => panel,
  path: '/work',
  component: page(() => import('./panel/work/work-page.tsx'), 'WorkPage'),
})

const review = createRoute({
  getParentRoute: () => panel,
  path: '/review',
  component: page(() => import('./panel/review/review-page.tsx'), 'ReviewPage'),
})

const board = createRoute({
  getParentRoute: () => panel,
  path: '/board',
  validateSearch: readBoardSearch,
  component: page(() => import('./panel/board/board-page.tsx'), 'BoardPage'),
})

const scripts = createRoute({
  getParentRoute: () => panel,
  path: '/scripts',
  validateSearch: readScriptsSearch,
  component: page(() => import('./panel/scripts/scripts-page.tsx'), 'ScriptsPage'),
})

const script = createRoute({
  getParentRoute: () => panel,
  path: '/scripts/$scriptId',
  component: page(() => import('./panel/scripts/script-page.tsx'), 'ScriptPage'),
})

const clips = createRoute({
  getParentRoute: () => panel,
  path: '/clips',
  validateSearch: readClipsSearch,
  component: page(() => import('./panel/clips/clips-page.tsx'), 'ClipsPage'),
})

const goals = createRoute({
  getParentRoute: () => panel,
  path: '/goals',
  validateSearch: readGoalsSearch,
  component: page(() => import('./panel/goals/goals-page.tsx'), 'GoalsPage'),
})

const connections = createRoute({
  getParentRoute: () => panel,
  path: '/connections',
  validateSearch: readConnectionsSearch,
  component: page(() => import('./panel/publishing/connections-page.tsx'), 'ConnectionsPage'),
})

const calendar = createRoute({
  getParentRoute: () => panel,
  path: '/calendar',
  validateSearch: readCalendarSearch,
  component: page(() => import('./panel/publishing/calendar-page.tsx'), 'CalendarPage'),
})

const rules = createRoute({
  getParentRoute: () => panel,
  path: '/rules',
  validateSearch: readRulesSearch,
  component: page(() => import('./panel/rules/rules-page.tsx'), 'RulesPage'),
})

const reports = createRoute({
  getParentRoute: () => panel,
  path: '/reports',
  validateSearch: readReportsSearch,
  component: page(() => import('./panel/reports/reports-page.tsx'), 'ReportsPage'),
})

const people = createRoute({
  getParentRoute: () => panel,
  path: '/people',
  validateSearch: readPeopleSearch,
  component: page(() => import('./panel/accounts/people-page.tsx'), 'PeoplePage'),
})

const invitations = createRoute({
  getParentRoute: () => panel,
  path: '/people/invitations',
  validateSearch: readInvitationsSearch,
  component: page(() => import('./panel/invitations/invitations-page.tsx'), 'InvitationsPage'),
})

const apiKeys = createRoute({
  getParentRoute: () => panel,
  path: '/people/keys',
  validateSearch: readApiKeysSearch,
  component: page(() => import('./panel/api-keys/keys-page.tsx'), 'KeysPage'),
})

const consents = createRoute({
  getParentRoute: () => panel,
  path: '/people/consents',
  validateSearch: readConsentsSearch,
  component: page(() => import('./panel/consents/consents-page.tsx'), 'ConsentsPage'),
})

const webhooks = createRoute({
  getParentRoute: () => panel,
  path: '/people/webhooks',
  validateSearch: readWebhooksSearch,
  component: page(() => import('./panel/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
})

const webhook = createRoute({
  getParentRoute: () => panel,
  path: '/people/webhooks/$endpointId',
  validateSearch: readWebhookSearch,
  component: page(() => import('./panel/webhooks/webhook-page.tsx'), 'WebhookPage'),
})

const criteria = createRoute({
  getParentRoute: () => panel,
  path: '/criteria',
  component: page(() => import('./panel/feedback/criteria-page.tsx'), 'CriteriaPage'),
})

const tenants = createRoute({
  getParentRoute: () => panel,
  path: '/tenants',
  validateSearch: readTenantsSearch,
  component: page(() => import('./panel/tenants/tenants-page.tsx'), 'TenantsPage'),
})

const tenant = createRoute({
  getParentRoute: () => panel,
  path: '/tenants/$tenantId',
  component: page(() => import('./panel/tenants/tenant-page.tsx'), 'TenantPage'),
})

const payments = createRoute({
  getParentRoute: () => panel,
  path: '/payments',
  validateSearch: readPaymentsSearch,
  component: page(() => import('./panel/payments/payments-page.tsx'), 'PaymentsPage'),
})

const payersPlans = createRoute({
  getParentRoute: () => panel,
  path: '/payments/plans',
  validateSearch: readPlansSearch,
  component: page(() => import('./panel/payments/plans-page.tsx'), 'PayersPlansPage'),
})

const person = createRoute({
  getParentRoute: () => panel,
  path: '/people/$personId',
  component: page(() => import('./panel/person/person-page.tsx'), 'PersonPage'),
})

const payroll = createRoute({
  getParentRoute: () => panel,
  path: '/reports/payroll',
  validateSearch: readPayrollSearch,
  component: page(() => import('./panel/payroll/payroll-page.tsx'), 'PayrollPage'),
})

const catalogue = createRoute({
  getParentRoute: () => panel,
  path: '/payments/catalogue',
  component: page(() => import('./panel/catalogue/catalogue-page.tsx'), 'CataloguePage'),
})

const product = createRoute({
  getParentRoute: () => panel,
  path: '/payments/catalogue/$productId',
  component: page(() => import('./panel/catalogue/product-page.tsx'), 'ProductPage'),
})

const audit = createRoute({
  getParentRoute: () => panel,
  path: '/audit',
  validateSearch: readAuditSearch,
  component: page(() => import('./panel/audit/audit-page.tsx'), 'AuditPage'),
})

const givenUp = createRoute({
  getParentRoute: () => panel,
  path: '/audit/jobs',
  validateSearch: ({ kind }): { kind?: string } => (typeof kind === 'string' ? { kind } : {}),
  component: page(() => import('./panel/jobs/given-up-page.tsx'), 'GivenUpPage'),
})

const support = createRoute({
  getParentRoute: () => panel,
  path: '/support',
  validateSearch: readSupportSearch,
  component: page(() => import('./panel/support/support-page.tsx'), 'SupportPage'),
})

const supportThread = createRoute({
  getParentRoute: () => panel,
  path: '/support/$threadId',
  component: page(() => import('./panel/support/thread-page.tsx'), 'ThreadPage'),
})

const triggers = createRoute({
  getParentRoute: () => panel,
  path: '/triggers',
  component: page(() => import('./panel/triggers/triggers-page.tsx'), 'TriggersPage'),
})

const trigger = createRoute({
  getParentRoute: () => panel,
  path: '/triggers/$triggerId',
  component: page(() => import('./panel/triggers/trigger-page.tsx'), 'TriggerPage'),
})

const profile = createRoute({
  getParentRoute: () => panel,
  path: '/profile',
  component: page(() => import('./panel/profile/profile-page.tsx'), 'ProfilePage'),
})

const notifications = createRoute({
  getParentRoute: () => panel,
  path: '/notifications',
  validateSearch: (search): { show?: 'unread' } => (search['show'] === 'unread' ? { show: 'unread' } : {}),
  component: page(() => import('./panel/notifications/notifications-page.tsx'), 'NotificationsPage'),
})

const plans = createRoute({
  getParentRoute: () => panel,
  path: '/plans',
  validateSearch: (search): { plan?: string } => (typeof search['plan'] === 'string' ? { plan: search['plan'] } : {}),
  component: page(() => import('./panel/plans/plans-page.tsx'), 'PlansPage'),
})

const plan = createRoute({
  getParentRoute: () => panel,
  path: '/plan',
  // Read where it is used: whatever stands there, the service judges it.
  validateSearch: (search): { bought?: unknown; person?: unknown; company?: unknown } => search,
  component: page(() => import('./panel/subscriptions/plan-page.tsx'), 'PlanPage'),
})

/** An address that leads nowhere, within the panel's frame. */
const lost = createRoute({ getParentRoute: () => panel, path: '$', component: NoSuchRoom })

// The server answers its address while developing only.
const pieces = createRoute({
  getParentRoute: () => root,
  path: paths.pieces,
  component: page(() => import('./dev/pieces-page.tsx'), 'PiecesPage'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    login,
    pieces,
    loginReturn,
    panel.addChildren([
      projects,
      newVideo,
      record,
      recordWords,
      project,
      workbench,
      work,
      review,
      board,
      scripts,
      script,
      clips,
      goals,
      rules,
      reports,
      connections,
      calendar,
      people,
      invitations,
      apiKeys,
      consents,
      webhooks,
      webhook,
      criteria,
      tenants,
      tenant,
      payments,
      payersPlans,
      person,
      payroll,
      catalogue,
      product,
      audit,
      givenUp,
      support,
      supportThread,
      triggers,
      trigger,
      profile,
      notifications,
      plan,
      plans,
      lost,
    ]),
  ]),
  // The service worker, the server and links know pages by their addresses as they are written.
  caseSensitive: true,
  defaultPreload: 'intent',
  defaultPendingComponent: PagePending,
  defaultErrorComponent: PageFailure,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface HistoryState {
    /** What was typed at sign-in goes on to "Forgot your password?", past the address. */
    email?: string
    /** When a code was sent to that address, in milliseconds: its second step. */
    codeSentAt?: number
  }
}
