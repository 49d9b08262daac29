import { inLanguage } from '../../language.ts'

export const messages = inLanguage({
  en: {
    bell: (unread: string | null) => (unread === null ? 'Notifications' : `Notifications, ${unread} unread`),
    title: 'Notifications',
    unread: 'Unread',
    all: 'All notifications',
    readAll: 'Mark all as read',
    choices: 'Choose what reaches you',
    clear: 'Clear all',
    cleared: 'Notifications cleared',
    undo: 'Undo',
    empty: 'Nothing new',
    emptyText: 'When a video of yours moves on, you read it here.',
    older: 'Show older',
    failed: 'Your notifications did not load.',
    retry: 'Try again',
  },
})
