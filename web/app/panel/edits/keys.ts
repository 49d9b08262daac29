import { usePageKeys } from '../../ui/page-keys.ts'
import type { Playback } from '../../ui/player-transport.ts'
import { words } from '../../ui/player-words.ts'
import { messages } from './messages.ts'
import { zoomStep } from './use-line.ts'
import { captionWords } from './words/captions.ts'
import { copyWords } from './words/copies.ts'
import { findWords } from './words/find.ts'
import { lineWords } from './words/line.ts'
import { orderWords } from './words/order.ts'
import { colourWords } from './words/colour.ts'
import { effectWords } from './words/effects.ts'
import { paletteWords } from './words/palette.ts'
import { pictureWords } from './words/picture.ts'
import { remarkWords } from './words/remarks.ts'
import { soundWords } from './words/sound.ts'

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
  /** Plays the passages in hand, or the selected words, a place earlier or later. */
  order: (by: 1 | -1) => void
  /** `rolls`: the neighbour gives or takes as much, so that the video stays as long as it is. */
  nudge: (frames: number, rolls: boolean) => void
  /** Makes the chosen passages louder, or quieter, by so many decibels. */
  gain: (by: number) => void
  /** Has the voice of the chosen passages come up, or go, slowly, or at once. */
  voiceFade: (edge: 'fadeInMs' | 'fadeOutMs') => void
  correct: () => void
  /** How the line under the picture is looked at, and what draws what is dragged on it. */
  move: () => void
  /** Asks where the person is. */
  person: () => void
  remark: { go: (direction: 1 | -1) => void; tick: () => void }
  captions: { edit: () => void; find: () => void; page: () => void; nextStyle: () => void; toggle: () => void }
  line: {
    zoomBy: (factor: number) => void
    fit: () => void
    toggleSnap: () => void
    toggleFollow: () => void
  }
  words: { find: () => void; sentence: () => void }
  /** Turns what is seen, or the chosen passages, by so many degrees with the clock. */
  turn: (by: number) => void
  steady: () => void
  /** Crossfades the passages at a cut, or cuts them again. */
  crossfade: () => void
  tone: () => void
  /** Plays the B-roll in hand a step faster, or slower. */
  bRollSpeed: (by: 1 | -1) => void
  /** Makes the music louder, or quieter, by so many decibels. */
  music: { choose: () => void; gain: (by: number) => void; onBeat: () => void }
  several: { toggle: () => void; all: () => void }
  copies: { copy: () => void; cut: () => void; paste: () => void; duplicate: () => void }
  concern: (direction: 1 | -1) => void
  accept: () => void
  mark: (end: 'in' | 'out' | null) => void
  undo: () => void
  redo: () => void
  save: () => void
  fullscreen: () => void
  safe: () => void
  /** Shows the picture as it was recorded until the key is let go. */
  before: () => void
  help: () => void
  palette: () => void
  render: () => void
  glossary: () => void
  addPicture: () => void
  addLogo: () => void
  addNext: () => void
  chooseSticker: () => void
  chooseEffect: () => void
  /** Everything that a rule takes out for this reason, or puts back. */
  all: (reason: 'filler' | 'silence') => void
  finish: { check: () => void; watch: () => void; send: () => void }
}

export type Command = {
  /** As `KeyboardEvent.key` in small letters, with `ctrl+` (or ⌘), `alt+` and `shift+` before it, in this order. */
  on: readonly string[]
  shown: readonly string[]
  label: string
  group: 'watch' | 'edit'
  run: (target: KeyTarget, event: Pick<KeyboardEvent, 'shiftKey'>) => void
  /** Missing: its keys are always heard. */
  counts?: () => boolean
}

