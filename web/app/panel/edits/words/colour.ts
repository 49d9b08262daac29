import { inLanguage } from '../../../language.ts'

const signed = (value: number) => `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value)}`

/** The colours of the picture: balanced by themselves, then by hand. */
export const colourWords = inLanguage({
  en: {
    title: 'Light and color',
    balance: 'Balance light and color',
    balanceOf: (name: string) => `Balance ${name}`,
    unmeasured: 'This recording was not measured. The sliders work without it.',
    isFine: 'This recording needs no balance.',
    part: { brightness: 'Brightness', contrast: 'Contrast', saturation: 'Saturation', warmth: 'Warmth' },
    signed,
    reset: 'Reset the sliders',
    before: 'Hold to see it as recorded',
    did: {
      balanceOn: 'Balance on',
      balanceOff: 'Balance off',
      part: { brightness: 'Brightness', contrast: 'Contrast', saturation: 'Saturation', warmth: 'Warmth' },
      reset: 'Reset the colors',
    },
    key: { before: 'The picture as recorded, while held' },
  },
})
