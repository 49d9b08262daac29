/** How much of a kind is kept at most: more than anybody needs by hand, and a bound for whoever writes by a program. */
export const mostKept = {
  /** Videos that an officer sends in, or that are sent in for them, within 24 hours; canceled ones count. */
  videosPerDay: 20,
  /** Bytes of an officer's videos that wait for a later month or for a plan. */
  aheadBytes: 40 * 1024 ** 3,
  /** Bytes of all cuts of a project. */
  cutBytes: 60 * 1024 ** 3,
  /** Bytes of a file that is shown as a picture: a photo, a logo, an icon, a category's. */
  pictureBytes: 20 * 1024 ** 2,
  /** Scripts of a person's own, and of one category of a library. */
  scripts: 300,
  /** Letters of a person's own scripts together, and of a library's: a list of them is answered at once. */
  scriptLetters: 1_000_000,
  /** Scripts of all categories of a library together. */
  libraryScripts: 3000,
  /** Categories of a script library. */
  categories: 200,
  /** Clips that a B-roll library offers. */
  clips: 2000,
  /** Bytes of all files of a B-roll library, with those that were taken out lately. */
  clipBytes: 50 * 1024 ** 3,
  /** Steps of a project: who wants more cancels it or sends in another; the service goes on with what is due. */
  steps: 500,
  /** The last of them, which only staff may take. */
  stepsOfStaff: 100,
  /** The last of those, by which nothing is begun any more. */
  stepsToFinish: 20,
  /** Letters of what a project's denials and revision requests said, together. */
  stepLetters: 1_000_000,
  /** Steps of each project that a list shows, the newest; the project's own page shows all. */
  listedSteps: 20,
  /** Videos that an editor had begun and of which ADMINs are told when the editor leaves: those that are due first. */
  leftWork: 100,
  /** Remarks about a project's cuts that its officer reads, and as many between staff. */
  remarks: 300,
  /** Notes of a company about a person; of those that were deleted the newest as many are shown. */
  notes: 300,
  /** Views of lists that a person keeps. */
  views: 100,
  /** Questions to support that a person asks within 24 hours, and what they say in all of them. */
  questionsPerDay: 20,
  askerMessagesPerDay: 100,
  /** What its asker says and does in one question, and what staff do: neither takes up the other's room. */
  askerMessages: 100,
  staffMessages: 200,
  /** Letters of the contact form of one network within a day; and those of everybody that wait for an answer. */
  lettersPerDay: 20,
  waitingLetters: 1000,
  /** Closed letters that nobody had in hand. */
  closedLetters: 10_000,
  /** Days after which a letter of the contact form, answered or not, is erased. */
  letterDays: 365,
  /** Months from which on an editor has another rate. */
  rates: 120,
  /** Letters of those notes together. */
  noteLetters: 1_000_000,
  /** Files in those notes, each counted as often as it is shown. */
  noteFiles: 300,
  /** Bytes of those files, each counted once. */
  noteFileBytes: 10 * 1024 ** 3,
  /** Changes of a note that are shown, the newest; all are kept. */
  noteHistory: 30,
  /** Keys for programs of a person that are good; and those that a list shows, the newest. */
  apiKeys: 20,
  listedApiKeys: 50,
  /** Entries of one kind in the audit log, within a day, about what a person changes of their own account (migration 0216). */
  ownEntries: 200,
  /** Mails of one kind about changes of access, of some kinds by one who makes them, to one mailbox within a day. */
  alarmsPerDay: 20,
  /** Times that its officer may change or move one post, and as many that they post it again. */
  postChanges: 100,
  /** Runs of one first comment, each of which asks its network, until its officer may not have it written again. */
  commentRuns: 500,
  /** Webhook endpoints of a company, and of the service. */
  webhookEndpoints: 10,
  /** Events that wait for one endpoint. */
  webhookWaiting: 10_000,
  /** Tries of one delivery that are kept, the newest. */
  webhookAttempts: 30,
  /** A person's notices, the newest; and for how many days. */
  notices: 2_000,
  noticeDays: 180,
  /** Triggers of a company that will run. */
  triggers: 100,
  /** Words to spell right of an officer’s own, and of a company. */
  words: 500,
  /** Looks of a company, and of the service. */
  looks: 100,
  /** Renders of a project that ended without a file and without a crash; older ones are forgotten. */
  endedRenders: 50,
  /** Finished files of a project that were never sent; an older one goes when the next is done. */
  finishedRenders: 10,
  /** Bytes of them; the newest is kept however large it is. */
  finishedRenderBytes: 5 * 1024 ** 3,
  /** Files of a person that were refused or could not be checked; the oldest goes when they begin another upload. */
  refusedFiles: 20,
  /** Bytes of texts for editing programs that are kept in memory, of which one company has a quarter at most. */
  kitBytes: 64 * 1024 ** 2,
  /** Bytes of large answers that are remembered for the repeated requests of one person (a day). */
  answerBytes: 64 * 1024 ** 2,
} as const

/** Bytes that one person is answered in a minute by calls, before any packing: some hundred of the longest lists. */
export const answeredPerMinute = 60 * 1024 ** 2

/** An answer of more bytes counts as a large one. */
export const largeAnswer = 8 * 1024

/**
 * Writes that one person may make in a minute, of all kinds together, far more than hands can do; a body counts as one for
 * every `writeBytes` begun.
 */
export const writesPerMinute = 600
export const writeBytes = 32 * 1024
/** Writes that beginning an upload counts for: each becomes a row, a file and a check of it. */
export const uploadWeight = 10

/**
 * Calls by which one person may ask a service outside in a minute: its answers are shared out among all of ours, and a few
 * dozen a second are all that one gives.
 */
export const outsidePerMinute = 20

/**
 * Writes that one person may make in a day, each counted once: it is remembered for a day with its answer, about which
 * nobody is asked up to `largeAnswer`.
 */
export const writesPerDay = 30_000

/** Calls that one key for programs may make in a minute. */
export const keyCallsPerMinute = 300
