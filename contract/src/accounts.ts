import { z } from 'zod'
import { panelActions, roomNames } from '@clear-to-post/domain/panel'
import { loginSystems, roles, type LoginSystem } from '@clear-to-post/domain/roles'
import { isTimeZone } from '@clear-to-post/domain/calendar'
import { termsDocuments } from '@clear-to-post/domain/terms'
import { equalHousings, licenceStateCodes } from '@clear-to-post/domain/licences'
import { PictureAddress } from './assets.ts'
import { TimeOff, WorkWeek } from './availability.ts'
import { call } from './call.ts'
import { LicenceStates, NmlsNumber } from './licences.ts'
import { PageQuery, pageOf } from './page.ts'
import { Receipt, RemovalPreview } from './removals.ts'
import { line, visible } from './visible.ts'

/** Addresses are compared without case. */
export const Email = z
  .email()
  .max(254)
  .transform((address) => address.trim().toLowerCase())
const Password = z.string().min(1).max(256)

export const UserPreferences = z.object({
  primaryColor: z.string().optional(),
  secondaryColor: z.string().optional(),
  facebookLink: z.string().optional(),
  instagramLink: z.string().optional(),
  isFeedbackEnabled: z.boolean().default(true),
  bRoll: z.string().optional(),
  logo: z.string().optional(),
  phone: z.string().optional(),
  city: z.string().optional(),
  hidesSetUp: z.boolean().optional(),
})

const Name = visible(120)
const TimeZone = z.string().max(64).refine(isTimeZone, 'Name an IANA time zone such as America/Chicago')
const Code = z.string().regex(/^\d{6}$/, 'The code has six digits')
const Colour = z.string().regex(/^#[0-9a-f]{6}$/i, 'Write the colour as #rrggbb')
const Link = z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(500)])
const Success = z.object({ success: z.literal(true) })
/** A custom token, the address that signs in with it, and when it ends. */
const HandOver = z.object({ token: z.string(), url: z.string(), endsAt: z.iso.datetime() })

/** What a person may set; an empty string takes a value away. */
const Preferences = z.strictObject({
  primaryColor: z.union([z.literal(''), Colour]).optional(),
  secondaryColor: z.union([z.literal(''), Colour]).optional(),
  facebookLink: Link.optional(),
  instagramLink: Link.optional(),
  isFeedbackEnabled: z.boolean().optional(),
  bRoll: z.string().max(500).optional(),
  logo: PictureAddress.optional(),
  /** What scripts say of an officer, beside name and company. */
  phone: line(40).optional(),
  city: line(80).optional(),
  /** The steps of setting up their company stand on the company’s page alone, as one line. */
  hidesSetUp: z.boolean().optional(),
})

/** What an ADMIN changes of somebody, beside whether they may sign in. */
const told = {
  name: Name,
  profession: line(120),
  nmlsNumber: NmlsNumber,
  licenceStates: LicenceStates,
  role: z.enum(['User', 'Editor', 'QA', 'ADMIN']),
  tenantId: z.uuid().nullable(),
  editorId: z.uuid().nullable(),
}

const Changes = z.strictObject({
  /** Another person: ADMIN only. */
  userId: z.uuid().optional(),
  name: told.name.optional(),
  profession: told.profession.optional(),
  photoUrl: PictureAddress.optional(),
  preferences: Preferences.optional(),
  timezone: TimeZone.optional(),
  /** The phone rings until the sign-in that names it ends. */
  fcmToken: z.string().max(4096).optional(),
  experienceId: z.string().max(200).optional(),
  nmlsNumber: told.nmlsNumber.optional(),
  licenceStates: told.licenceStates.optional(),
  /** An editor's hours and days off. */
  workWeek: WorkWeek.optional(),
  timeOff: TimeOff.optional(),
  /** Parts that are changed, as they were when this change was begun: refused when somebody has changed one since. */
  was: z
    .strictObject({ ...told, workWeek: WorkWeek, timeOff: TimeOff })
    .partial()
    .optional(),
  /** The rest is for an ADMIN. */
  role: told.role.optional(),
  tenantId: told.tenantId.optional(),
  editorId: told.editorId.optional(),
  isDisabled: z.boolean().optional(),
})

export const User = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  fcmToken: z.string().optional(),
  profession: z.string().optional(),
  photoUrl: z.string().optional(),
  preferences: UserPreferences.optional(),
  tenantId: z.uuid().optional(),
  editorId: z.uuid().optional(),
  timezone: z.string().optional(),
  experienceId: z.string().optional(),
  customerId: z.string(),
  role: z.enum(roles),
  /** Their number in the Nationwide Multistate Licensing System, digits; and the states they are licensed in. */
  nmlsNumber: z.string().optional(),
  licenceStates: z.array(z.enum(licenceStateCodes)).max(licenceStateCodes.length).optional(),
  /** An editor's hours and days off, told to themselves and to an ADMIN; without hours the usual week counts. */
  workWeek: WorkWeek.optional(),
  timeOff: TimeOff.optional(),
  /** Told to an ADMIN only. */
  isDisabled: z.boolean().optional(),
})
export type User = z.infer<typeof User>

