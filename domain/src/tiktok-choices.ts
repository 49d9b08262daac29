/**
 * What TikTok demands that a person chooses for each post, nothing of it beforehand (developers.tiktok.com/doc/content-sharing-guidelines,
 * read in November 2026): whether it is posted or lies in the account's inbox, what others may do with it, whether it is commercial,
 * and that they agree to its terms.
 */
export const tiktokModes = ['direct', 'inbox'] as const
export const tiktokAllowed = ['comment', 'duet', 'stitch'] as const
export const tiktokDisclosed = ['own', 'paid'] as const

export type TiktokChoices = {
  /** `inbox`: TikTok puts it into the account's inbox, and its owner writes the text and posts it in the app. */
  mode: (typeof tiktokModes)[number]
  /** What others may do with it. */
  allows: readonly (typeof tiktokAllowed)[number][]
  /** Whether it promotes somebody or something; then `discloses` says whom: `own`, oneself or one's business, `paid`, a third party. */
  isCommercial: boolean
  discloses: readonly (typeof tiktokDisclosed)[number][]
  /** To the terms that TikTok names: its Music Usage Confirmation, and its Branded Content Policy where somebody else pays. */
  agrees: boolean
}

/** As it is offered at first: nothing is chosen. */
export const noTiktokChoices: TiktokChoices = {
  mode: 'direct',
  allows: [],
  isCommercial: false,
  discloses: [],
  agrees: false,
}

/** Where something of it is chosen. */
export type TiktokField = 'privacy' | 'discloses' | 'agrees'

/** What is still to be chosen or may not be chosen together, each with where it is chosen, in sentences that say what to do. */
export const tiktokFaults = (
  choices: TiktokChoices | undefined,
  privacy: string | undefined,
): { field: TiktokField; words: string }[] => {
  const { mode, isCommercial, discloses, agrees } = choices ?? noTiktokChoices
  // In its inbox all of it is chosen in the app.
  if (mode === 'inbox') return []
  const faults: { field: TiktokField; words: string }[] = []
  if (privacy === undefined) faults.push({ field: 'privacy', words: 'Choose who may see it on TikTok.' })
  if (isCommercial && discloses.length === 0)
    faults.push({
      field: 'discloses',
      words: 'Say whom it promotes on TikTok: your own brand, a third party, or both.',
    })
  if (!isCommercial && discloses.length > 0)
    faults.push({
      field: 'discloses',
      words: 'Say that it is commercial on TikTok, or do not say whom it promotes.',
    })
  if (isCommercial && discloses.includes('paid') && privacy === 'SELF_ONLY')
    faults.push({
      field: 'privacy',
      words: 'TikTok shows no paid partnership to you alone. Choose who else may see it.',
    })
  if (!agrees) faults.push({ field: 'agrees', words: 'Agree to TikTok’s terms, or the video is not posted there.' })
  return faults
}

/** The same without where. */
export const tiktokProblems = (choices: TiktokChoices | undefined, privacy: string | undefined): string[] =>
  tiktokFaults(choices, privacy).map(({ words }) => words)

/** How TikTok will label it; null where it is not commercial. */
export const tiktokLabel = ({
  isCommercial,
  discloses,
}: TiktokChoices): 'Promotional content' | 'Paid partnership' | null =>
  !isCommercial || discloses.length === 0
    ? null
    : discloses.includes('paid')
      ? 'Paid partnership'
      : 'Promotional content'
