import type { Plugin } from 'vite'

/** The panel's languages (`app/language.ts`), as React Aria names them. */
export const languages = ['en-US', 'es-ES']

/** A file of React Aria's words in one language; the name of the language is captured. */
export const wordsFile = /react-(?:aria|stately)[^/]*\/dist\/.*intl\/(?:.*\/)?([a-z]{2}-[A-Z]{2})\.mjs$/

/**
 * React Aria brings its few words in 34 languages; those that the panel does not speak stay out, and English stands in for
 * them. Fails the build when none was left out: then its files have moved and all of them came along.
 */
export function reactAriaInOurLanguages(): Plugin {
  let leftOut = 0
  return {
    name: 'react-aria-in-our-languages',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: wordsFile },
      handler: (id) => {
        if (languages.includes(wordsFile.exec(id)![1]!)) return null
        leftOut++
        return 'export default undefined'
      },
    },
    buildEnd(error) {
      if (!error && leftOut === 0)
        this.error('No words of React Aria were left out: its language files are no longer where web/build/ looks.')
    },
  }
}
