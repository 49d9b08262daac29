import { inLanguage } from '../../../language.ts'

/** Layers that are copied, pasted and duplicated. */
export const copyWords = inLanguage({
  en: {
    copy: 'Copy',
    paste: 'Paste',
    duplicate: 'Duplicate',
    pasteHint: 'At the playhead.',
    layers: (n: number) => (n === 1 ? '1 layer' : `${n} layers`),
    copied: (name: string) => `Copied: ${name}.`,
    nothingInHand:
      'Choose a layer on the timeline first: B-roll, a picture, a title, a sticker, music or a sound effect.',
    noPlace: 'It is there for the whole video, or not seen, and cannot be copied.',
    nothingCopied: 'Nothing is copied yet. Choose a layer on the timeline and copy it.',
    shorter: 'It is shorter than what was copied: the recording ends there.',
    why: {
      card: 'A card is shown here. Move the playhead to a place in the video.',
      end: 'There is no room: the video ends. Move the playhead to an earlier place and paste there.',
      full: 'There are as many of them as there can be. Take one out first.',
    },
    did: {
      cut: (name: string) => `Cut ${name}`,
      pasted: (name: string) => `Paste ${name}`,
      duplicated: (name: string) => `Duplicate ${name}`,
    },
    key: {
      copy: 'Copy the chosen layers',
      cut: 'Copy the chosen layers and take them out',
      paste: 'Paste at the playhead',
      duplicate: 'Duplicate the chosen layers',
    },
  },
})
