import { inLanguage } from '../../language.ts'

export const messages = inLanguage({
  en: {
    title: 'This device',
    text: 'Hear of your videos while Clear to Post is closed.',
    show: 'Show notifications on this device',
    unsupported: 'This browser cannot show notifications. Use another browser, or read them here and by e-mail.',
    installFirst:
      'On an iPhone or iPad: press Share, then “Add to Home Screen”. Open Clear to Post from there and come back here.',
    blocked:
      'Your browser blocks notifications from this site. Allow them in the browser’s site settings, then load this page again.',
    dismissed: 'Your browser did not allow it. Press again and choose “Allow”.',
    failed: 'This browser could not be reached by its push service. Try again, or use another browser.',
    test: 'Send a test',
    tested: 'On its way. It shows within a few seconds.',
    others: 'Your other devices',
    since: (day: string) => `Since ${day}`,
    remove: 'Remove',
    removeOf: (name: string) => `Remove: ${name}`,
    phone: 'The app on your phone also gets them.',
  },
})
