import { inLanguage } from '../../../language.ts'
import { soundWords } from './sound.ts'

const percent = (part: number) => `${Math.round(part * 100)}%`

/** Stickers and sound effects. */
export const effectWords = inLanguage({
  en: {
    decibels: soundWords.decibels,
    degrees: (value: number) =>
      value === 0 ? 'upright' : `${Math.abs(value)}° ${value > 0 ? 'to the right' : 'to the left'}`,
    stickers: 'Stickers',
    noStickers: 'No sticker lies over the video.',
    stickerHint: 'It lies over the selected words, else from here on. Drag it on the picture.',
    stickerTrack: 'Stickers, where they are seen',
    sticker: {
      arrow: 'Arrow',
      ring: 'Ring',
      underline: 'Underline',
      tick: 'Tick',
      cross: 'Cross',
      star: 'Star',
      heart: 'Heart',
      house: 'House',
      key: 'Key',
      percent: 'Percent',
      dollar: 'Dollar',
      question: 'Question mark',
    },
    addSticker: (name: string) => `Add a sticker: ${name}`,
    size: 'Size in the picture',
    turn: 'Turned',
    place: (name: string, { x, y }: { x: number; y: number }) =>
      `Place of ${name}: ${percent(x)} from the left, ${percent(y)} from the top. Arrow keys move it, plus and minus size it.`,
    effects: 'Sound effects',
    noEffects: 'No sound effect is heard.',
    effectHint: 'It is heard where the selected words begin, else from here on.',
    effectTrack: 'Sound effects, where they are heard',
    effect: { pop: 'Pop', click: 'Click', ding: 'Ding', coins: 'Coins', whoosh: 'Whoosh', rise: 'Rise' },
    addEffect: (name: string) => `Add a sound effect: ${name}`,
    pieceTrack: 'Pieces of music, where they are heard',
    pieces: 'Pieces with a place of their own',
    pieceHint:
      'It is heard from the selected words on, else from here on. The music under the whole video rests meanwhile.',
    fadeIn: 'Fades in for',
    fadeOut: 'Fades out for',
    addPiece: (name: string) => `Add a piece of music here: ${name}`,
    loudness: 'Loudness',
    did: {
      sticker: (name: string) => `Sticker “${name}”`,
      stickerSet: 'Sticker on the picture',
      effect: (name: string) => `Sound effect “${name}”`,
      effectSet: 'Loudness of a sound effect',
      piece: (name: string) => `Music “${name}”`,
      pieceSet: 'Piece of music',
    },
    command: { sticker: 'Add a sticker', effect: 'Add a sound effect' },
  },
})
