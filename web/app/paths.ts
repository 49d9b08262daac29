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
} as const

/** A project's address as text, for places outside the router (notifications). */
export const projectPath = (projectId: string): string => `/panel/projects/${projectId}`
