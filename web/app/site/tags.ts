// Tags of others (analytics, session recording): only where the operator names them, only once the page is interactive, and
// never against a browser that says no or a person who did.

const key = 'counting'
const meta = document.querySelector<HTMLMetaElement>('meta[name=tag-list]')
const says = navigator as { doNotTrack?: string | null; globalPrivacyControl?: boolean }
const isForbidden = says.doNotTrack === '1' || says.globalPrivacyControl === true
const isRefused = () => {
  try {
    return localStorage.getItem(key) === 'refused'
  } catch {
    return true
  }
}

const show = () => {
  document.documentElement.dataset['counting'] = isForbidden || isRefused() ? 'refused' : 'allowed'
}

show()
for (const button of document.querySelectorAll<HTMLButtonElement>('[data-counting]'))
  button.addEventListener('click', () => {
    try {
      localStorage.setItem(key, button.dataset['counting']!)
    } catch {
      // Forbidden: nobody is counted there. Full: the choice is asked for again.
    }
    // What already runs can only be stopped by leaving the page.
    location.reload()
  })

if (meta && !isForbidden && !isRefused())
  (globalThis.requestIdleCallback ?? setTimeout)(() => {
    for (const src of meta.content.split(' ')) {
      const script = document.createElement('script')
      script.async = true
      script.src = src
      document.head.append(script)
    }
  })

export {}
