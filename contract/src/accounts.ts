import { z } from 'zod'
import { loginSystems, roles, type LoginSystem } from '@clear-to-post/domain/roles'
import { call } from './call.ts'
import { PageQuery, pageOf } from './page.ts'

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
})
export type User = z.infer<typeof User>

/** The signed-in person, with what the panel needs at once. */
export const Profile = User.extend({
  tenantName: z.string().optional(),
})
export type Profile = z.infer<typeof Profile>

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
      name: z.string().trim().min(1).max(120),
      password: Password,
      passwordConfirmation: Password,
      profession: z.string().trim().max(120).optional(),
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
  search: call({
    method: 'GET',
    path: '/accounts/users/search/',
    summary: 'Find people',
    access: 'user.search',
    query: PageQuery,
    page: {
      filters: { name: 'text', email: 'text', role: 'text', tenantId: 'uuid', editorId: 'uuid' },
      orders: ['name', 'email', 'createdAt'],
      defaultOrder: 'name:asc',
    },
    returns: pageOf(User),
    refuses: [],
  }),
}
