import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { FullConfig } from '@playwright/test'
import { makeDemo, startProduct, type Product } from './product.ts'

/**
 * One product for each kind of screen, so that they go through their journeys side by side and nobody meets the other's
 * doings. Both begin with a copy of the same demo: of JOURNEY_DEMO, where a developer keeps one.
 */
export default async ({ projects }: FullConfig): Promise<() => Promise<void>> => {
  if (!existsSync(join(import.meta.dirname, '../web/dist')))
    throw new Error('There is no panel to walk through yet: npm -w web run build')
  const folder = await mkdtemp(join(tmpdir(), 'clear-to-post-journey-'))
  let demo = process.env.JOURNEY_DEMO
  if (!demo || !existsSync(demo)) {
    demo = join(folder, 'demo')
    await makeDemo(demo)
  }
  const running = await Promise.all(
    projects.map(async ({ name }) => {
      const dataDir = join(folder, name)
      // With its owners: PostgreSQL runs as somebody else.
      await promisify(execFile)('cp', ['-a', demo, dataDir])
      return { name, ...(await startProduct(dataDir)) }
    }),
  )
  const products: Record<string, Product> = {}
  for (const { name, url, dataDir, pushPort } of running) products[name] = { url, dataDir, pushPort }
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
