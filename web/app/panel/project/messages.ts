import type { Asset } from '@clear-to-post/contract/assets'
import type { Verb } from '@clear-to-post/domain/workflow'
import { inLanguage } from '../../language.ts'

export const messages = inLanguage({
  en: {
    failed: 'The project did not load',
    noneTitle: 'There is no such project',
    noneText: 'It may belong to someone else, or the link is old.',
    toList: 'Back to the list',
    back: 'Back',
    workbench: 'Workbench',
    openWorkbench: 'Open the workbench',
    workbenchText: 'Cut, caption and render it here.',
    by: (name: string) => `by ${name}`,

    cut: (n: number) => `Cut ${n}`,
    source: 'Source',
    sourceOf: (n: number) => `Source ${n}`,
    shown: 'Video shown',
    compare: 'Compare',
    compareWith: 'Beside it',
    stopCompare: 'One video',
    pending: ({ state, stage, progress }: Asset) =>
      state === 'rejected' || state === 'failed'
        ? 'This file cannot be shown.'
        : state === 'uploading'
          ? 'The file is still being uploaded.'
          : `${stage ? stage.charAt(0).toUpperCase() + stage.slice(1) : 'Preparing the video'}${progress === undefined ? '' : ` – ${Math.floor(progress * 100)}%`}`,
    noVideoTitle: 'Nothing to watch yet',

    station: { queue: 'Queue', editing: 'Editing', approval: 'Approval', ready: 'Ready' },
    way: 'The way of this video',
    stationNow: (name: string) => `Now: ${name}`,
    waitingOnYou: 'Waiting on you',
    readyBy: (when: string) => `Ready by ${when}`,
    wasDue: (when: string) => `Was due ${within(when)}`,
    inWork: 'In work',
    ready: 'Ready',
    canceledAgo: (ago: string) => `Canceled ${ago}`,
    goesOut: (when: string) => `Goes out ${within(when)}`,
    waits: {
      'no-plan': 'Waits for a plan',
      paused: 'Waits: the plan is paused',
      unpaid: 'Waits: the plan is not paid',
      'month-full': 'Waits: the plan holds no more videos this month',
    },
    waitsShort: 'Waits for a plan',
    startsIn: (month: string) => `Starts in ${month}`,
    next: {
      yourTurn: 'It is assigned to you. Start editing when you are ready.',
      place: (n: number) =>
        n >= 1000
          ? 'Far back in the queue. An editor takes it in turn.'
          : `Place ${n} in the queue. An editor takes it in turn.`,
      queue: 'In the queue. An editor takes it in turn.',
      youEdit: 'You are editing. Upload the finished cut and send it to approval.',
      edits: (name = 'An editor') => `${name} is editing. Approval comes next.`,
      youPost: 'Watch it, then download, share or schedule it.',
      officerPosts: 'With its officer, to download, share or schedule.',
      youApprove: 'Watch the cut, then approve or deny it.',
      approval: 'We are checking the cut before you get it.',
      othersApprove: 'A reviewer watches the cut. You hear when it is approved or denied.',
      youFix: 'It was denied. Read the feedback, then start editing.',
      fixes: (name = 'The editor') => `${name} is making a better cut. Approval comes next.`,
      youRevise: 'A change was asked for. Read it, then start editing.',
      revises: (name = 'The editor') => `${name} has the revision request. Approval comes next.`,
      canceled: 'Nothing more happens.',
      weTellYou: 'We tell you when its time is here. Then you download and share it.',
      posts: 'It is posted by itself then. How each post stands is below.',
      weTell: 'Its officer is told when the time is here.',
      yourMonth: 'You chose this month. It enters the queue when the month begins.',
      month: 'It enters the queue when the month begins.',
      youWait: {
        'no-plan':
          'Its month has begun, but no plan runs. Choose one, or ask your company’s admin. Then it joins the queue by itself.',
        paused:
          'Its month has begun, but the plan is paused. Resume it, or ask your company’s admin. Then it joins the queue by itself.',
        unpaid:
          'Its month has begun, but the plan is not paid. Update the card, or ask your company’s admin. Then it joins the queue by itself.',
        'month-full':
          'More was sent in than the plan holds now. Buy one more or take a bigger plan; else it joins the queue in a month with room.',
      },
      officerWaits: 'Its officer was told. It joins the queue by itself as soon as a plan covers it.',
      toPlan: 'Open my plan',
    },

    approveCut: (n: number) => `Approve cut ${n}`,
    newerCut: (n: number, shown: string) => `Cut ${n} is here. ${shown} is on the screen.`,
    earlierCut: (n: number, shown: string) => `Cut ${n} is the current one again. ${shown} is on the screen.`,
    showCut: (n: number) => `Show cut ${n}`,
    otherCutText: (n: number, shown: string) =>
      `${shown} is on the screen. What you decide counts for cut ${n}. Watch it first.`,
    cutCame: (n: number) => `Cut ${n}`,

    more: 'More actions',
    moveInQueue: 'Move in the queue',
    approveAt: 'Approve for a time',
    download: 'Download',
    share: 'Share',
    shareNow: 'Share now',
    shareLoading: (percent: string) => `Getting the video: ${percent}`,
    linkCopied: 'Link to this page copied. It opens for people who may see the video.',
    did: {
      start: 'Editing started',
      send: 'Sent to approval',
      approve: 'Approved',
      deny: 'Denied. The editor has your feedback',
      review: 'Revision requested',
      schedule: 'Scheduled',
      unschedule: 'Unscheduled',
      cancel: 'Canceled',
      rollback: 'The last step was undone',
      assign: 'Assigned',
      reorder: 'Moved in the queue',
    } satisfies Partial<Record<Verb, string>> as Partial<Record<Verb, string>>,
    undo: 'Undo',
    undone: 'Undone',
    stop: 'Not now',

    cancelTitle: 'Cancel this video?',
    cancelText: 'Work on it ends and its officer is told. Its source files stay for 7 days.',
    cancelOwnText:
      'It leaves the queue, and its source files are removed after 7 days. If no editing has begun, the video of your plan is given back.',
    cancelKeep: 'Keep it',
    cancelDo: 'Cancel the video',
    rollbackTitle: 'Undo the last step?',
    rollbackText: (step: string) => `“${step}” is taken back, with everything it counted.`,
    rollbackDo: 'Roll back',

    scheduleTitle: 'Schedule the video',
    approveAtTitle: (n: number) => `Approve cut ${n} for a time`,
    when: 'Date and time',
    zone: (zone: string) => `Your time: ${zone}.`,
    scheduleHint:
      'When the time comes, the video is posted to the accounts that you choose. Without one, we tell you to download and share it.',
    approveText: (n: number, title: string) =>
      `You approve cut ${n} of “${title}” without watching it here. Its officer is told.`,
    approveAtHint: 'The video counts as approved now and waits as Scheduled until then.',
    inPast: 'That time has passed. Choose a time in the future.',
    noTime: 'Choose a date and a time.',
    quickTomorrow: 'Tomorrow',
    quickMonday: 'Monday',
    quickWeek: 'In a week',

    reviewTitle: 'Request a revision',
    reviewText: 'What should change?',
    reviewPlaceholder: 'Keep the “3%” on the screen a second longer, and turn the music down after 0:12.',
    reviewComments: (n: number) =>
      n === 0
        ? 'Tip: comments you write at a moment of the video go along with the request.'
        : n === 1
          ? 'Your comment on the video goes along with the request.'
          : `${n} comments on the video go along with the request.`,
    reviewNeeds: 'Say what should change.',

    assignTitle: 'Assign an editor',
    editor: 'Editor',
    chooseEditor: 'Choose an editor',
    toPool: 'Nobody – back to the queue',
    assign: 'Assign',
    editorsFailed: 'The editors did not load. Close this and try again.',

    denyTitle: (n: number) => `Deny cut ${n}`,
    denyText: 'Take points off where the cut falls short. The editor sees all of it.',
    criteriaFailed: 'The criteria did not load',
    score: (n: number) => `${n} of 10`,
    scoreNote: (label: string) => `What about “${label}”?`,
    categories: 'Why is it denied?',
    categoriesHint: 'At least one.',
    categoriesNeeded: 'Choose at least one reason.',
    denyComment: 'In a sentence',
    denyPlaceholder: 'What must be different in the next cut?',

    overtakenTitle: 'Not sent',
    overtakenText: (step: string) => `“${step}” came first. Your text is here until you close this tab of the browser.`,
    overtakenClose: 'Close',
    copyText: 'Copy the text',
    textCopied: 'Copied',

    cutTitle: 'The finished cut',
    cutText: 'It becomes the next cut. Earlier cuts stay.',
    unsentTitle: 'Ready to send',
    unsentText: 'Cuts of this video that others made and nobody has sent yet.',
    unsentName: (name: string, when: string) => `${name}, ${within(when)}`,
    unsentOlder: 'The edit was changed after this was rendered. Render again to send what the edit shows now.',
    sendThis: (name: string) => `Send ${name} to approval`,
    cutDrop: 'Drop the finished cut here',
    cutChoose: 'Choose the cut',
    cutAnother: 'Choose another cut',
    cutGoes: 'The newest: this one goes to approval.',
    cutByOther: 'The newest: somebody else sends this one.',
    cutStays: 'Not sent. Remove it if you do not need it.',
    cutNoPicture: 'This file has sound only. Export the cut with its picture and upload it again.',
    willSend: 'Goes to approval by itself as soon as the file is ready. Keep this page open.',
    dontSend: 'Do not send yet',
    sendNeeds: 'Upload the finished cut first.',

    tabs: { comments: 'Comments', brief: 'Brief', notes: 'Notes', cuts: 'Cuts', history: 'History' },

    house: 'The house',
    beds: (n: string) => (n === '1' ? '1 bed' : `${n} beds`),
    baths: (n: string) => (n === '1' ? '1 bath' : `${n} baths`),
    bRoll: 'B-roll',
    kit: 'Brand kit',
    guidelines: 'The company’s guidelines',
    facebook: 'Facebook',
    instagram: 'Instagram',
    answerTitle: 'How is the finished video?',
    answerText: 'Your editor and the reviewers read it.',
    answerScore: '0 is not at all what I wanted, 10 is just right',
    answerWords: 'In a sentence',
    answerSend: 'Send',
    answerChange: 'Change my answer',
    answerThanks: 'Thank you. Your editor reads it.',
    answerOf: (score: number) => `${score} of 10`,
    answerByYou: 'What you said of it',
    answerByOfficer: 'What the officer says',
    revisionsLeft: (n: number) =>
      n === 0
        ? 'This is the last one: your plan has no revision left after it.'
        : n === 1
          ? '1 more revision is left after this one.'
          : `${n} more revisions are left after this one.`,
    goesAlong: 'Goes along with the request',
    instructions: 'Instructions',
    noInstructions: 'No instructions were given.',
    captions: 'Captions',
    spelling: 'Script or spelling',
    month: 'Month',
    officer: 'Officer',
    free: 'Free video',
    sources: 'Source files',
    noSources: 'The source files were removed. The finished video and its cuts stay.',
    asZip: 'All as zip',
    downloadFile: (name: string) => `Download ${name}`,
    expires: (day: string) => `Source files may be removed after ${day}.`,
    expiresCanceled: (day: string) =>
      `Canceled: its source files are removed after ${day}. Until then an admin can bring it back.`,

    feedback: 'Feedback',
    feedbackOn: (n: number) => `Feedback on cut ${n}`,
    revisionAsked: 'A change was asked for',
    revisionAskedByYou: 'You asked for this change',

    commentsFailed: 'The comments did not load',
    noComments: 'No comments yet',
    noCommentsText: 'Pause where something strikes you and press C.',
    noCommentsTouch: 'Pause where something strikes you and write it here.',
    noCommentsRead: 'Remarks on moments of the video will stand here.',
    commentAt: (time: string) => `Comment at ${time}`,
    commentLabel: 'Comment on this moment',
    commentPlaceholder: 'What do you see here?',
    post: 'Post',
    postKey: 'Ctrl+Enter',
    attached: 'With the revision request',
    onCut: (n: number) => `On cut ${n}`,
    jump: (time: string) => `Go to ${time}`,
    onlyCurrent: (n: number) => `Comments go to the current cut. Show cut ${n} to write one.`,
    noCutYet: 'Comments start with the first cut.',

    cutsFailed: 'The cuts did not load',
    noVersions: 'No cut yet',
    noVersionsText: 'The first one stands here when the editor sends it to approval.',
    verdict: { waiting: 'Waiting', approved: 'Approved', denied: 'Denied', replaced: 'Replaced' },
    olderCut: 'Rendered before the last change of the edit.',
    sentAt: (when: string) => `Sent ${within(when)}`,
    watch: 'Watch',
    watching: 'On screen',
    besideIt: 'Compare',

    late: (length: string) => `${length} late`,
    hours: (n: number) => `${n} h`,
    days: (n: number) => `${n} days`,
    waitingSince: (age: string) => `Waiting ${age}`,

    role: { User: 'Officer', Editor: 'Editor', QA: 'QA', ADMIN: 'Admin', SYSTEM: 'Service' },
    you: 'You',
    undoes: (step: string) => `Undone: ${step}`,
    forTime: (when: string) => `For ${within(when)}`,
    withComments: (n: number) => (n === 1 ? '1 comment went along.' : `${n} comments went along.`),
    assignedTo: (name: string) => `To ${name}`,
    backToQueue: 'Back to the queue',
  },
})

// “Today” begins a line; within one it is a word like any other. Names of days and months stay as they are.
const within = (when: string): string => when.replace(/^(Today|Tomorrow|Yesterday)/, (day) => day.toLowerCase())
