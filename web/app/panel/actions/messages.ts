import { inLanguage } from '../../language.ts'

export const messages = inLanguage({
  en: {
    title: 'Search or jump to',
    label: 'A video, a person, a script, a company or a page',
    results: 'What was found',
    open: 'Search or jump to',
    goTo: (room: string) => `Go to ${room}`,
    notifications: 'Notifications',
    profile: 'Profile',
    sheet: 'Keyboard shortcuts',
    sheetText: 'They rest while you type. Pages with a player or a workbench show their own with the same key.',
    none: 'Nothing found. Try other words.',
    searching: 'Looking …',
    found: (n: number) => (n === 1 ? '1 found' : `${n} found`),
    kinds: { command: 'Page', video: 'Video', person: 'Person', script: 'Script', company: 'Company' },
  },
})
