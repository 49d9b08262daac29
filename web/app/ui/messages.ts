import { inLanguage } from '../language.ts'

export const messages = inLanguage({
  en: {
    invitedBy: 'You join',
    seats: (n: number) => (n === 1 ? '1 seat left' : `${n} seats left`),
    full: 'No seat is left. Ask your company’s admin for one.',

    loading: 'Loading',
    close: 'Close',
    retry: 'Try again',
    notCopied: 'Your browser did not copy it. Mark the text and copy it by hand.',
    optional: 'optional',
    notFoundTitle: 'There is no such page',
    notFoundText:
      'The link may be old, or the page belongs to someone else. Check the address, or go on from your panel.',
    toPanel: 'Go to your panel',
    failureTitle: 'This page did not load',
    failureText: 'Nothing was lost. Try again; if it happens again, reload the page.',
    reload: 'Reload the page',
    missingTitle: 'The page could not be fetched',
    missingText:
      'The network may be away, or a newer version has come out. It loads by itself when you are back online.',
    toasts: 'Messages',
    closeMessage: 'Close this message',
    more: 'More',
    unsaved: 'Not saved yet',
    undo: 'Undo',
    undoChanges: 'Undo changes',
    save: 'Save',
    showMore: 'Show more',
    less: 'Less',
    nothingFits: 'No match',
    pick: (label: string) => `Pick: ${label}`,
    hue: 'Hue',
    wrongColour: 'Write the color as # and six digits or letters from a to f.',
    sending: 'Uploading',
    choosePicture: 'Choose a picture',
    changePicture: 'Change',
    remove: 'Remove',
    removeNamed: (label: string) => `Remove: ${label}`,
    charactersLeft: (n: number) => `${n} characters left`,
  },
})
