import { expect, type Page } from '@playwright/test'

/** Somebody at the keyboard is somewhere: what closed or was taken away has not left the focus nowhere. */
export const expectFocusKept = async (page: Page, after: string): Promise<void> => {
  const where = () => page.evaluate(() => document.activeElement?.tagName ?? 'BODY')
  await expect.poll(where, { message: `focus after ${after}`, timeout: 5000 }).not.toBe('BODY')
}
