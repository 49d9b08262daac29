import { inLanguage } from '../../language.ts'

export const messages = inLanguage({
  en: {
    title: 'Videos',
    newVideo: 'New video',
    groups: {
      'needs-you': 'Needs you',
      'in-work': 'In work',
      scheduled: 'Scheduled',
      done: 'Done',
    },
    emptyTitle: 'Send your first video',
    emptyText: 'Two minutes of you talking is enough. We cut it, caption it and check it.',
    recordFirst: 'Record it now',
    firstScripts: 'Not sure what to say? Start with one of these.',
    steps: ['Record or choose a video', 'Say what it is about', 'Get it back, ready to post'],
    failed: 'Your videos did not load',
    byDue: (when: string) => `Ready by ${when}`,
    overdue: (when: string) => `Was due ${when}`,
    inQueue: 'In the editing queue',
    editing: 'An editor is on it',
    checking: 'We are checking the cut',
    fixing: 'Back with the editor for fixes',
    revising: 'Your revision is in the editor’s list',
    ready: (ago: string) => `Ready since ${ago}. Watch it, then download or schedule it`,
    due: 'Its time is here. Download it and share it',
    goesOut: (when: string) => `Goes out ${when}`,
    waits: {
      'no-plan': 'Waits: no plan runs. Choose one, and it goes on by itself',
      paused: 'Waits: the plan is paused. Resume it, and it goes on by itself',
      unpaid: 'Waits: the plan is not paid. Pay it, and it goes on by itself',
      'month-full': 'Waits: the plan holds no more videos this month',
    },
    startsIn: (month: string) => `Enters the queue in ${month}`,
    done: (ago: string) => `Done ${ago}`,
    canceled: (ago: string) => `Canceled ${ago}`,
  },
})
