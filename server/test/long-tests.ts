/**
 * Tests that `npm test` leaves out: `npm run prove -- long-tests` runs them, and `.ci/run` does so after it. Each asks more of
 * what a shorter neighbor asks, which `npm test` runs.
 */
export const longTests = [
  'edit/src/largest-recipes.test.ts',
  'media/src/fit.test.ts',
  'media/src/mend.test.ts',
  'media/src/person.test.ts',
  'media/src/shake.test.ts',
  'media/src/short-picture.test.ts',
  'media/src/sound.test.ts',
  'server/src/edits/ahead.test.ts',
  'server/src/edits/takes.test.ts',
  'server/src/postgres/postgres.test.ts',
  'server/src/publishing/post-files.test.ts',
  'server/test/out-of-memory.test.ts',
]
