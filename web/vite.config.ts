import { readFile, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build, defineConfig, runnerImport, type Plugin } from 'vite'

const server = process.env['API_ORIGIN'] ?? 'http://localhost:4000'
const root = import.meta.dirname
const laterScripts = ['app/site/account.tsx', 'app/site/tags.ts', 'app/sign-in/take-over.tsx']

export default defineConfig({
  root,
  plugins: [
    react(),
    tailwind(),
    sonnerWithoutStyleTag(),
    reactAriaInOurLanguages(),
    zodForTypesOnly(),
    contractForAddressesOnly(),
    pagesPrerendered(),
    renderedWhenServed(),
    laterScriptsNamed(),
    fontsPreloaded(),
    homeAtSlash(),
    compressed(),
    weighed(),
  ],
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      ['/api', '/identity', '/uploads', '/media', '/dev/sign-in'].map((path) => [path, server]),
    ),
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: [...['index', 'home', 'login', 'not-found', 'error'].map((page) => `${page}.html`), ...laterScripts].map(
        (file) => join(root, file),
      ),
      // What a first page needs travels in few pieces instead of seventy, which packs a tenth smaller: what the public
      // pages’ account menu shares with the panel (no library but React: visitors wait for it), what every address of the
      // app shares, and the rest. No script that does something by being there may lie in one of them.
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'account',
              test: /\/web\/app\/(send\.ts|site\/(account-menu|plan-cards|shell)\.tsx|site\/use-products\.ts)$|\/react-dom\/index\.js$/,
              priority: 3,
            },
            { name: 'app', test: /\/web\/app\/(app|ui\/button|ui\/toasts)\.tsx$/, priority: 2 },
            { name: 'panel', test: /\/web\/app\/panel\/(shell|projects\/projects-page)\.tsx$/, priority: 1 },
          ],
        },
      },
    },
  },
})

/** sonner appends a style element while it loads, which our content policy forbids; its sheet is in styles.css. */
function sonnerWithoutStyleTag(): Plugin {
  return {
    name: 'sonner-without-style-tag',
    transform: {
      filter: { id: /sonner\/dist\/index\.mjs/ },
      handler: (code) => code.replace("if (!code || typeof document == 'undefined') return", 'return'),
    },
  }
}

/** React Aria brings its few words in 34 languages; the panel speaks only some. Absent ones fall back to English. */
function reactAriaInOurLanguages(): Plugin {
  return {
    name: 'react-aria-in-our-languages',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: /react-(aria|stately)[^/]*\/dist\/.*intl\/.*\/[a-z]{2}-[A-Z]{2}\.mjs$/ },
      handler: (id) => (/\/(en-US|es-ES)\.mjs$/.test(id) ? null : 'export default undefined'),
    },
  }
}

/**
 * The contract's schemas are types to the panel: it reads methods and paths, and the service judges what is sent.
 * A stand-in saves every visitor 20 kB and the building of a hundred schemas at start; validating with it throws.
 */
function zodForTypesOnly(): Plugin {
  const standIn = `
    const refuse = () => { throw new Error('zod is not in the browser bundle: see zodForTypesOnly in vite.config.ts') }
    const judges = new Set(['parse', 'safeParse', 'parseAsync', 'safeParseAsync', 'decode', 'encode'])
    export const z = new Proxy(() => {}, {
      get: (_, name) => (typeof name === 'symbol' || name === 'then' ? undefined : judges.has(name) ? refuse : z),
      apply: () => z,
    })
  `
  return {
    name: 'zod-for-types-only',
    enforce: 'pre',
    resolveId: { filter: { id: /^zod$/ }, handler: () => '\0zod' },
    load: { filter: { id: /^\0zod$/ }, handler: () => standIn },
  }
}

/**
 * Of a call the panel needs method and address. What else the contract says of it (schemas, summaries, refusals) is taken
 * out of the bundle, and every schema that nothing names any more falls away with it.
 */
function contractForAddressesOnly(): Plugin {
  const needed = new Set(['method', 'path', 'base'])
  type Node = { type: string; start: number; end: number; [key: string]: unknown }
  const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string'
  const rootOf = (node: Node): unknown =>
    node.type === 'CallExpression'
      ? rootOf(node['callee'] as Node)
      : node.type === 'MemberExpression'
        ? rootOf(node['object'] as Node)
        : node['name']
  return {
    name: 'contract-for-addresses-only',
    apply: 'build',
    transform: {
      filter: { id: /\/contract\/src\/\w+\.ts$/ },
      handler(code) {
        const cuts: { from: number; to: number; by: string }[] = []
        const visit = (node: Node, isTop: boolean) => {
          if (node.type === 'CallExpression' && rootOf(node) === 'z')
            return void cuts.push({ from: node.start, to: node.end, by: 'z' })
          if (node.type === 'CallExpression' && rootOf(node) === 'call')
            for (const { key, ...property } of (node['arguments'] as { properties?: (Node & { key: Node })[] }[])[0]
              ?.properties ?? [])
              if (!needed.has(String(key['name'])))
                cuts.push({ from: property.start, to: property.end + Number(code[property.end] === ','), by: '' })
          if (node.type === 'CallExpression' && isTop)
            cuts.push({ from: node.start, to: node.start, by: '/* @__PURE__ */ ' })
          if (node.type === 'CallExpression' && rootOf(node) === 'call') return
          for (const child of Object.values(node).flat())
            if (isNode(child)) visit(child, node.type === 'VariableDeclarator')
        }
        visit(this.parse(code) as unknown as Node, false)
        const lean = cuts
          .toSorted((a, b) => b.from - a.from)
          .reduce((text, { from, to, by }) => text.slice(0, from) + by + text.slice(to), code)
        return { code: lean, map: null }
      },
    },
  }
}

