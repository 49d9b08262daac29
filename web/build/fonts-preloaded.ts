import type { Plugin } from 'vite'

/** The two font files of the first view; `-more` holds the letters that few texts need. */
const firstFonts = /\/(geist|funnel-display)-[\w-]{8}\.woff2$/

/** Asks for the fonts of the first view before the style sheet has been read. Fails the build unless it finds both. */
export function fontsPreloaded(): Plugin {
  return {
    name: 'fonts-preloaded',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        firstFontsIn(Object.keys(bundle ?? {})).map((name) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${name}`, crossorigin: true },
          injectTo: 'head-prepend' as const,
        })),
    },
  }
}

/** @param files the names of all files that are written */
export function firstFontsIn(files: readonly string[]): string[] {
  const found = files.filter((name) => firstFonts.test(name))
  if (found.length !== 2)
    throw new Error(`The first view has two fonts, and ${found.length} were found: ${found.join(', ') || 'none'}.`)
  return found
}
