import { accountsData } from '../accounts/personal-data.ts'
import { apiKeysData } from '../api-keys/personal-data.ts'
import { assetsData } from '../assets/personal-data.ts'
import { auditData } from '../audit/personal-data.ts'
import { calendarData } from '../calendar/personal-data.ts'
import { editsData } from '../edits/personal-data.ts'
import { goalsData } from '../goals/personal-data.ts'
import { identityData } from '../identity/personal-data.ts'
import { invitationsData } from '../invitations/personal-data.ts'
import { mailData } from '../mail/personal-data.ts'
import { notesData } from '../notes/personal-data.ts'
import { notificationsData } from '../notifications/personal-data.ts'
import { projectsData } from '../projects/personal-data.ts'
import { publishingData } from '../publishing/personal-data.ts'
import { reportsData } from '../reports/personal-data.ts'
import { scriptsData } from '../scripts/personal-data.ts'
import { pushData } from '../push/personal-data.ts'
import { subscriptionsData } from '../subscriptions/personal-data.ts'
import { webhooksData } from '../webhooks/personal-data.ts'
import { viewsData } from '../views/personal-data.ts'
import { supportData } from '../support/personal-data.ts'
import { jobsData } from './queued-jobs.ts'
import type { RoomData } from '../kernel/personal-data.ts'
import { ownData } from './personal-data.ts'

/**
 * What each room holds about people; the person's own row first, so that nobody can sign in while the rest is erased, and
 * whoever names projects after the projects. server/test/personal-data.test.ts holds the list against the database.
 */
export const personalData: readonly [room: string, data: RoomData][] = [
  ['accounts', accountsData],
  ['personal-data', ownData],
  ['identity', identityData],
  ['api-keys', apiKeysData],
  ['assets', assetsData],
  ['projects', projectsData],
  ['publishing', publishingData],
  ['webhooks', webhooksData],
  ['edits', editsData],
  ['goals', goalsData],
  ['reports', reportsData],
  ['scripts', scriptsData],
  ['notes', notesData],
  ['subscriptions', subscriptionsData],
  ['calendar', calendarData],
  ['views', viewsData],
  ['support', supportData],
  ['invitations', invitationsData],
  ['push', pushData],
  ['notifications', notificationsData],
  ['mail', mailData],
  ['jobs', jobsData],
  ['audit', auditData],
]

/** Tables in which nobody stands, by what they hold. */
export const impersonalTables: Record<string, readonly string[]> = {
  'what is sold': ['product', 'plan', 'coupon'],
  'a company, written by its own staff': [
    'tenant',
    'script_library',
    'script_category',
    'clip',
    'look',
    'webhook_endpoint',
  ],
  'what a company’s program answered': ['webhook_attempt'],
  'what admins say to many': ['notification_trigger'],
  'how work is scored': ['feedback_criteria'],
  'secrets of the service': ['signing_key', 'service_secret', 'push_key'],
  'what the service remembers of itself': [
    'seeded',
    'schema_migration',
    'payment_round',
    'payment_event',
    'sandbox_event',
    'settled_job',
  ],
  'what open pages are told, for two minutes': ['news'],
  'the panel’s own built files': ['web_piece'],
  'networks that used much of a limit, until its minute or day is over': ['limit_count'],
  'where files lie in a bucket, by their ids': ['stored_file', 'stored_piece', 'stored_part'],
  'events of pages without a session, tied to nobody': ['tracked_event'],
  'a way to a provider on which nobody is known yet, for an hour': ['provider_walk'],
}
