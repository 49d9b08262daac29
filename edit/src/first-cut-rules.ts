import type { FirstCutRule } from '@clear-to-post/domain/first-cut'
import { personRules } from './person.ts'

type Threshold = { rule: FirstCutRule; value: number; unit: 'ms' | 'words' | 'faults' | '×' | 'of 1'; what: string }

/**
 * The rules of the first cut, each with all of its numbers, of the person's those that decide most (`person.ts`): what a
 * rule decides hangs on these and on nothing else that could be set. What editors made of each rule's decisions is
 * counted by the same names (`rule-outcomes.ts`), and an administrator reads both side by side.
 */
export const thresholds = {
  silence: { rule: 'silence', value: 600, unit: 'ms', what: 'Silences longer than this are shortened' },
  after: { rule: 'silence', value: 250, unit: 'ms', what: 'Silence kept after a word' },
  before: { rule: 'silence', value: 150, unit: 'ms', what: 'Silence kept before the next word' },
  noise: {
    rule: 'silence',
    value: 700,
    unit: 'ms',
    what: 'A noise between two silences is cut with them, up to this length',
  },
  leastCut: { rule: 'silence', value: 100, unit: 'ms', what: 'Left alone if less than this would be cut' },
  repeated: {
    rule: 'broken-off',
    value: 3,
    unit: 'words',
    what: 'Words said again before a sentence counts as repeated',
  },
  repeatedAfterPause: { rule: 'broken-off', value: 2, unit: 'words', what: 'The same after a pause' },
  pause: { rule: 'broken-off', value: 300, unit: 'ms', what: 'Length of such a pause' },
  restAfter: {
    rule: 'broken-off',
    value: 400,
    unit: 'ms',
    what: 'A repeated sentence that ends with such a pause counts as unfinished',
  },
  better: {
    rule: 'broken-off',
    value: 2,
    unit: 'faults',
    what: 'An earlier try is kept instead of the last when it has this many fewer faults (fillers, pauses, unclear words, 4 dB too quiet)',
  },
  rest: { rule: 'move', value: 2500, unit: 'ms', what: 'Time between two moves' },
  move: { rule: 'move', value: 8000, unit: 'ms', what: 'Longest move' },
  leastMove: { rule: 'move', value: 700, unit: 'ms', what: 'Shortest move' },
  punchIn: { rule: 'move', value: 1.15, unit: '×', what: 'Zoom of a punch-in' },
  push: { rule: 'move', value: 1.1, unit: '×', what: 'Zoom of a slow push' },
  sure: {
    rule: 'person',
    value: personRules.sure,
    unit: 'of 1',
    what: 'Certainty from which something counts as a face',
  },
  rival: {
    rule: 'person',
    value: personRules.rival,
    unit: 'of 1',
    what: 'Height, beside the largest face, from which another face counts as a person',
  },
  two: {
    rule: 'person',
    value: personRules.two,
    unit: 'of 1',
    what: 'We ask when two people are seen in this share of the pictures',
  },
  seldom: {
    rule: 'person',
    value: personRules.seldom,
    unit: 'of 1',
    what: 'We ask when somebody is seen in less than this share of the pictures',
  },
  steady: {
    rule: 'person',
    value: personRules.steady.x,
    unit: 'of 1',
    what: 'How far a head moves, as a share of the width, before the picture follows',
  },
  lost: {
    rule: 'person',
    value: personRules.lost,
    unit: 'ms',
    what: 'We ask when nobody is seen for longer than this',
  },
  card: { rule: 'card', value: 3000, unit: 'ms', what: 'How long the end card is shown' },
} as const satisfies Record<string, Threshold>

type Values = { readonly [K in keyof typeof thresholds]: (typeof thresholds)[K]['value'] }

/** The numbers alone. */
export const rules = Object.fromEntries(Object.entries(thresholds).map(([name, { value }]) => [name, value])) as Values

/** A rule's numbers. */
export const thresholdsOf = (rule: FirstCutRule): Threshold[] =>
  Object.values<Threshold>(thresholds).filter((one) => one.rule === rule)
