import { inLanguage } from '../../../language.ts'

const decibels = (value: number) => `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value)} dB`

/** The voice: cleaned, and louder or quieter by passage; and how the music begins and ends. */
export const soundWords = inLanguage({
  en: {
    decibels,
    clean: 'Clean voice',
    cleanHint: 'Takes rumble and steady noise out, softens sharp s, and makes loud and quiet words more alike.',
    cleanFailed: 'This browser cannot play the cleaned voice. The finished file has it.',
    tone: 'Room tone under cuts',
    toneHint:
      'The quiet sound of the room goes on where the voice is cut or quieter, and under the cards, so that nothing falls silent at once.',
    gain: (n: number) => (n === 1 ? 'This passage' : `These ${n} passages`),
    gainNone: 'A passage’s loudness',
    gainHint: 'Choose a passage on the timeline, or select words. Alt with ↑ or ↓ makes it louder or quieter.',
    gainReset: 'As recorded',
    fadeInMs: 'Its voice fades in over',
    fadeOutMs: 'Its voice fades out over',
    atOnce: 'at once',
    faded: (comes: number, goes: number) =>
      [comes && `in ${comes / 1000} s`, goes && `out ${goes / 1000} s`].filter(Boolean).join(' · '),
    mixed: 'different',
    voiceTrack: 'Voice, louder or quieter by passage, with its fades',
    gainAt: (n: number, level: string, from: string, to: string) => `Passage ${n}: ${level}, ${from} to ${to}`,
    noMusicYet: 'There is no music under this video yet.',
    fadeIn: 'Fades at the start for',
    begins: 'Begins in the piece at',
    once: 'Again when it ends',
    onceHint: 'Off: it is heard once and fades out at its own end.',
    onBeat: 'Ends on a beat',
    onBeatHint: 'The music begins up to a beat later, so that the video ends with a whole one.',
    noBeat: 'No steady beat was found in this piece.',
    did: {
      onBeat: 'Music ends on a beat',
      offBeat: 'Music ends anywhere',
      cleanOn: 'Clean voice on',
      cleanOff: 'Clean voice off',
      toneOn: 'Room tone on',
      toneOff: 'Room tone off',
      gain: (db: number) => `Passage ${decibels(db)}`,
      fadeInMs: (ms: number) => (ms > 0 ? `Voice fades in over ${ms / 1000} s` : 'Voice comes at once'),
      fadeOutMs: (ms: number) => (ms > 0 ? `Voice fades out over ${ms / 1000} s` : 'Voice ends at once'),
      louder: 'Passage louder',
      quieter: 'Passage quieter',
      once: 'Music once',
      again: 'Music again and again',
    },
    key: {
      louder: 'The passage in hand, or of the selected words, a decibel louder',
      quieter: 'The passage in hand, or of the selected words, a decibel quieter',
      fadeIn: 'Voice of the passage in hand: fade in, or begin at once',
      fadeOut: 'Voice of the passage in hand: fade out, or end at once',
      musicLouder: 'Music a decibel louder',
      musicQuieter: 'Music a decibel quieter',
      chooseMusic: 'Music: choose the piece',
      onBeat: 'Music: end on a beat, or anywhere',
      tone: 'Room tone under cuts, on or off',
    },
  },
})
