import { messages } from './messages.ts'

/** Enough to catch a slip before the service judges. */
export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text.trim())

/** What is wrong with an address that was written. */
export const emailFault = (text: string): { email?: string } => {
  if (text.trim() === '') return { email: messages.needEmail }
  return isEmail(text) ? {} : { email: messages.wrongEmail }
}