/** Puts the public pages' HTML into their files: React renders it here, and none of it travels to the visitor. */
function pagesPrerendered(): Plugin {
  const load = async <Module>(file: string) =>
    (await runnerImport<Module>(join(root, 'app/site', file), { root, configFile: false })).module
  return {
    name: 'pages-prerendered',
    transformIndexHtml: {
      order: 'pre',
      handler: async (html, { filename, server: dev }) => {
        const name = basename(filename)
        const { headOf } = await load<typeof import('./app/site/head.tsx')>('head.tsx')
        const { pages } = await load<typeof import('./app/site/render.tsx')>('render.tsx')
        const headed = html.replace('<!--head-->', headOf(name))
        const page = pages[name]
        if (!page) return headed
        const full = headed.replace('<!--page-->', await page())
        if (!dev) return full
        // While developing nobody fills the slots when the page is served.
        const { renderHead, renderPlans, renderWays } =
          await load<typeof import('./app/site/render-live.tsx')>('render-live.tsx')
        const products = await fetch(`${server}/api/subscriptions/products/public/list/`)
          .then((answer) => answer.json() as Promise<Parameters<typeof renderPlans>[0]>)
          .catch(() => [])
        return full
          .replace('{{head}}', renderHead('', products))
          .replace('{{plans}}', renderPlans(products))
          .replace('{{ways}}', renderWays([]))
          .replace('{{year}}', String(new Date().getFullYear()))
          .replaceAll('{{privacy}}', '')
      },
    },
  }
}

/** Builds what the service renders into the front page when it serves it: dist/.server/render-live.js, for Node. */
function renderedWhenServed(): Plugin {
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
        ssr: { noExternal: ['lucide-react'] },
        build: { ssr: join(root, 'app/site/render-live.tsx'), outDir: join(root, 'dist/.server'), target: 'es2023' },
      })
    },
  }
}

/**
 * Tells the public pages where the scripts are that few visitors need, as `<meta name="account" content="/assets/…">`: an
 * import() that the bundler knows would bring its preloading along, half of what the page's own script weighs. The app's own
 * style sheet likewise: sign-in at rest does without it.
 */
function laterScriptsNamed(): Plugin {
  return {
    name: 'later-scripts-named',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { filename, bundle }) =>
        filename.endsWith('index.html')
          ? []
          : [...laterScripts, 'app/styles.css'].map((file) => {
              const found = Object.values(bundle ?? {}).find((one) =>
                one.type === 'chunk'
                  ? one.facadeModuleId?.endsWith(file)
                  : file === 'app/styles.css' && isAppSheet(one),
              )
              const content = `/${found?.fileName ?? file}`
              return { tag: 'meta', attrs: { name: basename(file).split('.')[0]!, content }, injectTo: 'head' as const }
            }),
    },
  }
}

/** The sheet of index.html bears its name. */
const isAppSheet = ({ names }: { names: string[] }): boolean => names.includes('index.css')

/** Asks for the two faces of the first view before the style sheet has been read. */
function fontsPreloaded(): Plugin {
  return {
    name: 'fonts-preloaded',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((name) => /\/(geist|funnel-display)-[\w-]{8}\.woff2$/.test(name))
          .map((name) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${name}`, crossorigin: true },
            injectTo: 'head-prepend' as const,
          })),
    },
  }
}

/** In development `/` is the public page, as in production; every other page is the app. */
function homeAtSlash(): Plugin {
  return {
    name: 'home-at-slash',
    configureServer: (dev) => {
      dev.middlewares.use((request, _response, next) => {
        if (request.url === '/' || request.url?.startsWith('/?')) request.url = '/home.html'
        if (request.url && isPlainSignIn(request.url)) request.url = '/login.html'
        next()
      })
    },
  }
}

/** As the service tells them apart (server/src/http/pages.ts): the other forms of /login are the app's from the start. */
const isPlainSignIn = (url: string): boolean => /^\/login\/?(\?|$)/.test(url) && !/[?&](mode|invitation)=/.test(url)

/** Writes `.br` and `.gz` beside every text file, so that the server never compresses. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle: async ({ dir }, bundle) => {
      const files = Object.keys(bundle).filter((name) => /\.(js|css|html|svg|json|webmanifest)$/.test(name))
      await Promise.all(
        files.map(async (name) => {
          const file = join(dir ?? join(root, 'dist'), name)
          const content = await readFile(file)
          const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
          await writeFile(`${file}.br`, await promisify(brotliCompress)(content, quality))
          await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
        }),
      )
    },
  }
}

/** Says what the panel's first page weighs (JavaScript, brotli), and warns when it outgrows its budget. */
function weighed(): Plugin {
  const budget = 185
  const first = ['app/main.tsx', 'app/panel/shell.tsx', 'app/panel/projects/projects-page.tsx']
  return {
    name: 'weighed',
    apply: 'build',
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler({ dir }, bundle) {
        const needed = new Set<string>()
        const need = (name: string) => {
          const chunk = bundle[name]
          if (chunk?.type !== 'chunk' || needed.has(name)) return
          needed.add(name)
          for (const imported of chunk.imports) need(imported)
        }
        for (const chunk of Object.values(bundle))
          if (chunk.type === 'chunk' && chunk.moduleIds.some((id) => first.some((file) => id.endsWith(`/web/${file}`))))
            need(chunk.fileName)
        const files = await Promise.all([...needed].map((name) => stat(`${join(dir ?? join(root, 'dist'), name)}.br`)))
        const weight = files.reduce((sum, { size }) => sum + size, 0) / 1000
        const words = `The panel's first page: ${weight.toFixed(1)} kB of ${budget} kB`
        if (weight > budget) this.warn(`${words}. Make something lazy`)
        else this.info(words)
      },
    },
  }
}
