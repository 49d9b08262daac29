import { inLanguage } from '../../../language.ts'

/** Where the networks’ apps draw over a video. */
export const safeWords = inLanguage({
  en: {
    menu: 'Safe areas of networks',
    choose: 'Where it will be shown',
    show: 'Show safe areas',
    hide: 'Hide safe areas',
    own: 'Safe from the apps’ own buttons',
    words: (name: string) => `${name}: its own words`,
    buttons: 'Buttons',
    sure: {
      reported: 'As people measured it; apps differ and change.',
      assumed: 'Assumed from apps like it.',
    },
  },
})
