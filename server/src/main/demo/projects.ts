import { monthIn } from '@clear-to-post/domain/calendar'
import type { CaptionStyle } from '@clear-to-post/domain/captions'
import type { DenyCategory } from '@clear-to-post/domain/feedback'
import { feedbackCriteria } from '@clear-to-post/domain/feedback'
import type { Caller, Tx } from '../../kernel/database.ts'
import { comment, deny, requestRevision, sendToApproval, startEdition } from '../../projects/actions.ts'
import { advance } from '../../projects/advance.ts'
import type { DemoPerson } from './people.ts'

/** One step of a demo project, taken through the very actions that the calls use. */
export type DemoStep = {
  who: DemoPerson
  /** How long before the demo was loaded. */
  hoursAgo: number
  /** A finished cut with these captions is uploaded first and handed to `take`. */
  cut?: readonly string[]
  take: (step: {
    tx: Tx
    caller: Caller
    projectId: string
    now: Date
    cutId: string
    loadedAt: Date
  }) => Promise<unknown>
}

/** A sentence of the script, a pause in seconds, or what the officer says beside the script. */
export type DemoSaying = string | number | { beside: string }

export type DemoProject = {
  /** Stands in the marker of each step: never change one. */
  key: string
  officer: 'officer' | 'neighbor'
  title: string
  instructions: string
  /** How the officer reads the script in front of the camera. */
  says: readonly DemoSaying[]
  captionStyle: CaptionStyle
  hue: number
  hoursAgo: number
  /** Sent for the month after the one in which the demo is loaded. */
  nextMonth?: true
  steps: readonly DemoStep[]
}

const start = (hoursAgo: number): DemoStep => ({
  who: 'editor',
  hoursAgo,
  take: ({ tx, caller, projectId, now }) => startEdition(tx, caller, projectId, now),
})
const send = (hoursAgo: number, ...cut: string[]): DemoStep => ({
  who: 'editor',
  hoursAgo,
  cut,
  take: ({ tx, caller, projectId, cutId, now }) => sendToApproval(tx, caller, projectId, { finalVideoId: cutId }, now),
})
const approve = (hoursAgo: number): DemoStep => ({
  who: 'qa',
  hoursAgo,
  take: ({ tx, caller, projectId, now }) => advance(tx, caller, projectId, 'approve', {}, now),
})
const denied = (hoursAgo: number, scores: readonly number[], categories: DenyCategory[], words: string): DemoStep => ({
  who: 'qa',
  hoursAgo,
  take: ({ tx, caller, projectId, now }) =>
    deny(
      tx,
      caller,
      projectId,
      {
        denyFeedback: {
          criteria: feedbackCriteria.map((one, i) => ({ ...one, score: scores[i] ?? 8 })),
          comment: words,
        },
        categories,
      },
      now,
    ),
})
const undo = (hoursAgo: number): DemoStep => ({
  who: 'qa',
  hoursAgo,
  take: ({ tx, caller, projectId, now }) => advance(tx, caller, projectId, 'rollback', {}, now),
})
const remark = (hoursAgo: number, atMs: number, words: string): DemoStep => ({
  who: 'officer',
  hoursAgo,
  take: ({ tx, caller, projectId, now }) => comment(tx, caller, projectId, { atMs, text: words }, now),
})
const revise = (hoursAgo: number, revision: string): DemoStep => ({
  who: 'officer',
  hoursAgo,
  take: ({ tx, caller, projectId, now }) => requestRevision(tx, caller, projectId, { revision }, now),
})
const schedule = (hoursAgo: number, daysAhead: number): DemoStep => ({
  who: 'officer',
  hoursAgo,
  take: ({ tx, caller, projectId, now, loadedAt }) => {
    const publishAt = new Date(loadedAt.getTime() + daysAhead * 86_400_000).toISOString()
    const destinations = ['download']
    return advance(tx, caller, projectId, 'schedule', { publishAt, destinations }, now, {
      metadata: { publishAt, destinations },
      changes: { destinations },
    })
  },
})
const unschedule = (hoursAgo: number): DemoStep => ({
  who: 'officer',
  hoursAgo,
  take: ({ tx, caller, projectId, now }) => advance(tx, caller, projectId, 'unschedule', {}, now),
})
const cancel = (hoursAgo: number): DemoStep => ({
  who: 'officer',
  hoursAgo,
  take: ({ tx, caller, projectId, now }) => advance(tx, caller, projectId, 'cancel', {}, now),
})

