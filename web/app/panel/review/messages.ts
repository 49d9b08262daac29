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
    decided: 'What was decided',
    decidedFailed: 'The decisions did not load',
    noneDecided: 'Nothing was approved or denied yet.',
    video: 'Video',
    verdict: 'Decision',
    verdicts: { approved: 'Approved', denied: 'Denied' },
    undone: (verdict: string) => `${verdict}, taken back`,
    by: 'By',
    you: 'You',
    when: 'When',
    answers: 'What officers say',
    answerOf: (score: number) => `${score} of 10`,
  },
})
