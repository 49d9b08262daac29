/**
 * THE workflow of one post: a scheduled video on its way to one network. Reversible work stands before `armed`, the one request
 * that nobody can take back between `armed` and `sent`, and whatever is not known afterwards is asked of the network and never
 * sent again on a guess (docs/decisions/0480).
 */
export const postStates = [
  'scheduled',
  'preparing',
  'prepared',
  'armed',
  'sent',
  'processing',
  'live',
  'handed',
  'failed',
  'unconfirmed',
  'withdrawn',
  'removed',
] as const
export type PostState = (typeof postStates)[number]

/** Why a post failed, by what helps: trying again, a new sign-in, another file or text, another day, or the network's own people. */
export const failureKinds = ['retry', 'reauth', 'permanent', 'limit', 'policy'] as const
export type FailureKind = (typeof failureKinds)[number]

/** `to`: null where it stays in its state. */
type PostRule = { from: readonly PostState[]; to: PostState | null; by: 'service' | 'officer' | 'both'; title: string }

/**
 * What may happen to a post. `by`: the service's jobs, or the officer whose post it is (a taken-back approval withdraws posts for
 * whoever took it back, and a company's admin takes down what is on its accounts, and answers for an officer who is gone).
 */
export const posting = {
  prepare: { from: ['scheduled'], to: 'preparing', by: 'service', title: 'The video is being brought to the network' },
  prepared: { from: ['preparing'], to: 'prepared', by: 'service', title: 'Ready at the network, not visible yet' },
  /** What lay ready there ran out, or the moment moved: the work before is done anew. */
  restart: {
    from: ['preparing', 'prepared', 'armed'],
    to: 'scheduled',
    by: 'service',
    title: 'Starts again; nothing was posted',
  },
  arm: { from: ['prepared'], to: 'armed', by: 'service', title: 'The network is asked to publish' },
  /** The network has proved that nothing was posted. */
  absent: {
    from: ['armed', 'sent'],
    to: 'prepared',
    by: 'service',
    title: 'The network has no such post; it is asked again',
  },
  send: { from: ['armed'], to: 'sent', by: 'service', title: 'The network accepted the post' },
  process: { from: ['armed', 'sent'], to: 'processing', by: 'service', title: 'The network works on the video' },
  live: { from: ['armed', 'sent', 'processing', 'handed', 'unconfirmed'], to: 'live', by: 'both', title: 'Posted' },
  /** The network holds it for the account's owner, who posts it there: it is not public yet. */
  hand: { from: ['armed', 'sent', 'processing'], to: 'handed', by: 'service', title: 'In the account’s inbox' },
  fail: {
    from: ['scheduled', 'preparing', 'prepared', 'armed', 'sent', 'processing'],
    to: 'failed',
    by: 'service',
    title: 'Not posted',
  },
  /** Also of a post whose moment came while a copy of the service was away: see docs/operations.md, After a restore. */
  lose: {
    from: ['scheduled', 'preparing', 'prepared', 'armed', 'sent', 'processing'],
    to: 'unconfirmed',
    by: 'service',
    title: 'The network does not say whether it was posted',
  },
  repeat: {
    from: ['failed', 'unconfirmed', 'handed', 'withdrawn', 'removed'],
    to: 'scheduled',
    by: 'officer',
    title: 'Posted again',
  },
  /** Whatever becomes of the approval: from here the account takes posts of the video again. */
  deny: { from: ['unconfirmed'], to: 'withdrawn', by: 'officer', title: 'Somebody looked: it is not there' },
  withdraw: {
    from: ['scheduled', 'preparing', 'prepared', 'failed'],
    to: 'withdrawn',
    by: 'both',
    title: 'Taken back before it was posted',
  },
  /** In a restored copy; whether it was taken back since the backup, nobody there knows. */
  hold: {
    from: ['scheduled', 'preparing', 'prepared'],
    to: 'withdrawn',
    by: 'service',
    title: 'Held back until its officer says that it is posted',
  },
  move: {
    from: ['scheduled', 'preparing', 'prepared'],
    to: null,
    by: 'officer',
    title: 'Moved to another time',
  },
  /** Nothing of it is at the network: whatever goes there takes what stands with it then. */
  reword: { from: ['scheduled', 'failed'], to: null, by: 'officer', title: 'Edited' },
  remove: { from: ['live'], to: 'removed', by: 'officer', title: 'Taken down' },
} as const satisfies Record<string, PostRule>

export type PostEvent = keyof typeof posting

/** What its officer changes of a post by `reword`, as its record names it. */
export const editedParts = ['words', 'title', 'privacy', 'coverMs', 'captions', 'tiktok', 'comment'] as const
export type EditedPart = (typeof editedParts)[number]

/** What of it people read in the history of its video; the steps between are the service's own. */
export const toldPostEvents = [
  'live',
  'hand',
  'fail',
  'lose',
  'repeat',
  'deny',
  'withdraw',
  'hold',
  'move',
  'reword',
  'remove',
] as const satisfies readonly PostEvent[]
export type ToldPostEvent = (typeof toldPostEvents)[number]
export const postEvents = Object.keys(posting) as PostEvent[]

/** Where a post stands after this event; null when the event is not possible in its state. */
export const afterPostEvent = (state: PostState, event: PostEvent): PostState | null =>
  (posting[event] as PostRule).from.includes(state) ? (posting[event].to ?? state) : null

/** Whether the network may hold it already although nobody has heard so: it is asked, and never sent again on a guess. */
export const mayBeOut = (state: PostState): boolean => state === 'armed' || state === 'sent' || state === 'processing'

