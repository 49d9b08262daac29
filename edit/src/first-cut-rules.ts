import type { FirstCutRule } from '@clear-to-post/domain/first-cut'
import { personRules } from './person.ts'

type Threshold = { rule: FirstCutRule; value: number; unit: 'ms' | 'words' | 'faults' | '×' | 'of 1'; what: string }

/**
 * The rules of the first cut, each with all of its numbers, of the person's those that decide most (`person.ts`): what a
 * rule decides hangs on these and on nothing else that could be set. What editors made of each rule's decisions is
 * counted by the same names (`rule-outcomes.ts`), and an administrator reads both side by side.
 */
export const thresholds = {
  silence: { rule: 'silence', value: 600, unit: 'ms', what: 'A silence longer than this is shortened' },
  after: { rule: 'silence', value: 250, unit: 'ms', what: 'Stays after a word' },
  before: { rule: 'silence', value: 150, unit: 'ms', what: 'Stays before the next word' },
  noise: {
    rule: 'silence',
    value: 700,
    unit: 'ms',
    what: 'A sound without a word between two silences goes with them up to this length',
  },
  leastCut: { rule: 'silence', value: 100, unit: 'ms', what: 'A silence of which less would go stays as it is' },
  repeated: {
    rule: 'broken-off',
    value: 3,
    unit: 'words',
    what: 'A try is known by so many words that are said again',
  },
  repeatedAfterPause: { rule: 'broken-off', value: 2, unit: 'words', what: 'After a pause so many words are enough' },
  pause: { rule: 'broken-off', value: 300, unit: 'ms', what: 'Silence of this length is such a pause' },
  restAfter: {
    rule: 'broken-off',
    value: 400,
    unit: 'ms',
    what: 'A second try that ends with such a pause was not finished',
  },
  better: {
    rule: 'broken-off',
    value: 2,
    unit: 'faults',
    what: 'An earlier try stays instead of the last one where it has so many faults fewer: fillers, pauses, unsure words, 4 dB too quiet',
  },
  rest: { rule: 'move', value: 2500, unit: 'ms', what: 'Between the end of one move and the start of the next' },
  move: { rule: 'move', value: 8000, unit: 'ms', what: 'A move covers no more than this' },
  leastMove: { rule: 'move', value: 700, unit: 'ms', what: 'A move covers no less than this' },
  punchIn: { rule: 'move', value: 1.15, unit: '×', what: 'How near a punch-in comes' },
  push: { rule: 'move', value: 1.1, unit: '×', what: 'How near a slow push comes' },
  sure: { rule: 'person', value: personRules.sure, unit: 'of 1', what: 'So sure a face is one' },
  rival: {
    rule: 'person',
    value: personRules.rival,
    unit: 'of 1',
    what: 'Another face of so much of the first one’s height is another person',
  },
  two: {
    rule: 'person',
    value: personRules.two,
    unit: 'of 1',
    what: 'Two people in so many of the looks are asked about',
  },
  seldom: {
    rule: 'person',
    value: personRules.seldom,
    unit: 'of 1',
    what: 'Seen in fewer of the looks it is asked about',
  },
  steady: {
    rule: 'person',
    value: personRules.steady.x,
    unit: 'of 1',
    what: 'So much of the width a head moves before the picture follows',
  },
  lost: { rule: 'person', value: personRules.lost, unit: 'ms', what: 'Nobody seen for longer is asked about' },
  card: { rule: 'card', value: 3000, unit: 'ms', what: 'So long the end card stands' },
} as const satisfies Record<string, Threshold>

type Values = { readonly [K in keyof typeof thresholds]: (typeof thresholds)[K]['value'] }

/** The numbers alone. */
export const rules = Object.fromEntries(Object.entries(thresholds).map(([name, { value }]) => [name, value])) as Values

/** A rule's numbers. */
export const thresholdsOf = (rule: FirstCutRule): Threshold[] =>
  Object.values<Threshold>(thresholds).filter((one) => one.rule === rule)
