// All the script of /login until somebody does something: the page is prerendered, the app comes with the first touch.

const page = document.documentElement
// Whoever may be signed in, comes back from a provider or brings a token needs the app at once.
const isExpected =
  read(() => localStorage, 'session-hint') !== null ||
  read(() => sessionStorage, 'oauth-return') !== null ||
  new URLSearchParams(location.hash.slice(1)).has('token')
page.dataset['session'] = isExpected ? 'likely' : 'none'

const menu = document.querySelector<HTMLElement>('#menu')
menu?.addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('a')) menu.hidePopover()
})

// Where one wanted to go stays in mind on the way through the other forms.
const next = new URLSearchParams(location.search).get('next')
if (next !== null)
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href^="/login?"]'))
    link.search += `&next=${encodeURIComponent(next)}`

let opening: Promise<unknown> | undefined
const open = (): void => {
  const address = document.querySelector<HTMLMetaElement>('meta[name=take-over]')!.content
  opening ??= import(/* @vite-ignore */ address).catch((error: unknown) => {
    console.error('Sign-in did not load', error)
    opening = undefined
    // Whoever pressed something waits for an answer, and may press again.
    const pressed = document.querySelector('[data-again]')
    pressed?.removeAttribute('data-again')
    document.querySelector('#unreachable')!.toggleAttribute('hidden', !pressed)
  })
}
/** What was pressed before the app was there; it presses it again (take-over.tsx). */
const press = (one: Element): void => {
  for (const before of document.querySelectorAll('[data-again]')) before.removeAttribute('data-again')
  one.setAttribute('data-again', '')
  document.querySelector('#unreachable')!.setAttribute('hidden', '')
  open()
}

// The first field has the focus, as in the app; that alone brings no app.
const first = document.querySelector<HTMLInputElement>('input[name=email]')
if (first && document.activeElement === document.body) {
  first.focus({ preventScroll: true })
  first.setAttribute('data-focused', 'true')
}

// These go with the page when the app takes its place.
const main = document.querySelector('#content')!
for (const kind of ['pointerover', 'pointerdown', 'focusin', 'keydown', 'input'])
  main.addEventListener(kind, open, { passive: true })
main.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('button') : null
  if (button?.type === 'button') press(button)
})
main.addEventListener('submit', (event) => {
  event.preventDefault()
  press(event.target as Element)
})
// The app does not come between the press of a button and its release: the click would be lost.
addEventListener('pointerdown', () => page.setAttribute('data-down', ''))
for (const kind of ['pointerup', 'pointercancel'])
  addEventListener(kind, () => setTimeout(() => page.removeAttribute('data-down')))
if (isExpected) open()
// A link with a token, opened where this page stands already.
addEventListener('hashchange', open)

// Where a browser forbids storage, already its name throws.
function read(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key)
  } catch {
    return null
  }
}