/** The workbench's keys: read by the listener and by the sheet, written nowhere else. */
export const keys: readonly Command[] = [
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
  { on: ['h'], shown: ['H'], label: colourWords.key.before, group: 'watch', run: ({ before }) => before() },
  {
    on: ['=', '+', 'shift++'],
    shown: ['='],
    label: lineWords.key.nearer,
    group: 'watch',
    run: ({ line }) => line.zoomBy(zoomStep),
  },
  {
    on: ['-', 'shift+_'],
    shown: ['−'],
    label: lineWords.key.farther,
    group: 'watch',
    run: ({ line }) => line.zoomBy(1 / zoomStep),
  },
  { on: ['shift+z'], shown: ['Shift', 'Z'], label: lineWords.key.fit, group: 'watch', run: ({ line }) => line.fit() },
  {
    on: ['shift+f'],
    shown: ['Shift', 'F'],
    label: lineWords.key.follow,
    group: 'watch',
    run: ({ line }) => line.toggleFollow(),
  },
  { on: ['n'], shown: ['N'], label: lineWords.key.snap, group: 'edit', run: ({ line }) => line.toggleSnap() },
  {
    on: ['shift+d'],
    shown: ['Shift', 'D'],
    label: lineWords.key.several,
    group: 'edit',
    run: ({ several }) => several.toggle(),
  },
  {
    on: ['ctrl+a'],
    shown: ['Ctrl', 'A'],
    label: lineWords.key.all,
    group: 'edit',
    run: ({ several }) => several.all(),
  },
  {
    on: ['ctrl+c'],
    shown: ['Ctrl', 'C'],
    label: copyWords.key.copy,
    group: 'edit',
    run: ({ copies }) => copies.copy(),
    // A text that is selected is copied by the browser.
    counts: () => getSelection()?.isCollapsed !== false,
  },
  { on: ['ctrl+x'], shown: ['Ctrl', 'X'], label: copyWords.key.cut, group: 'edit', run: ({ copies }) => copies.cut() },
  {
    on: ['ctrl+v'],
    shown: ['Ctrl', 'V'],
    label: copyWords.key.paste,
    group: 'edit',
    run: ({ copies }) => copies.paste(),
  },
  {
    on: ['ctrl+d'],
    shown: ['Ctrl', 'D'],
    label: copyWords.key.duplicate,
    group: 'edit',
    run: ({ copies }) => copies.duplicate(),
  },
  {
    on: ['ctrl+f', '/'],
    shown: ['Ctrl', 'F'],
    label: findWords.key.find,
    group: 'edit',
    run: ({ words: said }) => said.find(),
  },
  {
    on: ['u'],
    shown: ['U'],
    label: findWords.key.sentence,
    group: 'edit',
    run: ({ words: said }) => said.sentence(),
  },
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
  {
    on: ['alt+arrowleft'],
    shown: ['Alt', '←'],
    label: orderWords.key.earlier,
    group: 'edit',
    run: ({ order }) => order(-1),
  },
  {
    on: ['alt+arrowright'],
    shown: ['Alt', '→'],
    label: orderWords.key.later,
    group: 'edit',
    run: ({ order }) => order(1),
  },
  {
    on: ['shift+arrowup', 'alt+arrowup'],
    shown: ['Alt', '↑'],
    label: soundWords.key.louder,
    group: 'edit',
    run: ({ gain }) => gain(1),
  },
  {
    on: ['shift+arrowdown', 'alt+arrowdown'],
    shown: ['Alt', '↓'],
    label: soundWords.key.quieter,
    group: 'edit',
    run: ({ gain }) => gain(-1),
  },
  {
    on: ['}', 'shift+}', 'shift+]'],
    shown: ['Shift', ']'],
    label: soundWords.key.musicLouder,
    group: 'edit',
    run: ({ music }) => music.gain(1),
  },
  {
    on: ['{', 'shift+{', 'shift+['],
    shown: ['Shift', '['],
    label: soundWords.key.musicQuieter,
    group: 'edit',
    run: ({ music }) => music.gain(-1),
  },
  { on: ['enter'], shown: ['Enter'], label: messages.key.correct, group: 'edit', run: ({ correct }) => correct() },
  { on: ['r'], shown: ['R'], label: remarkWords.key.next, group: 'watch', run: ({ remark }) => remark.go(1) },
  {
    on: ['shift+r'],
    shown: ['Shift', 'R'],
    label: remarkWords.key.previous,
    group: 'watch',
    run: ({ remark }) => remark.go(-1),
  },
  { on: ['x'], shown: ['X'], label: remarkWords.key.tick, group: 'edit', run: ({ remark }) => remark.tick() },
  {
    on: ['shift+t'],
    shown: ['Shift', 'T'],
    label: pictureWords.key.crossfade,
    group: 'edit',
    run: ({ crossfade }) => crossfade(),
  },
  { on: ['z'], shown: ['Z'], label: pictureWords.key.move, group: 'edit', run: ({ move }) => move() },
  {
    on: ['shift+p'],
    shown: ['Shift', 'P'],
    label: pictureWords.key.person,
    group: 'edit',
    run: ({ person }) => person(),
  },
  { on: ['e'], shown: ['E'], label: captionWords.key.edit, group: 'edit', run: ({ captions }) => captions.edit() },
  {
    on: ['ctrl+h'],
    shown: ['Ctrl', 'H'],
    label: captionWords.key.find,
    group: 'edit',
    run: ({ captions }) => captions.find(),
  },
  { on: ['p'], shown: ['P'], label: captionWords.key.page, group: 'edit', run: ({ captions }) => captions.page() },
  {
    on: ['shift+s'],
    shown: ['Shift', 'S'],
    label: paletteWords.command.style,
    group: 'edit',
    run: ({ captions }) => captions.nextStyle(),
  },
  { on: ['c'], shown: ['C'], label: messages.key.next, group: 'edit', run: ({ concern }) => concern(1) },
  {
    on: ['shift+c'],
    shown: ['Shift', 'C'],
    label: messages.key.previous,
    group: 'edit',
    run: ({ concern }) => concern(-1),
  },
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
  {
    on: ['ctrl+k'],
    shown: ['Ctrl', 'K'],
    label: paletteWords.key,
    group: 'watch',
    run: ({ palette }) => palette(),
  },
  // Found by their names alone.
  { on: [], shown: [], label: paletteWords.command.render, group: 'edit', run: ({ render }) => render() },
  { on: [], shown: [], label: paletteWords.command.glossary, group: 'edit', run: ({ glossary }) => glossary() },
  { on: [], shown: [], label: paletteWords.command.picture, group: 'edit', run: ({ addPicture }) => addPicture() },
  { on: [], shown: [], label: paletteWords.command.logo, group: 'edit', run: ({ addLogo }) => addLogo() },
  { on: [], shown: [], label: paletteWords.command.next, group: 'edit', run: ({ addNext }) => addNext() },
  { on: [], shown: [], label: effectWords.command.sticker, group: 'edit', run: ({ chooseSticker }) => chooseSticker() },
  { on: [], shown: [], label: effectWords.command.effect, group: 'edit', run: ({ chooseEffect }) => chooseEffect() },
  { on: [], shown: [], label: pictureWords.key.turnLeft, group: 'edit', run: ({ turn }) => turn(-0.5) },
  { on: [], shown: [], label: pictureWords.key.turnRight, group: 'edit', run: ({ turn }) => turn(0.5) },
  { on: [], shown: [], label: pictureWords.key.steady, group: 'edit', run: ({ steady }) => steady() },
  { on: [], shown: [], label: soundWords.key.fadeIn, group: 'edit', run: ({ voiceFade }) => voiceFade('fadeInMs') },
  { on: [], shown: [], label: soundWords.key.fadeOut, group: 'edit', run: ({ voiceFade }) => voiceFade('fadeOutMs') },
  { on: [], shown: [], label: soundWords.key.tone, group: 'edit', run: ({ tone }) => tone() },
  { on: [], shown: [], label: messages.key.bRollFaster, group: 'edit', run: ({ bRollSpeed }) => bRollSpeed(1) },
  { on: [], shown: [], label: messages.key.bRollSlower, group: 'edit', run: ({ bRollSpeed }) => bRollSpeed(-1) },
  { on: [], shown: [], label: soundWords.key.chooseMusic, group: 'edit', run: ({ music }) => music.choose() },
  { on: [], shown: [], label: soundWords.key.onBeat, group: 'edit', run: ({ music }) => music.onBeat() },
  { on: [], shown: [], label: paletteWords.command.captions, group: 'edit', run: ({ captions }) => captions.toggle() },
  { on: [], shown: [], label: paletteWords.command.fillers, group: 'edit', run: ({ all }) => all('filler') },
  { on: [], shown: [], label: paletteWords.command.silences, group: 'edit', run: ({ all }) => all('silence') },
  { on: [], shown: [], label: paletteWords.command.check, group: 'edit', run: ({ finish }) => finish.check() },
  { on: [], shown: [], label: paletteWords.command.watch, group: 'watch', run: ({ finish }) => finish.watch() },
  { on: [], shown: [], label: paletteWords.command.send, group: 'edit', run: ({ finish }) => finish.send() },
  { on: ['?', 'shift+?'], shown: ['?'], label: words.key.help, group: 'watch', run: ({ help }) => help() },
]

/** Listens on the whole page while mounted; the transcript leaves it all keys but those it needs itself. */
export const useWorkbenchKeys = (target: KeyTarget) =>
  usePageKeys(keys, target, { except: '.transcript', counts: ({ counts }) => counts?.() ?? true })
