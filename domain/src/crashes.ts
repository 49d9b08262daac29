import type { Role } from './roles.ts'

/** Work that made its worker die this often (a file's checks, a render) is given up instead of being begun again. */
export const mostCrashes = 2

/** May somebody of this role have an edit rendered whose last render made its worker die so often? */
export const mayRenderAgain = (role: Role, crashes: number): boolean => crashes < mostCrashes || role === 'ADMIN'
