/**
 * The journeys that `npm test` leaves out, by their files: `npm run prove -- long-journeys` walks them, and `.ci/run` some
 * of them after it. Of what each proves in a browser the rest of `npm test` asks a part: the rules behind it, its page in pages.e2e.ts,
 * or a shorter journey of its kind.
 */
export const longJourneys = [
  'api-keys',
  'approval',
  'as-it-was-asked',
  'assign-several',
  'audit',
  'board-calendar',
  'by-keyboard',
  'given-up',
  'in-sight',
  'invitations',
  'kept-here',
  'lists',
  'notifications',
  'painter',
  'payments',
  'person',
  'person-page',
  'preview',
  'publishing-calendar',
  'publishing-company',
  'publishing-extras',
  'publishing-networks',
  'push',
  'recording-first',
  'recording-offline',
  'recording-old-browsers',
  'recording-other-person',
  'recording-ways',
  'reports',
  'rooms',
  'set-up-steps',
  'site-toasts',
  'still-pages',
  'subscription',
  'support',
  'terms',
  'triggers',
  'two-writers',
  'undo',
  'views',
  'webhooks',
  'workbench-clips',
  'workbench-kept',
  'workbench-looks',
  'workbench-timeline',
  'workbench-titles',
  'workbench-translation',
  'workbench-two',
]

/** Walked by both: by `npm test` in part. */
const inPart = ['pages']

/** A journey with this tag, of a file that `npm test` walks, is left out there, too: `test('…', { tag: '@long' }, …)`. */
const tag = '@long'

/** Which are walked: `JOURNEYS=test`, `long` or (also without it, by hand) every one. */
export const walked = (journeys: string | undefined): { testIgnore?: string[]; grep?: RegExp; grepInvert?: RegExp } => {
  if (journeys === 'test')
    return { testIgnore: longJourneys.map((name) => `**/${name}.e2e.ts`), grepInvert: RegExp(tag) }
  // Playwright looks for it in a line with the journey's file, title and tags.
  if (journeys === 'long') return { grep: RegExp(`${tag}|\\b(${[...longJourneys, ...inPart].join('|')})\\.e2e\\.ts`) }
  return {}
}
