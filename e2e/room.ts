import type { Page } from '@playwright/test'

/** From now on the page's origin has room for so many bytes more, and the browser refuses what goes beyond. */
export const leaveRoom = async (page: Page, bytes: number): Promise<void> => {
  const { origin } = new URL(page.url())
  const session = await page.context().newCDPSession(page)
  const { usage } = await session.send('Storage.getUsageAndQuota', { origin })
  await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: Math.round(usage + bytes) })
}
