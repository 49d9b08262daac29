// The long forms of journeys: npm run prove -- NAME walks them, and builds the panel before.

/**
 * Each by its name. `walks`: which files are walked (e2e/walks.ts), each of them as in npm test; else one file, `of`, in its
 * long form, `only` the journeys of which the title says so. `args`: Playwright's.
 */
export const journeyProofs = {
  // Every journey at both screens, by day and by night, of which npm test walks some at one (e2e/screens.ts).
  journeys: { walks: 'all' },
  // Those that npm test leaves out.
  'long-journeys': { walks: 'long', args: ['--retries=1'] },
  // Random recipes with every kind of layer, in the browser's preview and in the finished file.
  preview: { of: 'preview', args: ['--project', 'desktop', '--workers', '1'] },
  // 30 browsers are killed while they record; what they called safe arrives once.
  'recording-browsers': {
    of: 'recording',
    only: 'browser is killed',
    args: ['--project', 'desktop', '--timeout', '1800000'],
  },
  // How far picture and sound of a recorded take lie apart, in the file that arrived.
  'recording-clap': { of: 'recording-clap', args: ['--project', 'desktop'] },
  // What recording costs its page, in figures.
  'recording-speed': { of: 'recording-speed', args: ['--project', 'desktop'] },
  // A network lost for five real minutes, and browsers killed at random moments, ROUNDS=… of them, while an editor works.
  'workbench-kept': { of: 'workbench-kept', args: ['--project', 'desktop'] },
}

/** What Playwright is asked for one of them, and the environment that it is asked in. */
export function walkOf({ walks, of, only, args = [] }) {
  return {
    args: [
      'test',
      '-c',
      'e2e/playwright.config.ts',
      ...(of ? [`e2e/${of}\\.e2e\\.ts`] : []),
      ...(only ? ['-g', only] : []),
      ...args,
    ],
    env: walks ? { JOURNEYS: walks } : { PROVE: 'long' },
  }
}
