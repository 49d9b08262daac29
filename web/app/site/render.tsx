import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { renderToStaticMarkup } from 'react-dom/server'
import { termsVersions } from '@clear-to-post/domain/terms'
import { paths } from '../paths.ts'
import { router as app } from '../routes.tsx'
import { SignInPage } from '../sign-in/sign-in-page.tsx'
import { ContactPage } from './contact-page.tsx'
import { DocumentPage } from './document-page.tsx'
import { slots } from './frame.tsx'
import { HomePage } from './home-page.tsx'
import { LostPage } from './lost-page.tsx'
import { NewsPage } from './news-page.tsx'
import { StatusPage } from './status-page.tsx'
import { words } from './words/frame.ts'
import { words as privacy } from './words/privacy.ts'
import { words as terms } from './words/terms.ts'

/** The public pages as HTML, by the name of their file; called by web/build/public-pages.ts while building. No React reaches the visitor. */
export const pages: Record<string, () => string | Promise<string>> = {
  'home.html': () => renderToStaticMarkup(<HomePage />),
  'login.html': () => signIn(),
  'terms.html': () =>
    renderToStaticMarkup(<DocumentPage words={terms} since={{ label: words.holdsSince, day: termsVersions.terms }} />),
  'privacy.html': () =>
    renderToStaticMarkup(
      <DocumentPage words={privacy} since={{ label: words.holdsSince, day: termsVersions.privacy }} />,
    ),
  'status.html': () => renderToStaticMarkup(<StatusPage />),
  'contact.html': () => renderToStaticMarkup(<ContactPage />),
  'whats-new.html': () => renderToStaticMarkup(<NewsPage />),
  'not-found.html': () => renderToStaticMarkup(<LostPage why="not-found" />),
  'error.html': () => renderToStaticMarkup(<LostPage why="error" />),
}

/** Sign-in as it first stands there: nobody determined yet, nothing typed. The title is the file's. */
const signIn = async (): Promise<string> => {
  const router = createRouter({
    routeTree: app.routeTree,
    history: createMemoryHistory({ initialEntries: [paths.login] }),
  })
  await router.load()
  const html = renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <RouterContextProvider router={router as never}>
        <SignInPage />
      </RouterContextProvider>
    </QueryClientProvider>,
  ).replace(/<title>.*?<\/title>/, '')
  if (!html.includes(slots.ways) || /<script| style=/.test(html))
    throw new Error('The sign-in page lacks a slot, or has what our content policy forbids: an inline script or style')
  return html
}
