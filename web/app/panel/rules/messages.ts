import { inLanguage } from '../../language.ts'

export const messages = inLanguage({
  en: {
    title: 'First cut',
    text: 'What editors made of each rule’s decisions, in the last cut that each video sent. A rule that is often undone decides too much; one that is often done by hand, too little.',
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
    numbers: 'Its numbers',
    noNumbers: 'It has none.',
    number: (what: string, value: string) => `${what}: ${value}`,
    failed: 'The figures did not load',
    emptyTitle: 'No rules',
    emptyText: 'The first cut has no rules.',
    rules: {
      silence: 'Silence is shortened',
      filler: 'Fillers go',
      'broken-off': 'Tries that were given up go',
      'off-script': 'What is not in the script is offered to cut',
      move: 'Nearer on numbers and calls to action',
      person: 'The frame stays on the person',
      card: 'An end card',
      none: 'Words that no rule covers',
    },
  },
})
