import { basename } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

/** Scripts that few visitors of the public pages need. */
export const laterScripts = ['app/site/account.tsx', 'app/site/tags.ts', 'app/sign-in/take-over.tsx']
/** The app's own style sheet: sign-in at rest does without it. */
const appSheet = 'app/styles.css'

/**
 * Tells the public pages where the files are that few visitors need, as `<meta name="account" content="/assets/…">`: an
 * import() that the bundler knows would bring its preloading along, half of what the page's own script weighs.
 * Fails the build when one of them is not in the bundle.
 */
export function laterFilesNamed(): Plugin {
  return {
    name: 'later-files-named',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { filename, bundle }) =>
        basename(filename) === 'index.html'
          ? []
          : [...laterScripts, appSheet].map((file) => ({
              tag: 'meta',
              attrs: { name: basename(file).split('.')[0]!, content: `/${bundle ? builtAs(file, bundle) : file}` },
              injectTo: 'head' as const,
            })),
    },
  }
}

/** The name under which a source file was written. */
export function builtAs(file: string, bundle: Rolldown.OutputBundle): string {
  const found = Object.values(bundle).find((one) =>
    one.type === 'chunk'
      ? one.facadeModuleId?.endsWith(`/${file}`)
      : // The sheet of index.html bears its name.
        file === appSheet && one.names.includes('index.css'),
  )
  if (!found)
    throw new Error(`${file} is not in the bundle under a name of its own; the public pages could not load it.`)
  return found.fileName
}
