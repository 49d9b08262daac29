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
    emptyText: 'What happens to your videos and your work stands here.',
    noneUnread: 'Nothing unread',
    noneUnreadText: 'You have read everything.',
    showAll: 'Show all',
    shown: { all: 'All', unread: 'Unread' },
    show: 'Show',
    older: 'Show older',
    failed: 'Your notifications did not load.',
    retry: 'Try again',
  },
})
