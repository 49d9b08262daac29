import { inLanguage } from '../language.ts'

export const messages = inLanguage({
  en: {
    loading: 'Loading',
    close: 'Close',
    retry: 'Try again',
    optional: 'optional',
    notFoundTitle: 'There is no such page',
    notFoundText: 'The link may be old, or the page belongs to someone else.',
    toPanel: 'Go to your panel',
    failureTitle: 'This page did not load',
    failureText: 'Nothing was lost. Try again; if it happens again, reload the page.',
    reload: 'Reload the page',
    missingTitle: 'The page could not be fetched',
    missingText:
      'The network may be away, or a newer version has come out. It loads by itself when you are back online.',
    toasts: 'Messages',
    more: 'More',
    showMore: 'Show more',
    less: 'Less',
    nothingFits: 'Nothing fits',
    pick: (label: string) => `Pick: ${label}`,
    hue: 'Hue',
    wrongColour: 'Write the colour as # and six digits or letters from a to f.',
    sending: 'Uploading',
    choosePicture: 'Choose a picture',
    changePicture: 'Change',
    remove: 'Remove',
    removeNamed: (label: string) => `Remove: ${label}`,
    charactersLeft: (n: number) => `${n} characters left`,
  },
})
