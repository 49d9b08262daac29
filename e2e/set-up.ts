import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { FullConfig } from '@playwright/test'
import { startProduct, type Product } from './product.ts'

/**
 * One product for each worker, so that journeys go side by side and none meets what another is doing. All begin with a copy
 * of the same demo: of JOURNEY_DEMO, where a developer keeps one.
 */
export default async ({ workers }: FullConfig): Promise<() => Promise<void>> => {
  if (!existsSync(join(import.meta.dirname, '../web/dist')))
    throw new Error('There is no panel to walk through yet: npm -w web run build')
  // Ctrl-C is Playwright's own; of these it knows nothing, and the products would be left running.
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
  // The same at a second try.
  process.env.PAGES_TURN ??= String(Math.floor(Math.random() * 4))
  const folder = await mkdtemp(join(tmpdir(), 'clear-to-post-journey-'))
  let demo = process.env.JOURNEY_DEMO
  if (!demo || !existsSync(demo)) {
    demo = join(folder, 'demo')
    await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'make-demo.ts'), demo])
  }
  const running = await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      const dataDir = join(folder, `worker-${worker}`)
      // With its owners: PostgreSQL runs as somebody else.
      await promisify(execFile)('cp', ['-a', demo, dataDir])
      return startProduct(dataDir)
    }),
  )
  const products: Product[] = running.map(({ url, dataDir, pushPort, webhookPort }) => ({
    url,
    dataDir,
    pushPort,
    webhookPort,
  }))
  process.env.JOURNEY_PRODUCTS = JSON.stringify(products)
  return async () => {
    const refused = await Promise.all(
      running.map(
        async ({ url }) => ((await (await fetch(`${url}/dev/csp-reports`)).json()) as { items: string[] }).items,
      ),
    )
    await Promise.all(running.map(({ stop }) => stop()))
    await rm(folder, { recursive: true, force: true })
    if (refused.flat().length > 0)
      throw new Error(`A browser refused something by our content policy:\n${refused.flat().join('\n')}`)
  }
}
