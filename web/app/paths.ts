/** Every address of the web app. Nothing else spells one. */
export const paths = {
  home: '/',
  terms: '/terms',
  privacy: '/privacy',
  whatsNew: '/whats-new',
  status: '/status',
  login: '/login',
  loginReturn: '/login/return',
  panel: '/panel',
  newVideo: '/panel/new',
  record: '/panel/new/record',
  project: '/panel/projects/$projectId',
  workbench: '/panel/projects/$projectId/edit',
  work: '/panel/work',
  review: '/panel/review',
  board: '/panel/board',
  scripts: '/panel/scripts',
  script: '/panel/scripts/$scriptId',
  clips: '/panel/clips',
  goals: '/panel/goals',
  rules: '/panel/rules',
  reports: '/panel/reports',
  people: '/panel/people',
  invitations: '/panel/people/invitations',
  apiKeys: '/panel/people/keys',
  criteria: '/panel/criteria',
  tenants: '/panel/tenants',
  tenant: '/panel/tenants/$tenantId',
  payments: '/panel/payments',
  payersPlans: '/panel/payments/plans',
  audit: '/panel/audit',
  triggers: '/panel/triggers',
  trigger: '/panel/triggers/$triggerId',
  connections: '/panel/connections',
  calendar: '/panel/calendar',
  profile: '/panel/profile',
  notifications: '/panel/notifications',
  plan: '/panel/plan',
  plans: '/panel/plans',
  pieces: '/dev/ui',
} as const

/** A project's address as text, where an address of any kind is taken. */
export const projectPath = (projectId: string): string => `/panel/projects/${projectId}`

/** Where a plan that was chosen on the public page is confirmed; who is not signed in comes there by way of /login. */
export const planPath = (planId: string): string => `${paths.plans}?plan=${encodeURIComponent(planId)}`
