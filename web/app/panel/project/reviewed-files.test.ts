import { expect, it } from 'vitest'
import { reviewedFiles } from './reviewed-files.ts'

it('a file that was approved or denied is judged, one that waits or was taken back is not', () => {
  const cuts = (['waiting', 'approved', 'denied', 'replaced'] as const).map((verdict) => ({
    asset: { assetId: verdict },
    verdict,
  }))
  expect([...reviewedFiles(cuts)]).toEqual(['approved', 'denied'])
  expect(reviewedFiles().size).toBe(0)
})
