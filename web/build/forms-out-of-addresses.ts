import type { Plugin } from 'vite'

/**
 * Fails the build where a page has a form that a browser would send by itself as a GET. Pressed before its script is there, it would put
 * what was typed, a password too, into the address, the history and the logs of everything in between.
 */
export function formsOutOfAddresses(): Plugin {
  return {
    name: 'forms-out-of-addresses',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const pages = Object.values(bundle).filter(({ fileName }) => fileName.endsWith('.html'))
        if (pages.length === 0) this.error('No page was found whose forms could be looked at.')
        for (const page of pages)
          if (page.type === 'asset')
            for (const form of formsIntoAddresses(String(page.source)))
              this.error(
                `${page.fileName}: ${form} puts what is typed into the address. Say method="dialog" or "post".`,
              )
      },
    },
  }
}

/** The tags of the forms and buttons that send what is typed as a part of the address. */
export function formsIntoAddresses(html: string): string[] {
  const forms = html.match(/<form\b[^>]*>/gi) ?? []
  const buttons = html.match(/<[^>]*\bformmethod=["']?get\b[^>]*>/gi) ?? []
  return [...forms.filter((form) => !/\smethod=["']?(?:post|dialog)["'\s>]/i.test(form)), ...buttons]
}
