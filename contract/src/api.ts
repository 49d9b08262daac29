import { accounts } from './accounts.ts'
import { apiKeys } from './api-keys.ts'
import { assets } from './assets.ts'
import { audit } from './audit.ts'
import { calendar } from './calendar.ts'
import type { CallShape } from './call.ts'
import { catalogue } from './catalogue.ts'
import { clips } from './clips.ts'
import { looks } from './looks.ts'
import { invitations } from './invitations.ts'
import { edits } from './edits.ts'
import { feedback } from './feedback.ts'
import { goals } from './goals.ts'
import { identity } from './identity.ts'
import { jobs } from './jobs.ts'
import { notes } from './notes.ts'
import { notifications } from './notifications.ts'
import { projects } from './projects.ts'
import { publishing } from './publishing.ts'
import { reports } from './reports.ts'
import { scripts } from './scripts.ts'
import { push } from './push.ts'
import { security } from './security.ts'
import { subscriptions } from './subscriptions.ts'
import { tenants } from './tenants.ts'
import { tracking } from './tracking.ts'
import { webhooks } from './webhooks.ts'
import { views } from './views.ts'
import { support } from './support.ts'

/** Every call of the product, by room. Server, OpenAPI, the access matrix and the fuzzer walk this value. */
export const api = {
  accounts,
  apiKeys,
  assets,
  audit,
  calendar,
  catalogue,
  clips,
  looks,
  edits,
  feedback,
  goals,
  identity,
  jobs,
  invitations,
  notes,
  notifications,
  projects,
  publishing,
  reports,
  scripts,
  push,
  security,
  subscriptions,
  tenants,
  tracking,
  webhooks,
  views,
  support,
}

/** The same as a flat list with names such as `projects.approve`. */
export const everyCall: readonly { name: string; shape: CallShape }[] = Object.entries(api).flatMap(([room, calls]) =>
  Object.entries(calls).map(([name, shape]) => ({ name: `${room}.${name}`, shape: shape as CallShape })),
)
