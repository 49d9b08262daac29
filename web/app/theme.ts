import { onDevice } from './storage.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** What the person chose; `public/theme.js` reads the same key before the first paint. */
export const chosenTheme = (): Theme => {
  const stored = onDevice.read('theme')
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

export const chooseTheme = (theme: Theme): void => {
  if (theme === 'system') {
    onDevice.drop('theme')
    delete document.documentElement.dataset['theme']
  } else {
    onDevice.keep('theme', theme)
    document.documentElement.dataset['theme'] = theme
  }
}
