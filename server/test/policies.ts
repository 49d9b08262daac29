/**
 * Who may read and write which rows, as it is meant: by row-level security alone, whatever the product's queries say.
 * Every table stands here; a word is a relation between somebody who acts and a row (see `relations`), and `-` is nobody,
 * not even the service, because the product's role has no grant.
 */
export const intention = `
table                 | select                    | insert           | update           | delete
answered_request      | own service               | own service      | own service      | own service
api_key               | own administered          | own service      | own administered | service
asset                 | ownSource drafts inProject linked approvedForOwn inLibrary | ownSource drafts inProject | ownSource drafts inProject | ownSource drafts inProject
asset_face            | everybody                 | service          | service          | service
audit_entry           | administered              | -                | -                | -
audit_seal            | administered              | -                | -                | -
audit_value           | administered              | -                | -                | -
audit_waiting         | -                         | -                | -                | -
calendar_link         | own service               | own service      | own service      | own service
charge                | own paidInReach           | service          | service          | service
clip                  | inLibrary                   | administered     | administered     | administered
connection            | own itsAdmin postsWith service | own itsAdmin service | own itsAdmin service | own itsAdmin service
connection_officer    | postsWith itsAdmin service | itsAdmin service | -                | itsAdmin service
connection_walk       | own service               | own service      | own service      | own service
connected_account     | service                   | service          | service          | service
consent               | own administered          | own service      | -                | service
coupon                | everybody                 | service          | service          | service
customer              | service                   | service          | service          | service
data_export           | own service               | own service      | own service      | own service
editor_rate           | administered              | administered     | administered     | service
edit                  | served                    | served           | served           | -
edit_clip             | served                    | served           | served           | served
edit_author           | served                    | served           | -                | -
extra_project         | own reviewed              | begun service    | service          | service
feedback_criteria     | staff                     | adminOfAll       | adminOfAll       | -
free_video            | service                   | service          | -                | service
glossary              | own served                | own served       | own served       | -
goal                  | own reviewed              | service          | reviewed         | -
goal_day              | own reviewed              | service          | reviewed         | -
invitation            | administered              | vouched          | vouched          | service
membership            | administered              | -                | -                | -
limit_count           | service                   | service          | service          | service
look                  | inLibrary                 | kept             | kept             | kept
mail                  | service                   | service          | service          | service
news                  | service                   | everybody        | -                | service
note                  | served                    | served           | served           | -
note_asset            | served                    | served           | -                | served
note_event            | served                    | served           | -                | -
notification          | own service               | own administered | own service      | own service
notification_choice   | own service               | own service      | own service      | own service
notification_quiet    | own service               | own service      | own service      | own service
notification_trigger  | addressed                 | addressed        | addressed        | addressed
notification_waiting  | service                   | service          | service          | service
one_time_token        | service                   | service          | service          | service
passkey               | service                   | service          | service          | service
password              | service                   | service          | service          | service
payment_event         | service                   | service          | service          | service
payment_round         | service                   | service          | service          | service
person                | own served                | administered     | own administered | service
plan                  | everybody                 | service          | service          | service
post                  | own served                | own service      | own served       | service
post_file             | service                   | service          | service          | -
post_comment          | own served                | own service      | own service      | own service
post_event            | own served                | own served       | -                | service
post_figures          | own served                | service          | service          | service
post_slots            | own service               | own service      | own service      | own service
product               | everybody                 | service          | service          | service
project               | own served                | own served       | own served       | -
project_comment       | ownOpen served            | ownOpen served   | ownOpen served   | -
project_cut           | ownOpen served            | served           | served           | -
project_event         | own served                | inOwnName        | -                | -
script_library        | shared company served     | administered     | administered     | administered
script_category       | shared company served     | administered     | administered     | administered
provider_walk         | service                   | service          | service          | service
push                  | service                   | service          | service          | service
push_delivery         | service                   | service          | service          | service
push_device           | own service               | own service      | own service      | own service
push_key              | service                   | service          | -                | -
quota_use             | own reviewed              | service          | service          | -
recovery_code         | service                   | service          | service          | service
refund                | adminOfAll                | service          | service          | -
refresh_token         | service                   | service          | service          | service
removal               | administered              | service          | service          | -
render                | served                    | served           | served           | service
render_ahead          | served                    | served           | served           | -
sandbox_event         | service                   | service          | service          | service
sandbox_object        | service                   | service          | service          | service
schema_migration      | everybody                 | -                | -                | -
script                | own library service       | own written      | own written      | own written
seeded                | everybody                 | everybody        | everybody        | everybody
service_secret        | service                   | -                | -                | -
session_family        | service                   | service          | service          | service
settled_job           | service                   | service          | -                | -
saved_view            | own service               | own service      | own service      | own service
support_message       | own administered          | signed           | -                | service
support_thread        | own administered          | own service      | own administered | service
sign_in_try           | service                   | service          | service          | service
signing_key           | service                   | service          | service          | service
step_figure           | administered              | -                | -                | -
stored_file           | service                   | service          | service          | service
stored_piece          | service                   | service          | -                | service
stored_part           | service                   | service          | service          | service
subscription          | own company reviewed      | service          | service          | service
subscription_period    | service                   | service          | service          | service
tenant                | company served            | administered     | administered     | service
totp                  | service                   | service          | service          | service
tracked_event         | service                   | service          | -                | service
trigger_run           | told                      | service          | service          | -
web_piece             | service                   | service          | service          | service
webhook_attempt       | administered              | service          | -                | service
webhook_delivery      | administered              | service          | administered     | -
webhook_endpoint      | administered              | administered     | administered     | administered
webhook_event         | administered              | service          | -                | service
`

