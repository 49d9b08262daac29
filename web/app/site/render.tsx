import { renderToStaticMarkup } from 'react-dom/server'
import { HomePage } from './home-page.tsx'
import { LostPage } from './lost-page.tsx'

/** The public pages as HTML, by the name of their file; called by vite.config.ts while building. No React reaches the visitor. */
export const pages: Record<string, () => string> = {
  'home.html': () => renderToStaticMarkup(<HomePage />),
  'not-found.html': () => renderToStaticMarkup(<LostPage why="not-found" />),
  'error.html': () => renderToStaticMarkup(<LostPage why="error" />),
}
