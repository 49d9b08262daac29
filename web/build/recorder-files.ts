import type { Plugin, Rolldown } from 'vite'
import { firstFontsIn } from './fonts-preloaded.ts'
import { chunksFor } from './weighed.ts'

/** What the recorder's page begins with, and what it loads later without a person's asking. */
const modules = [
  'app/main.tsx',
  'app/panel/shell.tsx',
  'app/panel/record/record-page.tsx',
  'app/panel/assets/takes.ts',
  'app/forget.ts',
]
/** Files that lie beside the bundle and that its page asks for. */
const beside = ['/theme.js', '/favicon.svg', '/app.webmanifest', '/icons/icon-192.png']

/** Lists the files that the recorder's page needs without a network, for the service worker (public/worker.js). */
export function recorderFiles(): Plugin {
  return {
    name: 'recorder-files',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const files = [...recorderFilesIn(bundle), ...beside]
        this.emitFile({ type: 'asset', fileName: 'recorder-files.json', source: JSON.stringify({ files }) })
      },
    },
  }
}

/** The addresses of the scripts, the sheets, the first fonts and the recorder's workers. Throws where one is not in the bundle. */
export function recorderFilesIn(bundle: Rolldown.OutputBundle): string[] {
  const scripts = chunksFor(modules, bundle)
  const sheets = Object.keys(bundle).filter((name) =>
    scripts.some((script) => metadataOf(bundle[script]!).importedCss?.has(name)),
  )
  const app = Object.values(bundle).find((one) => one.type === 'asset' && one.names.includes('index.css'))?.fileName
  const fonts = firstFontsIn(Object.keys(bundle))
  const workers = ['files-worker', 'screen-camera-worker'].map((name) =>
    Object.keys(bundle).find((file) => file.startsWith(`assets/${name}-`) && file.endsWith('.js')),
  )
  if (app === undefined || workers.includes(undefined))
    throw new Error('The app’s sheet or a worker is not in the bundle; the recorder could not start offline.')
  return [...new Set([...scripts, ...sheets, app, ...fonts, ...workers])].map((name) => `/${name}`)
}

const metadataOf = (one: Rolldown.OutputChunk | Rolldown.OutputAsset): { importedCss?: Set<string> } =>
  (one as { viteMetadata?: { importedCss?: Set<string> } }).viteMetadata ?? {}
