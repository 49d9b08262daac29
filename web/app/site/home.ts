// All the script a visitor gets: the page is complete without it.

const root = document.documentElement
const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches

/** Whether somebody may be signed in here. It proves nothing; who is asked is the service (account.tsx). */
const session = read('session-hint') === null ? 'none' : 'likely'
root.dataset['session'] = session
if (session === 'likely')
  later('account').catch((error: unknown) => {
    console.error('The account menu did not load', error)
    root.dataset['session'] = 'none'
  })

// A link of the small menu closes it.
const menu = document.querySelector<HTMLElement>('#menu')
menu?.addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('a')) menu.hidePopover()
})

reveal()
playTake()
sendContact()
if (document.querySelector('meta[name=tag-list]')) addEventListener('load', () => void later('tags'))

/** A script that few need; web/build/later-files.ts writes its address into the page. */
function later(name: string): Promise<unknown> {
  return import(/* @vite-ignore */ document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)!.content)
}

/** Hides what waits below the screen, and shows each piece once a tenth of it is visible. */
function reveal(): void {
  if (isStill) return
  const watch = new IntersectionObserver(
    (seen) => {
      for (const { target, intersectionRatio } of seen)
        if (intersectionRatio >= 0.1) {
          target.removeAttribute('data-waiting')
          watch.unobserve(target)
        }
    },
    { threshold: 0.1 },
  )
  for (const one of document.querySelectorAll('[data-reveal]'))
    if (one.getBoundingClientRect().top > innerHeight) {
      one.setAttribute('data-waiting', '')
      watch.observe(one)
    }
}

/** The sample plays while it is in view, once the page is there; for who wants calm or saves data, when asked. */
function playTake(): void {
  const take = document.querySelector<HTMLElement>('#take')
  const button = take?.querySelector('button')
  if (!take || !button) return
  const videos = [...take.querySelectorAll('video')]
  const saves = (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
  let wanted = !isStill && !saves
  let isSeen = false
  const follow = () => {
    for (const video of videos)
      take
        .querySelector<HTMLElement>(`[data-track=${video.dataset['clip']}]`)
        ?.style.setProperty('--at', String(video.currentTime / (video.duration || 1)))
    if (wanted && isSeen) requestAnimationFrame(follow)
  }
  const turn = () => {
    take.toggleAttribute('data-plays', wanted)
    button.setAttribute('aria-label', button.dataset[wanted ? 'pause' : 'play'] ?? '')
    for (const video of videos)
      if (wanted && isSeen) video.play().catch(() => {})
      else video.pause()
    follow()
  }
  for (const video of videos) video.controls = false
  take.toggleAttribute('data-ready', true)
  button.addEventListener('click', () => {
    wanted = !wanted
    isSeen = true
    turn()
  })
  turn()
  const begin = () =>
    new IntersectionObserver(([entry]) => {
      isSeen = entry?.isIntersecting ?? false
      turn()
    }).observe(take)
  if (document.readyState === 'complete') begin()
  else addEventListener('load', begin)
}

function sendContact(): void {
  const form = document.querySelector<HTMLFormElement>('#contact')
  form?.addEventListener('submit', async (event) => {
    event.preventDefault()
    const button = form.querySelector('button')!
    if (button.ariaDisabled === 'true') return
    // Not disabled: that would take its focus away.
    const label = button.textContent
    button.ariaDisabled = 'true'
    button.textContent = button.dataset['sending'] ?? label
    const body = JSON.stringify(Object.fromEntries(new FormData(form)))
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch('/api/emails/public/send', { method: 'POST', headers, body }).catch(() => null)
    button.ariaDisabled = null
    button.textContent = label
    for (const [id, isTold] of [
      ['sent', answer?.ok ?? false],
      ['failed', !answer?.ok],
    ] as const)
      document.querySelector(`#contact-${id}`)?.toggleAttribute('data-told', isTold)
    if (answer?.ok) form.reset()
  })
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
