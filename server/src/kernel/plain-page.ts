import { escapeHtml } from './html.ts'

/**
 * A page by itself, which needs neither the web app nor a script: words, `more` (HTML of ours) below them, and a way on.
 * Its style is `plainStyle`, for the page's policy.
 */
export const plainPage = ({
  title,
  text,
  more = '',
  way,
}: {
  title: string
  text: string
  more?: string
  way: { to: string; label: string }
}): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)} · Clear to Post</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<style>${plainStyle}</style></head><body><main><p class="who">Clear to Post</p><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>
${more}
<p><a href="${escapeHtml(way.to)}">${escapeHtml(way.label)}</a></p></main></body></html>`

export const plainStyle = `
:root { color-scheme: light dark }
body { margin: 0; padding: 10vh 16px; font: 16px/1.5 system-ui, sans-serif; color: light-dark(#0f1729, #e8ecf4); background: light-dark(#f6f7f9, #0c111b) }
main { max-width: 28rem; margin: 0 auto; padding: 24px; background: light-dark(#fff, #141b28); border: 1px solid light-dark(#e2e6ec, #253044); border-radius: 12px }
h1 { margin: 0 0 8px; font-size: 24px } .who { margin: 0 0 16px; color: light-dark(#566074, #9ba6b9) }
button { min-height: 44px; padding: 0 20px; border: 0; border-radius: 8px; font: inherit; font-weight: 600; color: light-dark(#fff, #0c111b); background: light-dark(#2647e0, #8ea2ff); cursor: pointer }
a { color: light-dark(#2441cc, #a3b3ff) } :focus-visible { outline: 2px solid currentColor; outline-offset: 2px }
`