/**
 * Which part of the work comes next. Making a post ready sends a long file, which may take many minutes; publishing it and
 * asking what became of it are short requests that wait for no upload. `bringsFile`: publishing sends the file itself.
 */
export type PostPart = 'upload' | 'publish'
export const partOf = (state: PostState, bringsFile: boolean): PostPart =>
  state === 'scheduled' || state === 'preparing' || (state === 'prepared' && bringsFile) ? 'upload' : 'publish'

/** Nothing more happens to it by itself. */
export const hasEnded = (state: PostState): boolean =>
  state === 'live' ||
  state === 'handed' ||
  state === 'failed' ||
  state === 'unconfirmed' ||
  state === 'withdrawn' ||
  state === 'removed'

/** Nothing of it is at its network, nor may be: posted again, it takes the cut that was approved since. */
export const takesNewCut = (state: PostState): boolean => state === 'withdrawn' || state === 'failed'

/**
 * What its officer may do with a post now. `isApproved`: the video may still go out as it was approved; `isRecut`: another cut of
 * it, since; `isScheduled`: its own time has not come. `isUsable`: the officer still posts with its account. `isLatest`: no later
 * post of the video was made for the same account.
 */
export const postActionsFor = (
  state: PostState,
  {
    isApproved,
    isRecut,
    isScheduled,
    isUsable,
    isLatest,
    canTakeDown,
  }: {
    isApproved: boolean
    isRecut: boolean
    isScheduled: boolean
    isUsable: boolean
    isLatest: boolean
    canTakeDown: boolean
  },
) =>
  [
    ...(state === 'unconfirmed' ? (['confirm', 'deny'] as const) : state === 'handed' ? (['confirm'] as const) : []),
    ...(afterPostEvent(state, 'repeat') && (isApproved || (isRecut && takesNewCut(state))) && isUsable && isLatest
      ? (['repeat'] as const)
      : []),
    ...(afterPostEvent(state, 'move') && isApproved && isScheduled ? (['move'] as const) : []),
    ...(afterPostEvent(state, 'reword') && isApproved ? (['reword'] as const) : []),
    ...(afterPostEvent(state, 'withdraw') ? (['withdraw'] as const) : []),
    ...(state === 'live' && canTakeDown ? (['remove'] as const) : []),
  ] as const

/** Work that can be done before the moment begins so early. */
export const prepareMinutes = 60

/** Nothing is moved that goes out within so many minutes, and nothing to a time within them. */
export const leastMinutesAhead = 2

/** Whether a moment is so near, or past, that nothing is moved from it or to it. */
export const isTooNear = (at: Date, now: Date): boolean => at.getTime() < now.getTime() + leastMinutesAhead * 60_000

/**
 * Whether what lies ready at the network is of use at a later moment. Most keep it for a day or less; a video that is brought
 * early is brought once more then.
 */
export const staysReady = (dueAt: Date, now: Date, keepsReady: boolean): boolean =>
  keepsReady || dueAt.getTime() <= now.getTime() + prepareMinutes * 60_000

/** Tries of what can be repeated before a post may be given up, and the seconds before each next one. */
export const postTries = 6
export const secondsBeforeTry = (tried: number): number => Math.min(15 * 2 ** Math.max(0, tried - 1), 600)

/** So long after its moment what is not out, and may be tried again, is still tried (decision 1188). */
export const lateHours = 6
/** A post that is not out so long after its moment is late: its officer hears of it. */
export const lateMinutes = 5

/** Its moment is so long past that it does not go out any more. */
export const isOver = (dueAt: Date, at: Date): boolean => at.getTime() > dueAt.getTime() + processingHours * 3_600_000

/** Whether a post that is tried next at this moment goes out late. */
export const isLate = (dueAt: Date, next: Date): boolean => next.getTime() > dueAt.getTime() + lateMinutes * 60_000

/**
 * Whether a network that answered and did not take a post is asked once more, this having been its so manieth try: one that says
 * when to come again is. Else a few times, as the post's file may be why.
 */
export const isAskedAgain = (tried: number, { kind, again }: { kind: FailureKind; again: Date | null }): boolean =>
  kind === 'limit' || (kind === 'retry' && (again !== null || tried < postTries))

/** When a post is looked at next, so many times in a row: no wait goes past its moment, nor past the one at which it is late. */
export const nextLook = (tried: number, { dueAt, now }: { dueAt: Date; now: Date }): Date => {
  const due = dueAt.getTime()
  const looks = [due, due + lateMinutes * 60_000].filter((at) => at > now.getTime())
  return new Date(Math.min(now.getTime() + secondsBeforeTry(tried) * 1000, ...looks))
}

/**
 * When a post of which nothing is out is tried next, this having been its so manieth try in a row; null where it is given up.
 * `again`: the network takes nothing before; said before its moment of one at which it is late, it is tried then, so that its
 * officer hears in time and not too soon.
 */
export const nextTry = (
  tried: number,
  { dueAt, now, again = null }: { dueAt: Date; now: Date; again?: Date | null },
): Date | null => {
  const due = dueAt.getTime()
  const next = again ?? nextLook(tried, { dueAt, now })
  const isSpent = tried >= postTries && next.getTime() > due + lateHours * 3_600_000
  if (isSpent || isOver(dueAt, next)) return null
  return now < dueAt && isLate(dueAt, next) ? new Date(due + lateMinutes * 60_000) : next
}

/**
 * After this many seconds a request that was armed is either answered or dead: its sender gives it up sooner, so that a proof of
 * absence read later is final.
 */
export const sendSeconds = 60
export const settleSeconds = 90

/** So long a network may work on a video or not know of it before the officer is asked. */
export const processingHours = 24
