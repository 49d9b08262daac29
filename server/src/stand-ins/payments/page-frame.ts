/** What every page of the stand-in looks like, and says first. */
export const style = `
:root { color-scheme: light dark; --ink: #1c2733; --page: #f6f4ef; --card: #fff; --line: #8a8577; --link: #2340c8; --warn: #8a1f0c }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e6df; --page: #14181d; --card: #1d232a; --line: #7d8894; --link: #9fb1ff; --warn: #ffab99 } }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page) }
header { padding: 12px 16px; background: #ffd94d; color: #1c2733; text-align: center; font-weight: 600 }
main { max-width: 520px; margin: 24px auto; padding: 0 16px 48px }
h1 { font-size: 26px } h2 { font-size: 19px; margin-top: 32px } a { color: var(--link) }
.sum { padding: 16px; background: var(--card); border: 1px solid var(--line); border-radius: 8px; margin: 12px 0 }
label { display: block; font-weight: 600; margin-top: 16px }
input:not([type=hidden]) { box-sizing: border-box; width: 100%; padding: 10px 12px; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 6px; margin: 6px 0 12px }
button { padding: 10px 18px; min-height: 44px; font: inherit; font-weight: 600; color: #fff; background: #2647e0; border: 1px solid #2647e0; border-radius: 6px; cursor: pointer }
button.quiet { color: inherit; background: none; border-color: var(--line) }
[role=alert] { color: var(--warn); font-weight: 600; margin: 6px 0 } ul { padding-left: 20px; overflow-wrap: anywhere } dt { font-weight: 600 } dd { margin: 0 0 8px }
details { margin-top: 16px } summary { padding: 6px 0; cursor: pointer }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
`

/** A whole page: its title, and its body as HTML. */
export const pageOf = (title: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title} · Sandbox</title><meta name="robots" content="noindex">
<meta name="viewport" content="width=device-width"><style>${style}</style></head><body><header>Sandbox: no money moves here. Never type a real card.</header>
<main><h1>${title}</h1>${body}</main></body></html>`
