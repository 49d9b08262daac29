/**
 * What becomes of what the service knows about somebody who is removed, and what of it they get as a file. Each column of
 * each table says one of these (the rooms' personal-data.ts); a receipt and the profile page say them to people.
 */
export const reasonsToStay = {
  record: {
    what: 'The record of the work: which step was taken when, and by which role',
    why: 'It carries no name, and shows a company how its videos came about.',
  },
  approved: {
    what: 'Videos that were approved for a company',
    why: 'They were published under the company’s name, and the company must be able to show them.',
  },
  company: {
    what: 'What was written for a company or for the service: its library, notes about others, remarks on others’ videos',
    why: 'It belongs to the company or the service. It no longer says who wrote it.',
  },
  payments: {
    what: 'Amounts and dates of payments',
    why: 'The law asks us to keep them. Names and cards are erased.',
  },
  freeVideo: {
    what: 'If you had your free video: codes that were computed from your address and its domain, and when it was',
    why: 'Each mailbox has one free video, and a domain ten in 30 days, also after an account is deleted. The address cannot be read from the codes.',
  },
  number: {
    what: 'The number of the account',
    why: 'It names nobody, and keeps the record together.',
  },
} as const satisfies Record<string, { what: string; why: string }>
export type ReasonToStay = keyof typeof reasonsToStay

export const reasonsToWithhold = {
  secret: 'Keys and secrets protect the account and say nothing about you.',
  staff: 'Who works for you, and what staff write among themselves, is shown to nobody outside.',
  others: 'It is about other people.',
  inner: 'Numbers that the service needs for its own work.',
} as const satisfies Record<string, string>
export type ReasonToWithhold = keyof typeof reasonsToWithhold

/** Days that a file with somebody's own data is kept for them. */
export const exportDays = 7

/** How often a person may ask for one within 24 hours. */
export const exportsPerDay = 3
