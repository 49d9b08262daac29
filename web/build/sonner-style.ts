import type { Plugin } from 'vite'
import { replacedOnce } from './patch.ts'

/**
 * sonner appends a style element while it loads, and no option stops it; our content policy forbids style elements. Its
 * sheet is imported by `styles.css` instead. Fails the build when sonner no longer does it in the same words.
 */
export function sonnerWithoutStyleElement(): Plugin {
  let seen = false
  return {
    name: 'sonner-without-style-element',
    apply: 'build',
    transform: {
      filter: { id: /\/sonner\/dist\/index\.mjs$/ },
      handler: (code) => {
        seen = true
        return withoutStyleElement(code)
      },
    },
    buildEnd(error) {
      if (!error && !seen)
        this.error('sonner was not found where its style element is taken out (sonner/dist/index.mjs). See web/build/.')
    },
  }
}

export const withoutStyleElement = (code: string): string =>
  replacedOnce(
    code,
    "if (!code || typeof document == 'undefined') return",
    'return',
    'sonner, which must not append its style element',
  )
