import { inLanguage } from '../../../language.ts'

const things = (n: number) => (n === 1 ? '1 thing' : `${n} things`)

/** How the line under the picture is looked at, and what is done to several things on it. */
export const lineWords = inLanguage({
  en: {
    line: 'Timeline',
    map: 'The whole timeline',
    mapSeen: (from: string, to: string, whole: string) => `${from} to ${to} of ${whole} is seen`,
    mapHint: 'Draw the frame, or press where you want to be.',
    view: 'View of the timeline',
    nearer: 'Zoom in',
    farther: 'Zoom out',
    fit: 'Show all of it',
    snap: 'Snap',
    snapHint:
      'What is dragged stops at cuts, words, the playhead, remarks and, where the music ends on one, its beats. Hold Ctrl to go past them.',
    follow: 'Follow',
    followHint: 'The timeline goes along with the playhead.',
    several: 'Select several',
    severalHint: 'Tap, or draw a box around passages and layers.',
    chosen: (n: number) => `${things(n)} selected`,
    did: {
      removed: (n: number) => `Remove ${things(n)}`,
      moved: (n: number) => `Move ${things(n)}`,
    },
    key: {
      nearer: 'Zoom in on the timeline',
      farther: 'Zoom out',
      fit: 'Show the whole timeline',
      snap: 'Snapping on or off',
      follow: 'Follow the playhead, or not',
      several: 'Select several things, or one',
      all: 'Select all passages and layers',
    },
  },
})
