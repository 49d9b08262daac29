import { inLanguage } from '../../language.ts'

export const messages = inLanguage({
  en: {
    views: 'Views',
    viewsOpen: (name: string) => `Views: ${name}`,
    menu: 'Views of this list',
    kept: 'Saved views',
    none: 'No views saved for this list yet.',
    keep: 'Save view…',
    manage: 'Rename or delete…',
    undo: 'Undo',

    keepTitle: 'Save view',
    keepText: 'The words, filters and order of this list, for you on every device.',
    name: 'Name',
    nameHint: 'One of the same name is replaced.',
    needName: 'Write a name for it.',
    save: 'Save',
    cancel: 'Cancel',
    saved: (name: string) => `“${name}” is saved`,
    replaced: (name: string) => `“${name}” shows this list now`,

    manageTitle: 'Views of this list',
    rename: (name: string) => `Rename ${name}`,
    remove: (name: string) => `Delete ${name}`,
    newName: (name: string) => `New name of ${name}`,
    saveName: 'Save',
    renamed: (name: string) => `It is called “${name}” now`,
    removed: (name: string) => `“${name}” is deleted`,
    close: 'Close',
  },
})
