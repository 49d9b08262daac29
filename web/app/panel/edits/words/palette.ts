import { inLanguage } from '../../../language.ts'

/** Every command of the workbench by its name. */
export const paletteWords = inLanguage({
  en: {
    title: 'Do something',
    find: 'Find a command',
    commands: 'Commands',
    noFile: 'There is no finished file of this edit yet. Render it first.',
    none: 'No command is called that.',
    key: 'Find a command by its name',
    byName: 'by name',
    command: {
      render: 'Render',
      glossary: 'Words to spell right',
      picture: 'Add a picture',
      logo: 'Add the logo',
      next: 'Add the next step as a title',
      style: 'Next caption style',
      captions: 'Captions on or off',
      fillers: 'All fillers out, or back',
      silences: 'All silences out, or back',
      check: 'Check before sending',
      send: 'Send to approval',
      watch: 'Watch the finished file',
    },
  },
})
