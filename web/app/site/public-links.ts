import { words } from './words/frame.ts'

/** Where header and footer of every page lead (docs/specification/pages.md). */
export const publicLinks = [
  ['/#home', words.home],
  ['/#how-it-works', words.how],
  ['/#testimonies', words.testimonies],
  ['/#plans', words.plans],
  ['/#faq', words.faq],
] as const