/** The signed-in person, with what the panel needs at once. */
export const Profile = User.extend({
  /** Whether they have shown that the address is theirs; until then a few calls are refused (`account.unverified`). */
  isEmailVerified: z.boolean(),
  tenantName: z.string().optional(),
  /** What their company says of itself in every video. */
  companyLicences: z
    .object({ nmlsNumber: z.string().optional(), equalHousing: z.enum(equalHousings).optional() })
    .optional(),
  /** The rooms of their panel, in order; it opens in the first. */
  rooms: z.array(z.enum(roomNames)),
  /** What they may do that stands on no thing of theirs. */
  actions: z.array(z.enum(panelActions)),
  /** The documents whose words of today they have not agreed to; the panel asks before anything else. */
  termsDue: z.array(z.enum(termsDocuments)).max(termsDocuments.length),
})
export type Profile = z.infer<typeof Profile>

/** Somebody within the caller's reach, with what a page about them says. */
export const Person = User.extend({
  createdAt: z.iso.datetime(),
  isEmailVerified: z.boolean(),
  tenantName: z.string().optional(),
  /** Of an officer: who edits for them. */
  editorName: z.string().optional(),
})
export type Person = z.infer<typeof Person>

/** A way to sign in, or to read (`calendar`), beside the password. `name` says which, in words. */
const OtherWay = z.object({ kind: z.enum(['passkey', 'authenticator', 'provider', 'calendar']), name: z.string() })
export type OtherWay = z.infer<typeof OtherWay>
/** A way that was taken away, or what else whoever opened the account had put there. `name` says it in words. */
const TakenAway = z.object({
  kind: z.enum([...OtherWay.shape.kind.options, 'company', 'files', 'profile']),
  name: z.string(),
})
export type TakenAway = z.infer<typeof TakenAway>

/** The file with a person's own data. `bytes`: of the whole file, about. */
export const DataExport = z.object({
  state: z.enum(['none', 'waiting', 'ready', 'failed']),
  askedAt: z.iso.datetime().optional(),
  readyAt: z.iso.datetime().optional(),
  /** Until then it is kept. */
  endsAt: z.iso.datetime().optional(),
  bytes: z.number().optional(),
})
export type DataExport = z.infer<typeof DataExport>

/** What somebody agreed to, and what of today's words they have not agreed to. */
export const Consents = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  role: z.enum(roles),
  tenantName: z.string().optional(),
  /** The newest 20. `version`: the day from which the words held. */
  given: z.array(z.object({ document: z.enum(termsDocuments), version: z.iso.date(), at: z.iso.datetime() })).max(20),
  due: z.array(z.enum(termsDocuments)).max(termsDocuments.length),
})
export type Consents = z.infer<typeof Consents>

