import { inLanguage } from '../language.ts'

export const messages = inLanguage({
  en: {
    skip: 'Skip to content',
    home: 'Clear to Post, to the start of your panel',
    panel: 'Panel',
    videos: 'Videos',
    newVideo: 'New video',
    myWork: 'My work',
    review: 'Review',
    board: 'Board',
    account: 'Your account',
    theme: 'Theme',
    themes: { system: 'Like my device', light: 'Light', dark: 'Dark' },
    logout: 'Logout',
    logoutEverywhere: 'Logout on all devices',
    logoutTitle: 'Stop the upload and log out?',
    logoutText:
      'A file is still on its way. Logging out removes it from this device; you would choose it again next time.',
    stay: 'Stay',
    offline: 'You are offline. What you see may be old; it refreshes by itself.',
    unreachableTitle: 'The service could not be reached',
    unreachableText: 'Check your connection. You are not logged out.',
    retry: 'Try again',
  },
})
