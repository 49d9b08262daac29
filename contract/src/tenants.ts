import { z } from 'zod'
import { PictureAddress } from './assets.ts'
import { fourEyesValues } from '@clear-to-post/domain/decide'
import { equalHousings, licenceStateCodes } from '@clear-to-post/domain/licences'
import { setUpSteps } from '@clear-to-post/domain/tenants'
import { call } from './call.ts'
import { LicenceStates, NmlsNumber } from './licences.ts'
import { PageQuery, pageOf } from './page.ts'
import { Subscription } from './subscriptions.ts'
import { visible } from './visible.ts'

/** What a stranger with the code may know of a tenant; nothing else. */
export const Invitation = z.object({
  name: z.string(),
  logoUrl: z.string(),
  primaryColor: z.string(),
  secondaryColor: z.string(),
  seatsLeft: z.number().int(),
})

const Colour = z.string().regex(/^#[0-9a-f]{6}$/i, 'Write the colour as #rrggbb')
const Address = z.union([
  z.literal(''),
  z.url({ protocol: /^https?$/ }).max(500),
  z.string().startsWith('/media/').max(500),
])

const FourEyes = z.enum(fourEyesValues)

const TenantPreferences = z.object({
  iconUrl: z.string(),
  logoUrl: z.string(),
  primaryColor: z.string(),
  secondaryColor: z.string(),
  guidelinesUrl: z.string().optional(),
})

export const Tenant = z.object({
  id: z.uuid(),
  name: z.string(),
  isActive: z.boolean(),
  isSubscriptionActive: z.boolean(),
  preferences: TenantPreferences,
  /** Answered when the tenant is made and by `tenants.inviteCode`; empty everywhere else. */
  inviteCode: z.string(),
  totalUsersAllowed: z.number().int(),
  currentUsersSize: z.number().int().optional(),
  chargeByEmail: z.boolean(),
  defaultProductId: z.string().optional(),
  defaultPlanId: z.string().optional(),
  defaultCoupomCode: z.string().optional(),
  allowedProducts: z.array(z.string()).optional(),
  useOwnScripts: z.boolean().optional(),
  /** Whether everybody in it needs a second factor to sign in. */
  requireSecondFactor: z.boolean().optional(),
  /** How many people each video needs: with `three-people`, its author, who sends it to approval and who approves it. */
  fourEyes: FourEyes.optional(),
  /** The company's number in the Nationwide Multistate Licensing System, digits; and the states it is licensed in. */
  nmlsNumber: z.string().optional(),
  licenceStates: z.array(z.enum(licenceStateCodes)).max(licenceStateCodes.length).optional(),
  /** The words its advertisements carry. */
  equalHousing: z.enum(equalHousings).optional(),
  subscription: Subscription.optional(),
})
export type Tenant = z.infer<typeof Tenant>

const TenantData = z.strictObject({
  name: visible(120),
  isActive: z.boolean().optional(),
  preferences: z
    .strictObject({
      iconUrl: PictureAddress.optional(),
      logoUrl: PictureAddress.optional(),
      primaryColor: Colour.optional(),
      secondaryColor: Colour.optional(),
      guidelinesUrl: Address.optional(),
    })
    .optional(),
  inviteCode: z
    .string()
    .trim()
    .regex(/^[\w-]{6,40}$/, 'Use 6 to 40 letters, digits, - or _')
    .optional(),
  totalUsersAllowed: z.number().int().min(0).max(100_000).optional(),
  chargeByEmail: z.boolean().optional(),
  defaultProductId: z.string().max(200).nullable().optional(),
  defaultPlanId: z.string().max(200).nullable().optional(),
  defaultCoupomCode: z.string().max(200).nullable().optional(),
  allowedProducts: z.array(z.string().max(200)).max(100).nullable().optional(),
  useOwnScripts: z.boolean().optional(),
  requireSecondFactor: z.boolean().optional(),
  fourEyes: FourEyes.optional(),
  nmlsNumber: NmlsNumber.optional(),
  licenceStates: LicenceStates.optional(),
  /** null: none. */
  equalHousing: z.enum(equalHousings).nullable().optional(),
})

/** A step of setting up a company; it follows from what is there and is ticked by nobody. */
const SetUpStep = z.object({ key: z.enum(setUpSteps), isDone: z.boolean() })

export const tenants = {
  create: call({
    method: 'PUT',
    path: '/tenants/create',
    summary: 'Make a tenant; without an invitation code it is given one',
    access: 'tenant.create',
    needsFreshSignIn: true,
    body: TenantData,
    returns: Tenant,
    creates: true,
    refuses: ['tenant.service-only', 'tenant.code-taken', 'asset.not-found', 'asset.not-a-picture'],
  }),
  me: call({
    method: 'GET',
    path: '/tenants/me',
    summary: 'My tenant',
    access: 'signed-in',
    returns: Tenant,
    refuses: ['tenant.none'],
  }),
  find: call({
    method: 'GET',
    path: '/tenants/:tenantId/find',
    summary: 'One tenant',
    access: 'tenant.read',
    params: z.object({ tenantId: z.uuid() }),
    returns: Tenant,
    refuses: ['tenant.none'],
  }),
  setUp: call({
    method: 'GET',
    path: '/tenants/:tenantId/setUp',
    summary: 'What is done and what is left to do until a company has its first approved video',
    access: 'tenant.read',
    params: z.object({ tenantId: z.uuid() }),
    returns: z.object({ steps: z.array(SetUpStep).max(setUpSteps.length) }),
    refuses: ['tenant.none'],
  }),
  inviteCode: call({
    method: 'GET',
    path: '/tenants/:tenantId/inviteCode',
    summary: 'The code by which people join a tenant',
    access: 'tenant.invite',
    needsFreshSignIn: true,
    params: z.object({ tenantId: z.uuid() }),
    returns: z.object({ inviteCode: z.string() }),
    refuses: ['tenant.none'],
  }),
  update: call({
    method: 'POST',
    path: '/tenants/update',
    // A company's own code is refused where it is another company's: nobody tries them one after the other.
    perMinute: 20,
    summary: 'Change a tenant; its own ADMIN changes branding, scripts and code, the service’s also seats and billing',
    access: 'tenant.update',
    needsFreshSignIn: [
      'data.isActive',
      'data.inviteCode',
      'data.totalUsersAllowed',
      'data.chargeByEmail',
      'data.requireSecondFactor',
      'data.fourEyes',
    ],
    body: z.strictObject({ tenantId: z.uuid(), data: TenantData.partial() }),
    returns: Tenant,
    refuses: [
      'tenant.none',
      'tenant.service-only',
      'tenant.code-taken',
      'tenant.too-few-seats',
      'asset.not-found',
      'asset.not-a-picture',
    ],
  }),
  list: call({
    method: 'GET',
    path: '/tenants/list',
    summary: 'All tenants; an own one’s ADMIN sees that one',
    access: 'tenant.list',
    query: PageQuery,
    page: { filters: { name: 'text', isActive: 'boolean' }, orders: ['name', 'createdAt'], defaultOrder: 'name:asc' },
    returns: pageOf(Tenant),
    refuses: [],
  }),
  invitation: call({
    method: 'GET',
    path: '/tenants/public/invitation/:code',
    summary: 'Name and branding of the tenant an invitation code belongs to',
    access: 'anyone',
    params: z.object({ code: z.string().min(1).max(64) }),
    returns: Invitation,
    unrecorded: true,
    perMinute: 60,
    refuses: ['tenant.not-found', 'request.too-many'],
  }),
}
