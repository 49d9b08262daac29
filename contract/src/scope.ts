import { scopeOfPermission, type Scope } from '@clear-to-post/domain/scopes'
import type { CallShape } from './call.ts'

/** The scope by which a key for programs may make this call; null: only a person who is signed in may. */
export const scopeOf = (shape: CallShape, whose: Parameters<typeof scopeOfPermission>[1] = {}): Scope | null => {
  if (shape.needsFreshSignIn !== undefined || shape.base === '/identity') return null
  if (shape.access === 'anyone' || shape.access === 'signed-in') return shape.scope ?? null
  const scope = scopeOfPermission(shape.access, whose)
  return scope && (shape.scope ?? scope)
}
