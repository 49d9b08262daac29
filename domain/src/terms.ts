/** What everybody who uses the service agrees to, and since which day its words are those of today (yyyy-mm-dd, web/app/site/words). */
export const termsVersions = { terms: '2026-11-27', privacy: '2026-11-27' } as const

export const termsDocuments = ['terms', 'privacy'] as const satisfies readonly (keyof typeof termsVersions)[]
export type TermsDocument = (typeof termsDocuments)[number]
export type Accepted = { document: TermsDocument; version: string }

/** The documents of today that somebody has not agreed to, in order. */
export const dueTerms = (accepted: readonly Accepted[]): TermsDocument[] =>
  termsDocuments.filter(
    (document) => !accepted.some((one) => one.document === document && one.version === termsVersions[document]),
  )

/** Whether each of these is a document in its words of today. */
export const areOfToday = (shown: readonly Accepted[]): boolean =>
  shown.every(({ document, version }) => termsVersions[document] === version)
