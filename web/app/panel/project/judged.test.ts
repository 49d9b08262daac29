import { expect, it } from 'vitest'
import { judgedOf } from './judged.ts'

it('a file that was approved or denied is judged, one that waits or was taken back is not', () => {
  const cuts = (['waiting', 'approved', 'denied', 'replaced'] as const).map((verdict) => ({
    asset: { assetId: verdict },
    verdict,
  }))
  expect([...judgedOf(cuts)]).toEqual(['approved', 'denied'])
  expect(judgedOf().size).toBe(0)
})
