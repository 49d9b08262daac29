import { inLanguage } from '../../language.ts'

export const messages = inLanguage({
  en: {
    title: 'My work',
    failed: 'Your work did not load',
    next: 'Next',
    back: 'Came back to you',
    inProgress: 'In progress',
    waiting: 'Waiting for approval',
    start: 'Start editing',
    poolSize: (n: number) => (n === 1 ? '1 video in the queue' : `${n} videos in the queue`),
    poolEmpty: 'The queue is empty',
    nothingTitle: 'Nothing to edit right now',
    nothingText: 'New videos appear here by themselves.',
    look: 'Look again',
    nextFailed: 'What is next did not load',
    goal: 'This week',
    approved: 'approved',
    goalOf: (progress: number, target: number) =>
      target > 0 ? `${progress} of ${target} approved` : `${progress} approved, no target this week`,
    goalDone: 'Done for this week',
    goalLeft: (n: number) => (n === 1 ? '1 to go' : `${n} to go`),
    goalFailed: 'Your goal did not load',
    noGoal: 'No goal is set for this week.',
    dayOf: (day: string, progress: number, target: number) => `${day}: ${progress} of ${target}`,
    cut: (n: number) => `Cut ${n}`,
    started: 'Editing started',
    bringBack: 'Bring back a finished cut',
    noCode: 'The name of this file holds no code such as CTP-4F3A9B2177C0. Upload it on its project’s page.',
    notYours: (code: string) => `You have no video in hand with the code ${code}. Look at the file’s name.`,
  },
})
