import { renderToStaticMarkup } from 'react-dom/server'
import { messages } from '../sign-in/messages.ts'
import { words as contact } from './words/contact.ts'
import { words } from './words/frame.ts'
import { words as privacy } from './words/privacy.ts'
import { words as status } from './words/status.ts'
import { words as terms } from './words/terms.ts'
import { words as news } from './words/whats-new.ts'

type About = { title: string; description?: string; bars?: readonly [day: string, night: string] }

/** What each page says of itself; one without a description is for nobody's search. The bar is the browser's own. */
const pages: Record<string, About> = {
  'home.html': { title: words.title, description: words.description },
  'login.html': { title: `${messages.signInTitle} · Clear to Post`, description: messages.signInAbout },
  'terms.html': { title: `${terms.title} · Clear to Post`, description: terms.intro },
  'privacy.html': { title: `${privacy.title} · Clear to Post`, description: privacy.intro },
  'whats-new.html': { title: `${news.title} · Clear to Post`, description: news.intro },
  'contact.html': { title: `${contact.pageTitle} · Clear to Post`, description: contact.about },
  'status.html': { title: `${status.title} · Clear to Post` },
  'not-found.html': { title: `${words.notFoundTitle} · Clear to Post` },
  'error.html': { title: `${words.errorTitle} · Clear to Post` },
  'index.html': { title: 'Clear to Post', bars: ['#ffffff', '#141b28'] },
}

/** The head of a page by the name of its file, but for its own sheet and script; called while building. */
export const headOf = (file: string): string => {
  const { title, description, bars = ['#f6f7f9', '#0c111b'] } = pages[file]!
  return renderToStaticMarkup(
    <>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
      <title>{title}</title>
      {description ? <meta name="description" content={description} /> : <meta name="robots" content="noindex" />}
      <meta name="theme-color" content={bars[0]} media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content={bars[1]} media="(prefers-color-scheme: dark)" />
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="apple-touch-icon" href="/icons/apple-touch.png" />
      <link rel="manifest" href="/app.webmanifest" />
      <script src="/theme.js" />
    </>,
  )
}
