import { inLanguage } from '../../language.ts'

export const messages = inLanguage({
  en: {
    title: 'Review',
    waiting: (n: number, more: boolean) =>
      more ? `More than ${n} cuts wait, oldest first` : n === 1 ? '1 cut waits' : `${n} cuts wait, oldest first`,
    failed: 'The cuts did not load',
    emptyTitle: 'Nothing waits for approval',
    emptyText: 'New cuts appear here by themselves.',
    cut: (n: number) => `Cut ${n}`,
    editedBy: (name: string) => `edited by ${name}`,
    again: 'Look again',
  },
})
