import { paths } from '../paths.ts'
import { words } from './words/frame.ts'

/** Where header and footer of every page lead (docs/specification/pages.md). */
export const publicLinks = [
  ['/#home', words.home],
  ['/#how-it-works', words.how],
  ['/#testimonies', words.testimonies],
  ['/#plans', words.plans],
  ['/#faq', words.faq],
] as const

/** What else stands at the foot of every page. */
export const footLinks = [
  [paths.terms, words.terms],
  [paths.privacy, words.privacy],
  [paths.whatsNew, words.whatsNew],
  [paths.status, words.status],
  [paths.contact, words.contact],
] as const
