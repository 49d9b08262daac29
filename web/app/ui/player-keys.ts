import { usePageKeys } from './page-keys.ts'
import type { Playback } from './player-transport.ts'
import { words } from './player-words.ts'

/** What the keys work on; an absent part leaves its keys without effect and out of the sheet. */
export type KeyTarget = {
  transport: Playback
  fullscreen?: () => void
  comment?: () => void
  /** Goes to the nearest comment before (-1) or after (1) the current time. */
  mark?: (direction: -1 | 1) => void
  captions?: () => void
  help?: () => void
}

export type PlayerKey = {
  /** As `KeyboardEvent.key`, in lower case; with `shift+` where it is held. */
  on: readonly string[]
  /** As printed on the sheet. */
  shown: readonly string[]
  label: string
  needs?: 'fullscreen' | 'comment' | 'mark' | 'captions' | 'help'
  run: (target: KeyTarget) => void
}

/** The player's keys: read by the listener and by the sheet, written nowhere else. */
export const playerKeys: readonly PlayerKey[] = [
  { on: [' ', 'k'], shown: ['Space', 'K'], label: words.key.toggle, run: ({ transport }) => transport.toggle() },
  { on: ['j'], shown: ['J'], label: words.key.backward, run: ({ transport }) => transport.backward() },
  { on: ['l'], shown: ['L'], label: words.key.forward, run: ({ transport }) => transport.forward() },
  { on: ['arrowleft'], shown: ['←'], label: words.key.frameBack, run: ({ transport }) => transport.step(-1) },
  { on: ['arrowright'], shown: ['→'], label: words.key.frameOn, run: ({ transport }) => transport.step(1) },
  {
    on: ['shift+arrowleft'],
    shown: ['Shift', '←'],
    label: words.key.secondBack,
    run: ({ transport }) => transport.skip(-1),
  },
  {
    on: ['shift+arrowright'],
    shown: ['Shift', '→'],
    label: words.key.secondOn,
    run: ({ transport }) => transport.skip(1),
  },
  { on: ['home'], shown: ['Home'], label: words.key.start, run: ({ transport }) => transport.seek(0) },
  { on: ['end'], shown: ['End'], label: words.key.end, run: ({ transport }) => transport.seek(Infinity) },
  { on: ['['], shown: ['['], label: words.key.slower, run: ({ transport }) => transport.slower() },
  { on: [']'], shown: [']'], label: words.key.faster, run: ({ transport }) => transport.faster() },
  { on: ['m'], shown: ['M'], label: words.key.mute, run: ({ transport }) => transport.mute() },
  { on: ['v'], shown: ['V'], label: words.key.captions, needs: 'captions', run: (target) => target.captions?.() },
  { on: ['f'], shown: ['F'], label: words.key.fullscreen, needs: 'fullscreen', run: (target) => target.fullscreen?.() },
  { on: ['c'], shown: ['C'], label: words.key.comment, needs: 'comment', run: (target) => target.comment?.() },
  { on: ['n'], shown: ['N'], label: words.key.next, needs: 'mark', run: (target) => target.mark?.(1) },
  { on: ['p'], shown: ['P'], label: words.key.previous, needs: 'mark', run: (target) => target.mark?.(-1) },
  { on: ['?', 'shift+?'], shown: ['?'], label: words.key.help, needs: 'help', run: (target) => target.help?.() },
]

/** Listens on the whole page while mounted, or in what the selector finds. */
export const usePlayerKeys = (target: KeyTarget, within?: string) =>
  usePageKeys(playerKeys, target, {
    counts: ({ needs }) => needs === undefined || target[needs] !== undefined,
    within,
  })
