export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** What the person chose; `public/theme.js` reads the same key before the first paint. */
export const chosenTheme = (): Theme => {
  const stored = localStorage.getItem('theme')
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

export const chooseTheme = (theme: Theme): void => {
  if (theme === 'system') {
    localStorage.removeItem('theme')
    delete document.documentElement.dataset['theme']
  } else {
    localStorage.setItem('theme', theme)
    document.documentElement.dataset['theme'] = theme
  }
}
