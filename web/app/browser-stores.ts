/**
 * Everything that the web app keeps in a browser, and what signing out by one's own choice does with it. A session that merely
 * ended keeps it for the next sign-in of the same person. A test compares this list with the source (browser-stores.test.ts),
 * a journey with a browser that was used (e2e/kept-here.e2e.ts); `forget.ts` goes by it.
 */
export type BrowserStore = {
  in: 'localStorage' | 'sessionStorage' | 'indexedDB' | 'files' | 'caches'
  /** A key, `database/table`, a path or a cache; `{person}` stands for an id of a person, `*` for anything. */
  name: string
  /** The source file that keeps it. */
  by: string
  holds: string
  /** Who really writes it, where a library does. */
  library?: string
} & ({ atSignOut: 'forgotten' } | { atSignOut: 'stays'; why: string })

/** Followed by the id of a person who left and of whom this browser has not forgotten everything yet; as in session.ts. */
export const leaverKey = 'forget '

const ofTheDevice = 'It is about the device, whoever uses it.'

export const browserStores: readonly BrowserStore[] = [
  // The device and its looks
  {
    in: 'localStorage',
    name: 'theme',
    by: 'theme.ts',
    holds: 'day or night, as chosen',
    atSignOut: 'stays',
    why: ofTheDevice,
  },
  {
    in: 'localStorage',
    name: 'counting',
    by: 'site/tags.ts',
    holds: 'whether visits may be counted',
    atSignOut: 'stays',
    why: ofTheDevice,
  },
  {
    in: 'localStorage',
    name: 'recorder',
    by: 'panel/record/settings.ts',
    holds: 'what is recorded, pace and size of the words, paces of the last takes; names of camera and microphone',
    atSignOut: 'stays',
    why: ofTheDevice,
  },
  {
    in: 'localStorage',
    name: 'script-size',
    by: 'panel/scripts/script-page.tsx',
    holds: 'how large scripts are read',
    atSignOut: 'stays',
    why: ofTheDevice,
  },
  {
    in: 'localStorage',
    name: 'bench-networks',
    by: 'panel/edits/use-networks.ts',
    holds: 'for which networks an editor looks at videos',
    atSignOut: 'stays',
    why: ofTheDevice,
  },
  {
    in: 'localStorage',
    name: 'brand',
    by: 'panel/brand/use-brand.ts',
    holds: 'the company’s two colours',
    atSignOut: 'forgotten',
  },

  {
    in: 'caches',
    name: 'recorder',
    by: '../public/worker.js',
    holds: 'the recorder’s page and its scripts, as anybody gets them',
    atSignOut: 'stays',
    why: 'Nothing in it is anybody’s.',
  },

  // The session
  {
    in: 'localStorage',
    name: 'session-hint',
    by: 'session.ts',
    holds: 'that somebody is signed in',
    atSignOut: 'forgotten',
  },
  {
    in: 'localStorage',
    name: 'session-turned',
    by: 'session.ts',
    holds: 'when the session was renewed last',
    atSignOut: 'stays',
    why: 'A time, of nobody.',
  },
  {
    in: 'localStorage',
    name: 'session-asking',
    by: 'session.ts',
    holds: 'the secret of a renewal of the session that has no answer yet',
    atSignOut: 'forgotten',
  },
  {
    in: 'localStorage',
    name: 'session-asked',
    by: 'session.ts',
    holds: 'the secret of the last renewal of the session',
    atSignOut: 'forgotten',
  },
  {
    in: 'localStorage',
    name: 'session-sign-out',
    by: 'session.ts',
    holds: 'that a sign-out is still to be told to the service',
    atSignOut: 'stays',
    why: 'Until the service has heard of it.',
  },
  {
    in: 'localStorage',
    name: `${leaverKey}{person}`,
    by: 'session.ts',
    holds: 'whose things are still to be forgotten here',
    atSignOut: 'stays',
    why: 'Until nothing of theirs is left.',
  },
  {
    in: 'localStorage',
    name: 'push-device',
    by: 'panel/push/device.ts',
    holds: 'whose notifications are switched on here, and at which address',
    atSignOut: 'stays',
    why: 'The same person is told again after the next sign-in without being asked (decision 161).',
  },
  {
    in: 'caches',
    name: 'shown',
    by: '../public/worker.js',
    holds: 'ids of notifications that were shown, for a month',
    atSignOut: 'stays',
    why: 'They are random, and none is shown twice.',
  },
  {
    in: 'sessionStorage',
    name: 'oauth-flow',
    by: 'sign-in/oauth-flow.ts',
    holds: 'a sign-in at Google or Apple',
    atSignOut: 'forgotten',
  },
  {
    in: 'sessionStorage',
    name: 'oauth-return',
    by: 'sign-in/oauth-flow.ts',
    holds: 'what came back of it',
    atSignOut: 'forgotten',
  },
  {
    in: 'sessionStorage',
    name: 'code-sent',
    by: 'sign-in/sent-code.ts',
    holds: 'an address that a code was sent to',
    atSignOut: 'forgotten',
  },
  {
    in: 'sessionStorage',
    name: 'ways-after-reset',
    by: 'security/after-reset.ts',
    holds: 'ways to sign in that a new password took away',
    atSignOut: 'forgotten',
  },

  {
    in: 'localStorage',
    name: 'recorder-person',
    by: 'panel/record/kept-recorder.ts',
    holds: 'who may record here without a network: id, name, company, licence number, phone, city',
    atSignOut: 'forgotten',
  },
  {
    in: 'localStorage',
    name: 'recorder-scripts {person}',
    by: 'panel/record/kept-scripts.ts',
    holds: 'the scripts that may be read here without a network',
    atSignOut: 'forgotten',
  },

  // What was written and not sent
  {
    in: 'localStorage',
    name: 'draft {person}',
    by: 'panel/projects/draft.ts',
    holds: 'the form of a new video with its script',
    atSignOut: 'forgotten',
  },
  {
    in: 'localStorage',
    name: 'draft {person} for *',
    by: 'panel/projects/draft.ts',
    holds: 'the form of a new video that becomes somebody else’s',
    atSignOut: 'forgotten',
  },
  {
    in: 'localStorage',
    name: 'blanks {person}',
    by: 'panel/scripts/blanks.ts',
    holds: 'what is said for the blanks of scripts: licence number, phone, city',
    atSignOut: 'forgotten',
  },
  {
    in: 'sessionStorage',
    name: 'written {person} *',
    by: 'written.ts',
    holds:
      'notes, reviews, comments, answers, questions, posts, invitations and scripts that were written and not sent',
    atSignOut: 'forgotten',
  },
  {
    in: 'sessionStorage',
    name: 'tsr-scroll-restoration-*',
    by: 'routes.tsx',
    holds: 'how far pages were scrolled',
    library: '@tanstack/react-router',
    atSignOut: 'stays',
    why: 'Numbers, by random names; they end with the tab.',
  },

  // Files and takes on their way
  {
    in: 'indexedDB',
    name: 'shared/files',
    by: '../public/worker.js',
    holds: 'videos that other apps shared, until somebody has said what becomes of them',
    atSignOut: 'forgotten',
  },
  {
    in: 'indexedDB',
    name: 'uploads/files',
    by: 'panel/assets/kept-files.ts',
    holds: 'files on their way to the service',
    atSignOut: 'forgotten',
  },
  {
    in: 'localStorage',
    name: 'tus::upload|{person}|*',
    by: 'panel/assets/send-file.ts',
    holds: 'name and address of a file on its way',
    library: 'tus-js-client',
    atSignOut: 'forgotten',
  },
  {
    in: 'indexedDB',
    name: 'takes/takes',
    by: 'spool/database.ts',
    holds: 'what is known of recorded takes',
    atSignOut: 'forgotten',
  },
  {
    in: 'indexedDB',
    name: 'takes/parts',
    by: 'spool/database.ts',
    holds: 'recorded takes where the browser has no files',
    atSignOut: 'forgotten',
  },
  { in: 'files', name: 'takes/*', by: 'spool/files-worker.ts', holds: 'recorded takes', atSignOut: 'forgotten' },
  {
    in: 'files',
    name: 'takes/reserve',
    by: 'spool/files-worker.ts',
    holds: 'zeros: room for the end of a take on a full disk',
    atSignOut: 'stays',
    why: 'Nothing is written there.',
  },

  // The bench
  {
    in: 'localStorage',
    name: 'edit:{person}:*',
    by: 'panel/edits/kept.ts',
    holds: 'an edit that the service does not have yet',
    atSignOut: 'stays',
    why: 'It may be the only copy of an editor’s work: the next sign-in of the same person saves it.',
  },
  {
    in: 'indexedDB',
    name: 'edits/kept',
    by: 'panel/edits/kept.ts',
    holds: 'the same, surely on the disk; of what was saved the time alone',
    atSignOut: 'stays',
    why: 'It may be the only copy of an editor’s work: the next sign-in of the same person saves it.',
  },
  {
    in: 'indexedDB',
    name: 'edit-steps/steps',
    by: 'panel/edits/kept-steps.ts',
    holds: 'steps of an edit that can be undone, until tomorrow',
    atSignOut: 'forgotten',
  },
  {
    in: 'sessionStorage',
    name: 'edit-page',
    by: 'panel/edits/kept.ts',
    holds: 'a random name of this page',
    atSignOut: 'stays',
    why: 'It ends with the tab.',
  },
  {
    in: 'sessionStorage',
    name: 'edit-tab',
    by: 'panel/edits/kept-steps.ts',
    holds: 'a random name of this tab',
    atSignOut: 'stays',
    why: 'It ends with the tab.',
  },
]

/** The pattern of a name; of one person's where `person` is given, else of anybody's. */
export const patternOf = (name: string, person?: string): RegExp => {
  const escaped = name.replaceAll(/[.+?^$()|[\]\\]/g, String.raw`\$&`)
  const whose = person === undefined ? '[^:| ]+' : person.replaceAll(/[^\w-]/g, '')
  return new RegExp(`^${escaped.replaceAll('{person}', whose).replaceAll('*', '.*')}$`, 's')
}
