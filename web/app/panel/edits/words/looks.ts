import { inLanguage } from '../../../language.ts'

/** Looks: what of an edit is taste, under a name. */
export const looksWords = inLanguage({
  en: {
    title: 'Looks',
    text: 'Captions, cards, sound, colors and moves in one click. Undo takes it back.',
    none: 'No look is saved yet. Set this edit up as you like it, then save its look for the next one.',
    failed: 'The looks could not be loaded.',
    apply: (name: string) => `Use the look ${name}`,
    use: 'Use',
    inUse: 'In use',
    ofAll: 'For all companies',
    save: 'Save this look',
    saveText: 'It takes captions, cards, sound, colors and moves from this edit, and none of its words.',
    name: 'Name',
    forAll: 'For all companies',
    confirm: 'Save',
    cancel: 'Cancel',
    actionsOf: (name: string) => `What to do with ${name}`,
    rename: 'Rename',
    renameTitle: 'Rename the look',
    remove: 'Delete',
    removeTitle: (name: string) => `Delete the look ${name}?`,
    removeText: 'Edits that have it stay as they are.',
    keep: 'Keep it',
    saved: (name: string) => `The look ${name} is saved.`,
    removed: (name: string) => `The look ${name} is deleted.`,
    did: (name: string) => `Look “${name}”`,
  },
})
