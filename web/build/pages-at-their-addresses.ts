import type { Plugin } from 'vite'

/** While developing, `/` and `/login` are the public pages, as the service serves them; every other page is the app. */
export function pagesAtTheirAddresses(): Plugin {
  return {
    name: 'pages-at-their-addresses',
    configureServer: (dev) => {
      dev.middlewares.use((request, _response, next) => {
        request.url = pageAt(request.url ?? '')
        next()
      })
    },
  }
}

/** The file of a public page for the address that is asked for; other addresses as they are. */
export function pageAt(address: string): string {
  if (address === '/' || address.startsWith('/?')) return '/home.html'
  const page = /^\/(terms|privacy|whats-new|contact|status)\/?(\?|$)/.exec(address)?.[1]
  if (page) return `/${page}.html`
  // The other forms of /login are the app's from the start (server/src/http/pages.ts).
  if (/^\/login\/?(\?|$)/.test(address) && !/[?&](mode|invitation)=/.test(address)) return '/login.html'
  return address
}
