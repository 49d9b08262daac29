import { formatPrice } from './price.ts'
import { messages } from './plan-messages.ts'

// All the script the public page has: who is here, and what it costs. The page reads well without it.

// The session itself is asked for by the panel; the hint only decides which button stands in the header.
document.documentElement.dataset['session'] = hasHint() ? 'likely' : 'none'

// A link of the small menu closes it.
const menu = document.querySelector<HTMLDetailsElement>('#menu')
menu?.addEventListener('click', ({ target }) => {
  if (target instanceof HTMLAnchorElement) menu.open = false
})

void showPlans()

type Product = {
  name: string
  descriptions: { description: string; subtitle: string }
  plans: {
    price: number
    currency: string
    interval: 'month' | 'year'
    metadata: { projectsPerMonth: number; revisionsPerProject: number; turnaroundHours: number }
  }[]
}

async function showPlans(): Promise<void> {
  const place = document.querySelector('#plan-list')
  const template = document.querySelector<HTMLTemplateElement>('#plan-card')
  if (!place || !template) return
  try {
    const response = await fetch('/api/subscriptions/products/public/list/')
    if (!response.ok) throw new Error(`The plans answered ${response.status}`)
    const products: Product[] = await response.json()
    for (const { name, descriptions, plans } of products) {
      const month = plans.find(({ interval }) => interval === 'month')
      const year = plans.find(({ interval }) => interval === 'year')
      const shown = month ?? year
      if (!shown) continue
      const card = template.content.cloneNode(true)
      if (!(card instanceof DocumentFragment)) continue
      const write = (part: string, words: string) => {
        const node = card.querySelector(`[data-part="${part}"]`)
        if (node) node.textContent = words
      }
      const { projectsPerMonth, revisionsPerProject, turnaroundHours } = shown.metadata
      write('name', name)
      write('subtitle', descriptions.subtitle)
      write('price', formatPrice(shown.price, shown.currency))
      write('period', month ? messages.aMonth : messages.aYear)
      write('yearly', month && year ? messages.orYearly(formatPrice(year.price, year.currency)) : '')
      write('videos', messages.videosAMonth(projectsPerMonth))
      write('turnaround', messages.turnaround(turnaroundHours))
      write('revisions', messages.revisions(revisionsPerProject))
      place.append(card)
    }
    place.toggleAttribute('hidden', place.childElementCount === 0)
  } catch (error) {
    console.error('Failed to load products', error)
  }
}

function hasHint(): boolean {
  try {
    return localStorage.getItem('session-hint') !== null
  } catch {
    return false
  }
}