/** Every status of the workflow, each reached by walking it. The oldest first: the queue keeps that order. */
export const demoProjects: readonly DemoProject[] = [
  {
    key: 'wire-fraud',
    officer: 'officer',
    title: 'Watch out for wire fraud',
    instructions: 'Serious but calm. Please keep the phone tip on screen a little longer than the rest.',
    says: [
      'This is important.',
      0.3,
      'Never trust wiring instructions that arrive by e-mail.',
      1.2,
      'Call a number you already know, and confirm them by voice.',
    ],
    captionStyle: 2,
    hue: 18,
    hoursAgo: 262,
    steps: [
      start(255),
      send(251, 'This is important', 'Call before you wire'),
      denied(248, [6, 4, 8, 9, 9], ['captions'], 'The captions cover the phone number. Move them up, please.'),
      start(240),
      send(236, 'This is important', 'Call a number you know', 'Then confirm by voice'),
      approve(232),
      schedule(231, 2),
      unschedule(170),
    ],
  },
  {
    key: 'check-up',
    officer: 'officer',
    title: 'Your yearly home loan check-up',
    instructions: 'Four points, four cuts. A number on screen for each of them would be nice.',
    says: [
      'Once a year, give your home loan fifteen minutes.',
      0.4,
      'Ask yourself four questions.',
      1.4,
      'If you do not like one of the answers, call me.',
    ],
    captionStyle: 1,
    hue: 150,
    hoursAgo: 190,
    steps: [start(182), send(178, 'Once a year', 'Fifteen minutes', 'Four questions'), approve(174)],
  },
  {
    key: 'appraisal',
    officer: 'officer',
    title: 'What the appraisal is, and is not',
    instructions: 'Cut the pauses. No music under the first sentence.',
    says: ['An appraisal is an independent opinion of what a home is worth.', 1.3, 'It is not a home inspection.'],
    captionStyle: 5,
    hue: 265,
    hoursAgo: 121,
    steps: [start(112), send(108, 'An appraisal', 'is not an inspection'), approve(103), schedule(102, 3)],
  },
  {
    key: 'clear-to-close',
    officer: 'officer',
    title: 'From application to clear to close',
    instructions: 'This one is for clients who are in the middle of it. Friendly, not salesy.',
    says: [
      'Where is my loan right now?',
      1.1,
      'Here is the map.',
      0.3,
      'Five stops, and the last one is called clear to close.',
    ],
    captionStyle: 1,
    hue: 222,
    hoursAgo: 98,
    steps: [
      start(90),
      send(86, 'Five stops', 'to clear to close'),
      approve(80),
      remark(11, 1800, 'My name is cut off here.'),
      remark(10.9, 2900, 'Please hold this for one more second.'),
      revise(10.8, 'Two small things, see my remarks. The rest is great.'),
    ],
  },
  {
    key: 'couch',
    officer: 'officer',
    title: 'Please do not buy the couch yet',
    instructions: 'Keep the joke at the start. Emojis are welcome.',
    says: ['You found the perfect couch.', 1.2, 'Please wait.', 0.4, 'Do not finance furniture before closing day.'],
    captionStyle: 3,
    hue: 340,
    hoursAgo: 70,
    steps: [
      start(52),
      send(48, 'Not the couch!', 'Not yet.'),
      approve(45),
      undo(44.8),
      denied(
        44.5,
        [8, 7, 3, 8, 9],
        ['audio', 'instructions'],
        'Approved too fast: the voice is much quieter than the music. Lower it, and bring the joke back.',
      ),
    ],
  },
  {
    key: 'local-place',
    officer: 'officer',
    title: 'A local place worth knowing',
    instructions: 'I will film this again in better light.',
    says: ['Today I want to show you a place that I love.', 1.5, 'Come in, and say hello.'],
    captionStyle: 4,
    hue: 95,
    hoursAgo: 60,
    steps: [cancel(58)],
  },
  {
    key: 'payment',
    officer: 'officer',
    title: 'More than the mortgage payment',
    instructions: 'Please list the costs on screen one after the other.',
    says: [
      'What does a home cost each month?',
      0.9,
      'More than the loan.',
      0.3,
      'There are taxes, there is insurance, and sometimes there is a fence.',
    ],
    captionStyle: 1,
    hue: 200,
    hoursAgo: 29,
    steps: [start(9), send(1.5, 'More than the loan', 'Taxes', 'Insurance', 'And the fence')],
  },
  {
    key: 'closing-day',
    officer: 'officer',
    title: 'What closing day really looks like',
    instructions: 'There is a long breath in the middle, please take it out.',
    says: [
      'Nobody tells you what closing day feels like, so let me.',
      1.7,
      'You sit at a table, and you sign.',
      0.25,
      { beside: 'Um.' },
      0.35,
      { beside: 'Before that day you receive a document' },
      0.7,
      'Before that day you receive a document called the Closing Disclosure.',
      0.3,
      'Read it slowly, at your kitchen table.',
      1.3,
      'Circle anything you do not recognize, and call your lender.',
      0.4,
      'I am Olivia Hart, with Harbor Point Lending. Equal Housing Lender.',
    ],
    captionStyle: 2,
    hue: 42,
    hoursAgo: 22,
    steps: [start(1)],
  },
  {
    key: 'next-month',
    officer: 'officer',
    title: 'Does a refinance make sense for you?',
    instructions: 'For next month. Compliance has seen the script.',
    says: ['Should you refinance?', 0.9, 'Honest answer: it depends.', 0.3, 'Ask what it will cost you, all together.'],
    captionStyle: 1,
    hue: 285,
    hoursAgo: 20,
    nextMonth: true,
    steps: [],
  },
  {
    key: 'papers',
    officer: 'officer',
    title: 'Three papers to find this weekend',
    instructions: 'Short and quick. Show the three papers as a list, please.',
    says: [
      'Here is a weekend job that makes your first home easier.',
      1.3,
      'Find three papers.',
      0.3,
      { beside: 'Uh.' },
      0.4,
      'Two pay stubs, two tax returns, and two months of bank statements.',
    ],
    captionStyle: 1,
    hue: 12,
    hoursAgo: 6,
    steps: [],
  },
  {
    key: 'preapproved',
    officer: 'neighbor',
    title: 'Prequalified or preapproved?',
    instructions: 'My first video here. Surprise me!',
    says: ['Two words that sound the same and are not.', 1.2, 'Ask your lender what they actually reviewed.'],
    captionStyle: 2,
    hue: 165,
    hoursAgo: 4,
    steps: [],
  },
  {
    key: 'credit-report',
    officer: 'officer',
    title: 'Check your credit report for free',
    instructions: 'Please spell the address of the site on screen.',
    says: [
      'Before you shop for a home, shop for mistakes.',
      1.1,
      'You can get your credit reports at no cost.',
      0.5,
      'Look for accounts you do not recognize.',
    ],
    captionStyle: 5,
    hue: 232,
    hoursAgo: 2,
    steps: [],
  },
]

/** What the officer meant to read. */
export const scriptOf = ({ says }: Pick<DemoProject, 'says'>): string =>
  says.filter((one) => typeof one === 'string').join(' ')

/** The month after the one in which `at` lies. */
export const monthAfter = (at: Date, timeZone: string): string => {
  const [year, month] = monthIn(at, timeZone).split('-').map(Number) as [number, number]
  return month === 12 ? `${year + 1}-01` : `${year}-${String(month + 1).padStart(2, '0')}`
}
