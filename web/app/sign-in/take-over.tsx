import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { identity, type Provider } from '@clear-to-post/contract/identity'
import { query, queryClient } from '../api.ts'
import { App } from '../app.tsx'
import { router } from '../routes.tsx'
import { begin } from '../session.ts'

/**
 * The app in place of the prerendered page, in one step: what was typed stays typed, what had the focus has it, and what
 * was pressed meanwhile (`data-again`) is pressed again.
 */
const takeOver = async (): Promise<void> => {
  void begin()
  queryClient.setQueryData(query(identity.providers, {}).queryKey, { items: providersShown() })
  await Promise.all([router.load(), dressed()])
  while (document.documentElement.hasAttribute('data-down')) await new Promise((later) => setTimeout(later, 10))
  const root = document.getElementById('root')!
  const typed = [...root.querySelectorAll('input')].map((input) => [selectorOf(input), input.value] as const)
  const focused = root.contains(document.activeElement) ? selectorOf(document.activeElement!) : null
  const again = root.querySelector('[data-again]')
  const press = again && selectorOf(again)
  // The app brings its own; the first of two would count for every page after this one.
  document.querySelector('head > title')?.remove()
  flushSync(() => createRoot(root).render(<App />))
  for (const [selector, value] of typed) {
    const input = value === '' || selector === null ? null : root.querySelector<HTMLInputElement>(selector)
    if (!input) continue
    // React overhears a value that is set past it.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, value)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  }
  if (focused) root.querySelector<HTMLElement>(focused)?.focus({ preventScroll: true })
  const target = press === null ? null : root.querySelector<HTMLElement>(press)
  if (target instanceof HTMLFormElement) target.requestSubmit()
  else target?.click()
}

/** Brings the app's style sheet, of which the page at rest has only a part; asks again until it is there. */
const dressed = async (): Promise<void> => {
  const href = document.querySelector<HTMLMetaElement>('meta[name=styles]')!.content
  for (;;) {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
    const isThere = new Promise<boolean>((resolve) => {
      link.addEventListener('load', () => resolve(true))
      link.addEventListener('error', () => resolve(false))
    })
    document.head.append(link)
    if (await isThere) return
    link.remove()
    await new Promise((later) => setTimeout(later, 2000))
  }
}

/** Where the same thing is in the app's page; null for what has no name. */
const selectorOf = (one: Element): string | null => {
  if (one instanceof HTMLFormElement) return 'form'
  const name = one.getAttribute('name')
  if (name !== null) return `[name="${name}"]`
  const way = one.getAttribute('data-way')
  if (way !== null) return `[data-way="${way}"]`
  return one instanceof HTMLButtonElement && one.type === 'submit' ? 'button[type=submit]' : null
}

const providersShown = () =>
  [...document.querySelectorAll<HTMLElement>('[data-provider]')].map(({ dataset }) => ({
    provider: dataset['provider'] as Provider,
    name: dataset['name']!,
    isSandbox: dataset['sandbox'] === 'yes',
  }))

await takeOver()
