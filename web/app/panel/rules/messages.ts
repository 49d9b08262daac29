import { inLanguage } from '../../language.ts'

export const messages = inLanguage({
  en: {
    title: 'First cut',
    text: 'What editors kept and undid of the first cut’s decisions, counted in the last cut of each video. A rule that is often undone does too much; one that editors often do by hand, too little.',
    period: 'Period',
    days: { 7: 'Last 7 days', 30: 'Last 30 days', 90: 'Last 90 days', 365: 'Last year' },
    videos: (n: number) => (n === 1 ? 'One video was counted.' : `${n.toLocaleString('en-US')} videos were counted.`),
    none: 'No video that was cut in the workbench was sent in this time.',
    table: 'Rules of the first cut',
    rule: 'Rule',
    kept: 'Kept',
    undone: 'Undone',
    undoneOf: (part: number) => `${Math.round(part * 100)} %`,
    added: 'By hand',
    numbers: 'Settings',
    noNumbers: 'None',
    number: (what: string, value: string) => `${what}: ${value}`,
    failed: 'The figures did not load',
    emptyTitle: 'No rules',
    emptyText: 'The first cut has no rules.',
    rules: {
      silence: 'Shorten silences',
      filler: 'Cut fillers',
      'broken-off': 'Cut sentences that were begun again',
      'off-script': 'Mark what is not in the script',
      move: 'Zoom in on numbers and calls to action',
      person: 'Keep the person in the frame',
      card: 'Add an end card',
      none: 'Words that no rule covers',
    },
  },
})
