import { usePageKeys } from '../../ui/page-keys.ts'
import type { Playback } from '../../ui/player-transport.ts'
import { words } from '../../ui/player-words.ts'
import { messages } from './messages.ts'

export type KeyTarget = {
  player: Playback
  cut: () => void
  cover: () => void
  otherTry: () => void
  title: () => void
  split: () => void
  trim: (edge: 'from' | 'to') => void
  take: () => void
  toCut: (direction: 1 | -1) => void
  /** `rolls`: the neighbour gives or takes as much, so that the video stays as long as it is. */
  nudge: (frames: number, rolls: boolean) => void
  correct: () => void
  concern: (direction: 1 | -1) => void
  accept: () => void
  mark: (end: 'in' | 'out' | null) => void
  undo: () => void
  redo: () => void
  save: () => void
  fullscreen: () => void
  safe: () => void
  help: () => void
}

type Key = {
  /** As `KeyboardEvent.key` in small letters, with `ctrl+` (or ⌘), `alt+` and `shift+` before it, in this order. */
  on: readonly string[]
  shown: readonly string[]
  label: string
  group: 'watch' | 'edit'
  run: (target: KeyTarget, event: Pick<KeyboardEvent, 'shiftKey'>) => void
}

/** The workbench's keys: read by the listener and by the sheet, written nowhere else. */
export const keys: readonly Key[] = [
  {
    on: [' ', 'k'],
    shown: ['Space', 'K'],
    label: words.key.toggle,
    group: 'watch',
    run: ({ player }) => player.toggle(),
  },
  { on: ['j'], shown: ['J'], label: words.key.backward, group: 'watch', run: ({ player }) => player.backward() },
  { on: ['l'], shown: ['L'], label: words.key.forward, group: 'watch', run: ({ player }) => player.forward() },
  { on: ['arrowleft'], shown: ['←'], label: words.key.frameBack, group: 'watch', run: ({ player }) => player.step(-1) },
  { on: ['arrowright'], shown: ['→'], label: words.key.frameOn, group: 'watch', run: ({ player }) => player.step(1) },
  {
    on: ['shift+arrowleft'],
    shown: ['Shift', '←'],
    label: words.key.secondBack,
    group: 'watch',
    run: ({ player }) => player.skip(-1),
  },
  {
    on: ['shift+arrowright'],
    shown: ['Shift', '→'],
    label: words.key.secondOn,
    group: 'watch',
    run: ({ player }) => player.skip(1),
  },
  { on: ['arrowup'], shown: ['↑'], label: messages.key.earlierCut, group: 'watch', run: ({ toCut }) => toCut(-1) },
  { on: ['arrowdown'], shown: ['↓'], label: messages.key.laterCut, group: 'watch', run: ({ toCut }) => toCut(1) },
  { on: ['home'], shown: ['Home'], label: words.key.start, group: 'watch', run: ({ player }) => player.seek(0) },
  { on: ['end'], shown: ['End'], label: words.key.end, group: 'watch', run: ({ player }) => player.seek(Infinity) },
  { on: ['['], shown: ['['], label: words.key.slower, group: 'watch', run: ({ player }) => player.slower() },
  { on: [']'], shown: [']'], label: words.key.faster, group: 'watch', run: ({ player }) => player.faster() },
  { on: ['m'], shown: ['M'], label: words.key.mute, group: 'watch', run: ({ player }) => player.mute() },
  { on: ['f'], shown: ['F'], label: words.key.fullscreen, group: 'watch', run: ({ fullscreen }) => fullscreen() },
  { on: ['g'], shown: ['G'], label: messages.key.safe, group: 'watch', run: ({ safe }) => safe() },
  { on: ['delete', 'backspace'], shown: ['Delete'], label: messages.key.cut, group: 'edit', run: ({ cut }) => cut() },
  { on: ['s', 'ctrl+b'], shown: ['S'], label: messages.key.split, group: 'edit', run: ({ split }) => split() },
  { on: ['q'], shown: ['Q'], label: messages.key.trimStart, group: 'edit', run: ({ trim }) => trim('from') },
  { on: ['w'], shown: ['W'], label: messages.key.trimEnd, group: 'edit', run: ({ trim }) => trim('to') },
  { on: ['d'], shown: ['D'], label: messages.key.take, group: 'edit', run: ({ take }) => take() },
  { on: ['b'], shown: ['B'], label: messages.key.cover, group: 'edit', run: ({ cover }) => cover() },
  { on: ['v'], shown: ['V'], label: messages.key.otherTry, group: 'edit', run: ({ otherTry }) => otherTry() },
  { on: ['t'], shown: ['T'], label: messages.key.title, group: 'edit', run: ({ title }) => title() },
  {
    on: [',', 'shift+,', 'shift+<'],
    shown: [','],
    label: messages.key.nudgeBack,
    group: 'edit',
    run: ({ nudge }, { shiftKey }) => nudge(shiftKey ? -5 : -1, false),
  },
  {
    on: ['.', 'shift+.', 'shift+>'],
    shown: ['.'],
    label: messages.key.nudgeOn,
    group: 'edit',
    run: ({ nudge }, { shiftKey }) => nudge(shiftKey ? 5 : 1, false),
  },
  // With Alt a Mac types other letters.
  {
    on: ['alt+,', 'alt+shift+,', 'alt+shift+<', 'alt+≤', 'alt+shift+¯'],
    shown: ['Alt', ','],
    label: messages.key.rollBack,
    group: 'edit',
    run: ({ nudge }, { shiftKey }) => nudge(shiftKey ? -5 : -1, true),
  },
  {
    on: ['alt+.', 'alt+shift+.', 'alt+shift+>', 'alt+≥', 'alt+shift+˘'],
    shown: ['Alt', '.'],
    label: messages.key.rollOn,
    group: 'edit',
    run: ({ nudge }, { shiftKey }) => nudge(shiftKey ? 5 : 1, true),
  },
  { on: ['enter'], shown: ['Enter'], label: messages.key.correct, group: 'edit', run: ({ correct }) => correct() },
  { on: ['n'], shown: ['N'], label: messages.key.next, group: 'edit', run: ({ concern }) => concern(1) },
  { on: ['p'], shown: ['P'], label: messages.key.previous, group: 'edit', run: ({ concern }) => concern(-1) },
  { on: ['a'], shown: ['A'], label: messages.key.accept, group: 'edit', run: ({ accept }) => accept() },
  { on: ['i'], shown: ['I'], label: messages.key.in, group: 'edit', run: ({ mark }) => mark('in') },
  { on: ['o'], shown: ['O'], label: messages.key.out, group: 'edit', run: ({ mark }) => mark('out') },
  { on: ['escape'], shown: ['Esc'], label: messages.key.clear, group: 'edit', run: ({ mark }) => mark(null) },
  { on: ['ctrl+z'], shown: ['Ctrl', 'Z'], label: messages.undo, group: 'edit', run: ({ undo }) => undo() },
  {
    on: ['ctrl+shift+z', 'ctrl+y'],
    shown: ['Ctrl', 'Shift', 'Z'],
    label: messages.redo,
    group: 'edit',
    run: ({ redo }) => redo(),
  },
  { on: ['ctrl+s'], shown: ['Ctrl', 'S'], label: messages.key.save, group: 'edit', run: ({ save }) => save() },
  { on: ['?', 'shift+?'], shown: ['?'], label: words.key.help, group: 'watch', run: ({ help }) => help() },
]

/** Listens on the whole page while mounted; the transcript leaves it all keys but those it needs itself. */
export const useWorkbenchKeys = (target: KeyTarget) => usePageKeys(keys, target, { except: '.transcript' })
