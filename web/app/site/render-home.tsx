import { renderToStaticMarkup } from 'react-dom/server'
import { HomePage } from './home-page.tsx'

/** The public page as HTML; called by vite.config.ts while building. No React reaches the visitor. */
export const renderHome = (): string => renderToStaticMarkup(<HomePage />)
