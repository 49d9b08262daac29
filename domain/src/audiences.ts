import type { Channel, Rhythm } from './delivery.ts'
import type { Role } from './roles.ts'
import { Status, statusValues, type Verb } from './workflow.ts'

/**
 * What people choose by: a kind each, named for them. In the panel everything is told always; what leaves the panel is
 * theirs to say, and this is how it is until they do. `isUrgent` goes through quiet hours.
 */
export const kinds = {
  videos: {
    label: 'My videos',
    text: 'A video of yours is ready, was canceled or moved on.',
    for: ['User'],
    email: 'at-once',
    push: true,
  },
  posting: {
    label: 'Time to post',
    text: 'The time that you chose for a video has come. You chose it, so this comes in quiet hours, too.',
    for: ['User'],
    email: 'at-once',
    push: true,
    isUrgent: true,
  },
  work: {
    label: 'Work for me',
    text: 'A video was given to you, came back or was approved.',
    for: ['Editor', 'ADMIN'],
    email: 'hourly',
    push: true,
  },
  reviews: {
    label: 'Reviews',
    text: 'A cut waits for approval.',
    for: ['QA', 'ADMIN'],
    email: 'hourly',
    push: true,
  },
  payments: {
    label: 'Payments',
    text: 'A payment failed, or a plan ends.',
    for: ['User', 'ADMIN'],
    email: 'at-once',
    push: true,
  },
  support: {
    label: 'Questions and answers',
    text: 'Your question was answered, or one waits for you.',
    for: ['User', 'Editor', 'QA', 'ADMIN'],
    email: 'at-once',
    push: true,
  },
  news: {
    label: 'News from us',
    text: 'Reminders and messages of ours.',
    for: ['User', 'Editor', 'QA', 'ADMIN'],
    email: 'at-once',
    push: true,
  },
} as const satisfies Record<string, KindRules>
type KindRules = {
  label: string
  text: string
  for: readonly Role[]
  email: Rhythm
  push: boolean
  isUrgent?: true
}
export type Kind = keyof typeof kinds
export const kindNames = Object.keys(kinds) as Kind[]

/** The kinds that somebody of a role may hear of. */
export const kindsOf = (role: Role): Kind[] =>
  kindNames.filter((kind) => (kinds[kind].for as readonly Role[]).includes(role))

export const isUrgent = (kind: Kind): boolean => 'isUrgent' in kinds[kind]

/**
 * Who hears of a step: the officer, the project's editor, the editor whom it was taken from, the reviewers who reach the
 * project and had no part in its cut, or where there are none the ADMINs who had none; where its editor cannot go on with it
 * (gone, shut out, in another role or company), the ADMINs who reach it and can give it to somebody. The one who did it is never
 * told, unless the message says so.
 */
export type Listener = 'user' | 'editor' | 'formerEditor' | 'reviewers' | 'assigners'
export type Message = {
  to: Listener
  kind: Kind
  title: string
  body: string
  /** What is said instead where the step led to one of these. */
  bodyIn?: Partial<Record<Status, string>>
  /** What is said instead where no plan came for a video that waited; `{until}`: the day until which it can be brought back. */
  bodyUnpaid?: string
  /** How it leaves the panel; by every channel unless said. */
  channels?: readonly Channel[]
  /** The statuses in which it is true, where it is not in all: whoever has not read it by then never will. */
  in?: readonly Status[]
  /** Steps after which it is true no more, though the status may be the same. */
  until?: readonly Verb[]
  /** Who did the step may not know it either. */
  tellsDoer?: true
}

/** Not begun; its editor's to work on; being made, whoever has it; made. */
const waits = [Status.submitted, Status.scheduled]
const isWork = [Status.submitted, Status.inProgress, Status.denied, Status.revisioning]
const isMade = [...isWork, Status.waitingApproval]
const isReady = [Status.completed, Status.scheduled]
const allBut = (status: Status): Status[] => statusValues.filter((one) => one !== status)

/** Nobody else finds a video whose editor is gone: it stands in no list of work. */
export const withoutEditor: Message = {
  to: 'assigners',
  kind: 'work',
  title: 'Give it to another editor',
  body: 'The editor of “{title}” cannot go on with it. Assign somebody else.',
  tellsDoer: true,
}

/**
 * Whose turn it is, by the status that a step led to: they are told whatever step it was, an undone one too. Each is true until
 * the next step.
 */
export const turns: Partial<Record<Status, Message>> = {
  [Status.inProgress]: withoutEditor,
  [Status.denied]: withoutEditor,
  [Status.revisioning]: withoutEditor,
  [Status.waitingApproval]: {
    to: 'reviewers',
    kind: 'reviews',
    title: 'A cut to review',
    body: 'A finished cut of “{title}” waits for approval.',
  },
}

/** Statuses in which a project's editor has to work on it. */
export const editorsTurns = statusValues.filter((status) => turns[status] === withoutEditor)