export const accounts = {
  login: call({
    method: 'POST',
    path: '/accounts/public/login',
    summary: 'Check e-mail and password at one of the doors; answers a custom token to sign in with',
    access: 'anyone',
    body: z.strictObject({
      system: z.enum(Object.keys(loginSystems) as [LoginSystem, ...LoginSystem[]]),
      email: Email,
      password: Password,
    }),
    returns: z.object({ token: z.string() }),
    unrecorded: true,
    perMinute: 60,
    refuses: ['session.wrong-credentials', 'request.too-many'],
  }),
  create: call({
    method: 'POST',
    path: '/accounts/public/create',
    summary: 'Open an account; answers a custom token to sign in with',
    access: 'anyone',
    body: z.strictObject({
      email: Email,
      name: visible(120),
      password: Password,
      passwordConfirmation: Password,
      profession: line(120).optional(),
      invitationCode: z.string().trim().max(64).optional(),
      timezone: z.string().max(64).optional(),
    }),
    returns: z.object({ token: z.string() }),
    creates: true,
    unrecorded: true,
    perMinute: 30,
    refuses: ['account.email-taken', 'account.weak-password', 'tenant.not-found', 'tenant.full', 'request.too-many'],
  }),
  info: call({
    method: 'GET',
    path: '/accounts/user/info',
    summary: 'Who am I',
    access: 'signed-in',
    returns: Profile,
    refuses: [],
  }),
  remove: call({
    method: 'DELETE',
    path: '/accounts/user/delete/',
    summary: 'Erase my personal data, or another person’s as an ADMIN; the record of work stays without a name',
    access: 'signed-in',
    needsFreshSignIn: true,
    query: z.strictObject({ userId: z.uuid().optional() }),
    returns: Success.extend({ receipt: Receipt }),
    refuses: ['account.not-found', 'account.last-admin'],
  }),
  previewRemoval: call({
    method: 'GET',
    path: '/accounts/user/delete/preview/',
    summary: 'What deleting my account, or another person’s as an ADMIN, would erase, keep and cancel',
    access: 'signed-in',
    query: z.strictObject({ userId: z.uuid().optional() }),
    returns: RemovalPreview,
    refuses: ['account.not-found'],
  }),
  removals: call({
    method: 'GET',
    path: '/accounts/removals/list/',
    summary: 'Receipts of removals, by number or time; none says who it was',
    access: 'user.removals',
    query: PageQuery,
    page: {
      filters: { number: 'text', removedAt: 'time' },
      orders: ['removedAt'],
      defaultOrder: 'removedAt:desc',
    },
    returns: pageOf(Receipt),
    refuses: [],
  }),
  dataExport: call({
    method: 'GET',
    path: '/accounts/user/export/',
    summary: 'The file with my own data, if I asked for one',
    access: 'signed-in',
    returns: DataExport,
    refuses: [],
  }),
  startExport: call({
    method: 'POST',
    path: '/accounts/user/export/',
    summary: 'Have a file made with everything the service knows about me; a new one takes the last one’s place',
    access: 'signed-in',
    needsFreshSignIn: true,
    needsVerifiedAddress: true,
    returns: DataExport,
    unrecorded: true,
    refuses: ['account.export-waiting', 'request.too-many'],
  }),
  openExport: call({
    method: 'POST',
    path: '/accounts/user/export/open/',
    summary: 'The address of my file, good for ten minutes',
    access: 'signed-in',
    needsFreshSignIn: true,
    needsVerifiedAddress: true,
    returns: z.object({ url: z.string() }),
    // Its answer is a secret.
    unrecorded: true,
    refuses: ['account.no-export'],
  }),
  resetSecondFactor: call({
    method: 'POST',
    path: '/accounts/user/resetSecondFactor/',
    summary: 'For somebody who lost phone and recovery codes: take their second factor away and end their sessions',
    access: 'user.reset',
    needsFreshSignIn: true,
    body: z.strictObject({ userId: z.uuid() }),
    returns: Success,
    refuses: ['account.not-found', 'account.own-factor'],
  }),
  createToken: call({
    method: 'POST',
    path: '/accounts/user/createToken/',
    summary: 'A single-use custom token to carry my sign-in to another device, for five minutes',
    access: 'signed-in',
    returns: HandOver,
    creates: true,
    unrecorded: true,
    refuses: [],
  }),
  getToken: call({
    method: 'GET',
    path: '/accounts/user/getToken/',
    summary: 'My still valid custom token',
    access: 'signed-in',
    returns: HandOver,
    unrecorded: true,
    refuses: ['account.no-token'],
  }),
  sendCode: call({
    method: 'POST',
    path: '/accounts/public/email/send',
    summary: 'Send a six-digit code by e-mail; the answer never tells whether the address is known',
    access: 'anyone',
    query: z.strictObject({ email: Email }),
    returns: Success,
    unrecorded: true,
    perMinute: 30,
    refuses: ['request.too-many'],
  }),
  validateCode: call({
    method: 'POST',
    path: '/accounts/public/email/validate',
    summary: 'Is this the code we sent? keepCode leaves it usable once more',
    access: 'anyone',
    query: z.strictObject({ email: Email, code: Code, keepCode: z.stringbool().default(false) }),
    returns: z.object({ isValid: z.boolean() }),
    unrecorded: true,
    perMinute: 30,
    refuses: ['request.too-many'],
  }),
  changePassword: call({
    method: 'POST',
    path: '/accounts/public/changePassword/',
    summary:
      'Set a new password with a code; ends every session, the link of the calendar, and every way in from before the address was confirmed. An account that was never confirmed loses its company, profile and files, too. Tells what still signs in',
    access: 'anyone',
    body: z.strictObject({ email: Email, pass: Password, passConfirm: Password, code: Code }),
    returns: Success.extend({ kept: z.array(OtherWay), removed: z.array(TakenAway) }),
    unrecorded: true,
    perMinute: 30,
    refuses: ['account.wrong-code', 'account.weak-password', 'request.too-many'],
  }),
  changeEmail: call({
    method: 'PUT',
    path: '/accounts/user/changeEmail',
    summary: 'Move my account to a new address with the code that was sent there',
    access: 'signed-in',
    needsFreshSignIn: true,
    body: z.strictObject({ email: Email, code: Code }),
    returns: User,
    // A wrong code costs a try even though the call is refused; a repeat of a done change answers the same by itself.
    unrecorded: true,
    refuses: ['account.wrong-code', 'account.email-taken', 'account.no-seat', 'request.too-many'],
  }),
  verifyEmail: call({
    method: 'POST',
    path: '/accounts/user/verifyEmail/',
    summary: 'Show with the code that was sent there that my address is mine; safe to repeat',
    access: 'signed-in',
    body: z.strictObject({ code: Code }),
    returns: Success,
    // A wrong code costs a try even though the call is refused.
    unrecorded: true,
    refuses: ['account.wrong-code', 'account.no-seat', 'request.too-many'],
  }),
  acceptTerms: call({
    method: 'POST',
    path: '/accounts/user/terms/accept/',
    summary: 'Agree to the terms or the privacy notice in the words that I was shown; safe to repeat',
    access: 'signed-in',
    body: z.strictObject({
      documents: z
        .array(z.strictObject({ document: z.enum(termsDocuments), version: z.iso.date() }))
        .min(1)
        .max(termsDocuments.length),
    }),
    returns: Success,
    refuses: ['account.terms-changed'],
  }),
  available: call({
    method: 'GET',
    path: '/accounts/public/email/avaliable',
    summary: 'Is this address free for a new account?',
    access: 'anyone',
    query: z.strictObject({ email: Email }),
    returns: z.object({ isValid: z.boolean() }),
    perMinute: 30,
    refuses: ['request.too-many'],
  }),
  update: call({
    method: 'PUT',
    path: '/accounts/user/update',
    summary: 'Change my profile, or another person’s and as an ADMIN their role, tenant and whether they may sign in',
    access: 'signed-in',
    needsFreshSignIn: ['role', 'tenantId', 'isDisabled'],
    body: Changes,
    returns: User,
    refuses: [
      'access.forbidden',
      'account.not-found',
      'account.hours-changed',
      'account.changed',
      'account.admin-only',
      'account.last-admin',
      'account.not-confirmed',
      'asset.not-found',
      'asset.not-a-picture',
      'push.no-session',
      'tenant.none',
      'tenant.full',
    ],
  }),
  setup: call({
    method: 'POST',
    path: '/accounts/user/setup/',
    perMinute: 20,
    summary: 'Finish a profile after a first sign-in; safe to repeat',
    access: 'signed-in',
    needsFreshSignIn: ['invitationCode'],
    body: z.strictObject({
      userId: z.uuid().optional(),
      name: Name.optional(),
      profession: line(120).optional(),
      timezone: TimeZone.optional(),
      invitationCode: z.string().trim().max(64).optional(),
      preferences: Preferences.optional(),
    }),
    returns: User,
    refuses: [
      'account.not-found',
      'account.admin-only',
      'account.has-company',
      'asset.not-found',
      'asset.not-a-picture',
      'tenant.not-found',
      'tenant.full',
    ],
  }),
  bound: call({
    method: 'GET',
    path: '/accounts/binded/list',
    summary: 'The officers bound to me as their editor; any editor’s for an ADMIN',
    access: 'user.bound',
    query: PageQuery.extend({ editorId: z.uuid().optional() }),
    page: { filters: { name: 'text', email: 'text' }, orders: ['name', 'createdAt'], defaultOrder: 'name:asc' },
    returns: pageOf(User),
    refuses: ['account.not-found'],
  }),
  person: call({
    method: 'GET',
    path: '/accounts/people/:userId/',
    summary: 'One person within my reach',
    access: 'user.search',
    params: z.object({ userId: z.uuid() }),
    returns: Person,
    refuses: ['account.not-found'],
  }),
  consents: call({
    method: 'GET',
    path: '/accounts/consents/list/',
    summary: 'Who within my reach agreed to which words of the terms and of the privacy notice, and when',
    access: 'user.consents',
    query: PageQuery,
    page: {
      filters: { person: 'search', isCurrent: 'boolean', tenantId: 'uuid' },
      orders: ['name', 'createdAt'],
      defaultOrder: 'name:asc',
    },
    returns: pageOf(Consents),
    refuses: [],
  }),
  search: call({
    method: 'GET',
    path: '/accounts/users/search/',
    summary: 'Find people',
    access: 'user.search',
    query: PageQuery,
    page: {
      filters: {
        id: 'uuid',
        name: 'text',
        email: 'text',
        role: 'text',
        tenantId: 'uuid',
        editorId: 'uuid',
        isDisabled: 'boolean',
        createdAt: 'time',
      },
      orders: ['name', 'email', 'createdAt'],
      defaultOrder: 'name:asc',
    },
    returns: pageOf(User),
    refuses: [],
  }),
}
