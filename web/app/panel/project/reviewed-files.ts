type SentCut = { asset: { assetId: string }; verdict: string }

/** The files that were approved or denied as cuts: none of them is sent again, as it is. */
export const reviewedFiles = (cuts: readonly SentCut[] = []): ReadonlySet<string> =>
  new Set(cuts.flatMap(({ asset, verdict }) => (verdict === 'approved' || verdict === 'denied' ? asset.assetId : [])))