const noLongerYours: Message = {
  to: 'formerEditor',
  kind: 'work',
  title: 'No longer yours',
  body: '“{title}” was given to somebody else. Nothing is left for you to do.',
}

/**
 * One event, its hearers, their words, beside those whose turn it is then. `{title}` is the project's. Verbs without a row are
 * silent: what editors and reviewers do among themselves is nothing that an officer hears of.
 */
export const audiences: Partial<Record<Verb, readonly Message[]>> = {
  create: [
    {
      to: 'user',
      kind: 'videos',
      title: 'Sent in for you',
      body: '“{title}” was sent in on your behalf.',
      channels: [],
      in: waits,
    },
  ],
  release: [
    {
      to: 'user',
      kind: 'videos',
      title: 'In the queue',
      body: '“{title}” joined the editing queue.',
      channels: [],
      in: [Status.submitted],
    },
  ],
  start: [
    {
      to: 'user',
      kind: 'videos',
      title: 'Editing started',
      body: 'An editor started on “{title}”.',
      channels: [],
      in: [Status.inProgress, Status.waitingApproval, Status.denied],
    },
    // An ADMIN starts also what is another’s.
    noLongerYours,
  ],
  approve: [
    {
      to: 'user',
      kind: 'videos',
      title: 'Your video is ready',
      body: '“{title}” passed review. Watch it, download it or schedule it.',
      bodyIn: {
        [Status.scheduled]: '“{title}” passed review and is scheduled. Watch it, download it or choose another time.',
      },
      in: isReady,
    },
    {
      to: 'editor',
      kind: 'work',
      title: 'Approved',
      body: '“{title}” passed review.',
      channels: [],
      in: isReady,
    },
  ],
  deny: [
    {
      to: 'editor',
      kind: 'work',
      title: 'Back to you',
      body: '“{title}” was denied. Read the feedback and send a new cut.',
      in: [Status.denied],
      until: ['assign'],
    },
  ],
  review: [
    {
      to: 'editor',
      kind: 'work',
      title: 'Revision requested',
      body: 'A change to “{title}” was asked for.',
      in: [Status.revisioning],
      until: ['assign'],
    },
    { to: 'user', kind: 'videos', title: 'Another round', body: 'A change to “{title}” was asked for on your behalf.' },
  ],
  schedule: [
    {
      to: 'user',
      kind: 'videos',
      title: 'Scheduled',
      body: '“{title}” was scheduled for you.',
      in: [Status.scheduled],
    },
  ],
  publish: [
    {
      to: 'user',
      kind: 'posting',
      title: 'Time to post',
      body: '“{title}” is due now. Download it and share it.',
      in: [Status.completed],
    },
  ],
  reschedule: [],
  unschedule: [
    {
      to: 'user',
      kind: 'videos',
      title: 'Unscheduled',
      body: 'The schedule of “{title}” was taken back.',
      in: allBut(Status.scheduled),
    },
  ],
  cancel: [
    {
      to: 'user',
      kind: 'videos',
      title: 'Canceled',
      body: '“{title}” was canceled.',
      bodyUnpaid:
        '“{title}” was canceled: it had no paid plan for 90 days. Its files are kept until {until}. To have it back by then, choose a plan or ask your company’s admin, and write to us.',
      in: [Status.canceled],
    },
    {
      to: 'editor',
      kind: 'work',
      title: 'Canceled',
      body: '“{title}” was canceled. No more work is needed.',
      in: [Status.canceled],
    },
  ],
  assign: [
    {
      to: 'editor',
      kind: 'work',
      title: 'New work for you',
      body: '“{title}” was assigned to you.',
      in: isWork,
      until: ['start', 'assign'],
    },
    noLongerYours,
  ],
}

/**
 * What is said when a step was rolled back: its own notices are withdrawn, and whoever had read or been sent one hears
 * that it is true no more; so does the editor whose own step it was.
 */
