/**
 * The journeys that `npm test` leaves out, by their files: `npm run prove -- long-journeys` walks them. Each takes long, and of
 * what it proves in a browser the rest of `npm test` asks a part: the rules behind it, its page in pages.e2e.ts, or a shorter
 * journey of its kind.
 */
export const longJourneys = [
  'by-keyboard',
  'person',
  'person-page',
  'preview',
  'publishing-calendar',
  'recording-offline',
  'recording-other-person',
  'recording-ways',
  'rooms',
  'site-toasts',
  'subscription',
  'triggers',
  'views',
  'webhooks',
  'workbench-clips',
  'workbench-looks',
  'workbench-titles',
  'workbench-translation',
  'workbench-two',
]

/** Which files are walked: `JOURNEYS=test`, `long` or (also without it, by hand) every one. */
export const walked = (journeys: string | undefined): { testMatch: string | string[]; testIgnore: string[] } => {
  const files = longJourneys.map((name) => `**/${name}.e2e.ts`)
  return {
    testMatch: journeys === 'long' ? files : '**/*.e2e.ts',
    testIgnore: journeys === 'test' ? files : [],
  }
}
