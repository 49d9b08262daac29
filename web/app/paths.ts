/** Every address of the web app. Nothing else spells one. */
export const paths = {
  home: '/',
  login: '/login',
  panel: '/panel',
  newVideo: '/panel/new',
  project: '/panel/projects/$projectId',
  work: '/panel/work',
  review: '/panel/review',
  board: '/panel/board',
  scripts: '/panel/scripts',
  script: '/panel/scripts/$scriptId',
  goals: '/panel/goals',
  people: '/panel/people',
  tenants: '/panel/tenants',
  tenant: '/panel/tenants/$tenantId',
  profile: '/panel/profile',
} as const

/** A project's address as text, for places outside the router (notifications). */
export const projectPath = (projectId: string): string => `/panel/projects/${projectId}`
