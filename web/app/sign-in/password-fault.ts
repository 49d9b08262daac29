import { shortestPassword } from '@clear-to-post/domain/password-length'
import { messages } from './messages.ts'

/** What a browser can tell of a new password; the service knows the rest, such as common ones and what staff need. */
export const passwordFault = (password: string): { password?: string } => {
  if (password === '') return { password: messages.newPassword }
  const least = shortestPassword.user
  return [...password].length < least ? { password: messages.shortPassword(least) } : {}
}