export const corrections: Partial<Record<Verb, readonly Message[]>> = {
  start: [
    { to: 'editor', kind: 'work', title: 'A step was undone', body: 'Your start on “{title}” was rolled back.' },
    {
      to: 'formerEditor',
      kind: 'work',
      title: 'Yours again',
      body: '“{title}” is yours again: somebody else had started on it, and that was rolled back.',
      in: isWork,
      until: ['assign'],
    },
  ],
  send: [
    {
      to: 'editor',
      kind: 'work',
      title: 'A step was undone',
      body: '“{title}” is back in your hands: it was taken out of review.',
      in: [Status.inProgress],
    },
  ],
  approve: [
    {
      to: 'user',
      kind: 'videos',
      title: 'Not ready yet',
      body: '“{title}” goes through one more check. You hear from us when it is ready.',
      in: isMade,
    },
    {
      to: 'editor',
      kind: 'work',
      title: 'A step was undone',
      body: 'The approval of “{title}” was rolled back. It waits for review again.',
      in: [Status.waitingApproval],
    },
  ],
  deny: [
    {
      to: 'editor',
      kind: 'work',
      title: 'A step was undone',
      body: 'The denial of “{title}” was rolled back. It waits for review again.',
      in: [Status.waitingApproval],
    },
  ],
  review: [
    {
      to: 'editor',
      kind: 'work',
      title: 'A step was undone',
      body: 'The revision of “{title}” was taken back. Nothing is left for you to do.',
      in: isReady,
    },
    {
      to: 'user',
      kind: 'videos',
      title: 'A step was undone',
      body: 'Your revision of “{title}” was taken back.',
      in: isReady,
    },
  ],
  schedule: [
    {
      to: 'user',
      kind: 'videos',
      title: 'Unscheduled',
      body: 'The schedule of “{title}” was taken back.',
      in: allBut(Status.scheduled),
    },
  ],
  unschedule: [
    {
      to: 'user',
      kind: 'videos',
      title: 'Scheduled again',
      body: '“{title}” is scheduled as before.',
      in: [Status.scheduled],
    },
  ],
  cancel: [
    {
      to: 'user',
      kind: 'videos',
      title: 'Not canceled after all',
      body: '“{title}” goes on.',
      in: allBut(Status.canceled),
    },
    {
      to: 'editor',
      kind: 'work',
      title: 'Not canceled after all',
      body: '“{title}” goes on, and is yours as before.',
      in: isMade,
    },
  ],
  publish: [
    {
      to: 'user',
      kind: 'videos',
      title: 'Scheduled again',
      body: '“{title}” is scheduled as before.',
      in: [Status.scheduled],
    },
  ],
}

/** Said to its officer instead, where an undone step would have brought back a time that has passed. */
const timePassed: Message = {
  to: 'user',
  kind: 'videos',
  title: 'Its time has passed',
  body: '“{title}” is finished, but the time that was chosen for it has passed. Schedule it for another time, or download it and share it.',
  in: [Status.completed],
}

/** Said to its officer where a step schedules a video again, and no post of it goes out. An undone step brings none back. */
export const unposted: Message = {
  to: 'user',
  kind: 'posting',
  title: 'Choose again where it is posted',
  body: 'Your video is scheduled again, but no post of it goes out. Press “Schedule again” beside those that should, or unschedule it and schedule it with them.',
  in: [Status.scheduled],
}

/**
 * What says something: `approve`, `undo approve` where the step was rolled back, `late` where that came after the time of the
 * video, `unposted` where no post of it goes out, `turn` to those who have to act now.
 */
export type Step = Verb | `undo ${Verb}` | 'late' | 'unposted' | 'turn'

/** What is said of a step, or of its undoing. `isLate`: the time for which the video was scheduled before has passed. */
export const messagesOf = (
  verb: Verb,
  { isUndone = false, isLate = false } = {},
): { step: Step; message: Message }[] => {
  const step: Step = isUndone ? `undo ${verb}` : verb
  const said = ((isUndone ? corrections : audiences)[verb] ?? []).map((message) => ({ step, message }))
  if (!isLate) return said
  return [{ step: 'late', message: timePassed }, ...said.filter(({ message }) => message.to !== 'user')]
}

/**
 * What is true no more after a step, wherever nobody has read it yet: which step said it, and under which title.
 */
export const endedBy = (verb: Verb, status: Status): { step: Step; title: string }[] =>
  everythingSaid
    .filter(({ step, message }) => step === 'turn' || !isStillTrue(message, [verb], [status]))
    .map(({ step, message: { title } }) => ({ step, title }))

/** Whether a message is true after these steps, which led to these statuses. */
export const isStillTrue = (
  message: Pick<Message, 'in' | 'until'>,
  verbs: readonly Verb[],
  statuses: readonly Status[],
) =>
  !verbs.some((verb) => message.until?.includes(verb)) &&
  statuses.every((status) => message.in?.includes(status) ?? true)

/**
 * Whether what a step said under a title is true again after these steps. Whose turn it is and which posts are to be chosen again
 * is told anew of every step.
 */
export const isTrueAgain = (
  { step, title }: { step: Step; title: string },
  verbs: readonly Verb[],
  statuses: readonly Status[],
): boolean =>
  everythingSaid.some(
    (said) =>
      said.step === step &&
      said.message.title === title &&
      step !== 'turn' &&
      step !== 'unposted' &&
      isStillTrue(said.message, verbs, statuses),
  )

const rowsOf = (table: typeof audiences, prefix: '' | 'undo ') =>
  (Object.entries(table) as [Verb, readonly Message[]][]).flatMap(([of, messages]) =>
    messages.map((message) => ({ step: `${prefix}${of}` as Step, message })),
  )

const everythingSaid: { step: Step; message: Message }[] = [
  ...rowsOf(audiences, ''),
  ...rowsOf(corrections, 'undo '),
  { step: 'late', message: timePassed },
  { step: 'unposted', message: unposted },
  ...Object.values(turns).map((message) => ({ step: 'turn' as const, message })),
]
