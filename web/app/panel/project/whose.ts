import type { Project } from '@clear-to-post/contract/projects'

/** Whose video it is in one line: the officer, and their company where the service names it. */
export const whoseWords = ({ userName, tenantName }: Pick<Project, 'userName' | 'tenantName'>): string =>
  [userName, tenantName].filter(Boolean).join(' · ')
