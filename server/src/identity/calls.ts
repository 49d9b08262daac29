import { identity } from '@clear-to-post/contract/identity'
import { onOpen, type Mounted, type OpenContext } from '../http/mount.ts'
import { refreshSession, signInWithCustomToken, signInWithPassword, signOut, type Opened } from './actions.ts'
import { idTokenSeconds } from './id-token.ts'
import type { Identity } from './open.ts'

export type { Identity }

export const identityCalls = (service: Identity): Mounted[] => {
  const { cookie, keys, signIdToken } = service
  const answer = async ({ person, refreshToken }: Opened, { reply }: OpenContext) => {
    cookie.write(reply, refreshToken)
    return { idToken: await signIdToken(person), expiresIn: idTokenSeconds }
  }
  return [
    onOpen(identity.password, async ({ body }, context) =>
      answer(await signInWithPassword(context.database, body.email, body.password), context),
    ),
    onOpen(identity.customToken, async ({ body }, context) =>
      answer(await signInWithCustomToken(context.database, body.token), context),
    ),
    onOpen(identity.refresh, async (_input, context) =>
      answer(await refreshSession(context.database, cookie.read(context.request)), context),
    ),
    onOpen(identity.signOut, async ({ body }, { database, caller, request, reply }) => {
      const token = cookie.read(request)
      await signOut(database, { token, callerId: caller?.id ?? null, everywhere: body?.everywhere ?? false })
      cookie.clear(reply)
      return { success: true as const }
    }),
    onOpen(identity.keys, async () => ({ keys: (await keys.published()) as Record<string, unknown>[] })),
  ]
}