export type ActorRole = '' | 'User' | 'Editor' | 'QA' | 'ADMIN' | 'SYSTEM'
/** Somebody who acts; `tenant` is a letter, null for none. */
export type TestActor = { who: string; id: string; role: ActorRole; tenant: string | null }
/** A row as the intention sees it: whose it is, of which company, and what else counts. */
export type TestRow = {
  label: string
  owner?: string
  /** The company of the row or of its owner. */
  tenant?: string | null
  tenants?: string[]
  /** The companies that a trigger was for when it ran. */
  toldTenants?: string[]
  isDraft?: boolean
  isLinked?: boolean
  /** A person’s own, of a time in which they were not in that company. */
  wasElsewhere?: boolean
  isCut?: boolean
  isClosed?: boolean
  approvedFor?: string
  actor?: string
  /** A message to support that says it is staff's. */
  isByStaff?: boolean
  isOfLibrary?: boolean
  /** A purchase that was begun, and is not paid. */
  isBegun?: boolean
  /** A clip of a B-roll library, its file, or a look. */
  isClip?: boolean
  /** An account at a network that is a company’s, and who posts with it. */
  postedBy?: string
}

const isStaff = ({ role }: TestActor) => ['Editor', 'QA', 'ADMIN'].includes(role)
const isService = ({ role }: TestActor) => role === 'SYSTEM'
const reaches = (a: TestActor, r: TestRow) => a.tenant === null || a.tenant === r.tenant
const isOwn = (a: TestActor, r: TestRow) => r.owner !== undefined && r.owner === a.id
const serves = (a: TestActor, r: TestRow) => isService(a) || (isStaff(a) && reaches(a, r))
const administers = (a: TestActor, r: TestRow) => isService(a) || (a.role === 'ADMIN' && reaches(a, r))
const reads = (a: TestActor, r: TestRow) =>
  r.tenant === null || (a.tenant !== null && a.tenant === r.tenant) || serves(a, r)

export const relations: Record<string, (actor: TestActor, row: TestRow) => boolean> = {
  everybody: () => true,
  service: isService,
  staff: (a) => isService(a) || isStaff(a),
  adminOfAll: (a) => isService(a) || (a.role === 'ADMIN' && a.tenant === null),
  /** It is theirs. */
  own: isOwn,
  /** It is theirs and no cut, which is its project's. */
  ownSource: (a, r) => isOwn(a, r) && !r.isCut,
  begun: (a, r) => isOwn(a, r) && r.isBegun === true,
  /** It is theirs, and no longer only for those who work on it. */
  ownOpen: (a, r) => isOwn(a, r) && !r.isClosed,
  /** Staff whose company it is, or who serve all. */
  served: serves,
  administered: administers,
  /** An ADMIN whose company it is and was when it was made, or who serves all. */
  paidInReach: (a, r) => administers(a, r) && (a.tenant === null || !r.wasElsewhere),
  /** An account of a company’s: its own ADMIN’s, and nobody’s of the service. */
  itsAdmin: (a, r) => r.postedBy !== undefined && a.role === 'ADMIN' && a.tenant !== null && a.tenant === r.tenant,
  postsWith: (a, r) => r.postedBy === a.id && a.tenant !== null && a.tenant === r.tenant,
  /** A look of a company its editors and ADMINs keep, one of the service whoever of them serves all. */
  kept: (a, r) => isService(a) || (['Editor', 'ADMIN'].includes(a.role) && reaches(a, r)),
  reviewed: (a, r) => isService(a) || (['QA', 'ADMIN'].includes(a.role) && reaches(a, r)),
  /** It is their company's, not a person's of it. */
  company: (a, r) => r.owner === undefined && a.tenant !== null && a.tenant === r.tenant,
  shared: (_a, r) => r.tenant === null,
  library: (a, r) => r.isOfLibrary === true && reads(a, r),
  written: (a, r) => isService(a) || (r.isOfLibrary === true && administers(a, r)),
  addressed: (a, r) =>
    isService(a) || (a.role === 'ADMIN' && (a.tenant === null || String(r.tenants) === String([a.tenant]))),
  /** A run of a trigger: whom it told is the company that the trigger is for today. */
  told: (a, r) =>
    isService(a) ||
    (a.role === 'ADMIN' &&
      (a.tenant === null || [r.tenants, r.toldTenants].every((to) => String(to) === String([a.tenant])))),
  inProject: (a, r) => !r.isDraft && serves(a, r),
  drafts: (a, r) => r.isDraft === true && administers(a, r),
  linked: (a, r) => r.isLinked === true && serves(a, r),
  /** A clip of the service's is every staff member's to use, one of a company that company's staff's. */
  inLibrary: (a, r) => r.isClip === true && (isService(a) || (isStaff(a) && (r.tenant === null || reaches(a, r)))),
  approvedForOwn: (a, r) => r.approvedFor === a.id,
  /** Of a row that names who did it: nobody in somebody else's name, nor about what they do not reach. */
  inOwnName: (a, r) => isService(a) || (r.actor === a.id && (isOwn(a, r) || serves(a, r))),
  /** Of a message: whoever the question is of, as its asker, or an ADMIN whom it reaches, as staff, in their own name. */
  signed: (a, r) =>
    isService(a) || (r.actor === a.id && (isOwn(a, r) ? !r.isByStaff : r.isByStaff === true && administers(a, r))),
  /** Of a row that names who vouches for it: an ADMIN whom it reaches, in their own name alone. */
  vouched: (a, r) => isService(a) || (r.actor === a.id && administers(a, r)),
}
