import { basename, join } from 'node:path'
import { build, runnerImport, type Plugin } from 'vite'
import { replacedOnce } from './patch.ts'

/** Puts the public pages' HTML into their files: React renders it here, and none of it travels to the visitor. */
export function publicPages(root: string, service: string): Plugin {
  const load = async <Module>(file: string) =>
    (await runnerImport<Module>(join(root, 'app/site', file), { root, configFile: false })).module
  return {
    name: 'public-pages',
    transformIndexHtml: {
      order: 'pre',
      handler: async (html, { filename, server: dev }) => {
        const name = basename(filename)
        const { headOf } = await load<typeof import('../app/site/head.tsx')>('head.tsx')
        const { pages } = await load<typeof import('../app/site/render.tsx')>('render.tsx')
        const headed = replacedOnce(html, '<!--head-->', headOf(name), name)
        const page = pages[name]
        if (!page) return headed
        const full = replacedOnce(headed, '<!--page-->', await page(), name)
        return dev ? withServedParts(full) : full
      },
    },
  }

  /** What the service fills in when it serves a page; while developing nobody else does. */
  async function withServedParts(html: string): Promise<string> {
    const { renderHead, renderPlans, renderStatus, renderWays } =
      await load<typeof import('../app/site/render-live.tsx')>('render-live.tsx')
    const products = await fetch(`${service}/api/subscriptions/products/public/list/`)
      .then((answer) => answer.json() as Promise<Parameters<typeof renderPlans>[0]>)
      .catch(() => [])
    return html
      .replace('{{head}}', renderHead('', products))
      .replace('{{plans}}', renderPlans(products))
      .replace('{{ways}}', renderWays([]))
      .replace('{{status}}', renderStatus(null, new Date()))
      .replace('{{year}}', String(new Date().getFullYear()))
      .replaceAll('{{privacy}}', '')
  }
}

/** Builds what the service renders into the front page when it serves it: dist/.server/render-live.js, for Node. */
export function renderedWhenServed(root: string): Plugin {
  return {
    name: 'rendered-when-served',
    apply: 'build',
    closeBundle: async () => {
      await build({
        root,
        configFile: false,
        logLevel: 'error',
        publicDir: false,
        // Its index alone would bring a thousand icons into the service.
        // What the service runs stands alone: its own packages have no React.
        ssr: { noExternal: true },
        build: { ssr: join(root, 'app/site/render-live.tsx'), outDir: join(root, 'dist/.server'), target: 'es2023' },
      })
    },
  }
}
