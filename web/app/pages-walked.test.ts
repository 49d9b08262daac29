import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/** Every page of the panel (routes.tsx) is looked at by axe, at both widths and for sideways scrolling in e2e/pages.e2e.ts. */
const routes = readFileSync(join(import.meta.dirname, 'routes.tsx'), 'utf8')
const e2e = join(import.meta.dirname, '../../e2e')
const walk = ['panel-pages.ts', 'pages.e2e.ts'].map((file) => readFileSync(join(e2e, file), 'utf8')).join('\n')

/** Pages about one thing that the walk reaches in another way than by the first item of their list, and where it stands. */
const reached: Record<string, [file: string, text: string]> = {
  '/panel/projects/$projectId': ['pages.e2e.ts', 'await openProject(page, who)'],
  '/panel/projects/$projectId/edit': ['pages.e2e.ts', '`${project}/edit`'],
  '/panel/people/$personId': ['pages.e2e.ts', 'await personPage(who)'],
  // The demo has no webhook: its journey makes one.
  '/panel/people/webhooks/$endpointId': ['webhooks.e2e.ts', "'the log of a webhook'"],
}

it('each page of the panel is walked, and each page about one thing is opened from its list or as is said here', () => {
  const pages = [...routes.matchAll(/path: '(\/[^']*)'/g)].map(([, path]) => `/panel${path === '/' ? '' : path}`)
  expect(pages.length).toBeGreaterThan(30)
  const named = new Set([...walk.matchAll(/'(\/panel[^'?]*)/g)].map(([, path]) => path))
  const lists = [...walk.matchAll(/firstOf\(page, \[([^\]]*)\]/g)].map(([, inner]) => inner).join()
  const isReached = (page: string) => {
    const [file, text] = reached[page] ?? []
    if (file !== undefined) return readFileSync(join(e2e, file), 'utf8').includes(text!)
    const at = page.indexOf('/$')
    return at < 0 ? named.has(page) : lists.includes(`'${page.slice(0, at)}'`)
  }
  expect(pages.filter((page) => !isReached(page))).toEqual([])
  expect(Object.keys(reached).filter((page) => !pages.includes(page))).toEqual([])
})
