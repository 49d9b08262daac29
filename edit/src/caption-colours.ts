import { contrast, inkOn, mix, stepTowards } from './contrast.ts'

export type CaptionColours = { text: string; edge: string; spoken: string; spokenText: string }

/** The brand's colour behind the spoken word, moved as little as its ink needs to be read (4.5 : 1). */
export const coloursOf = (colour: string): CaptionColours => {
  const ink = inkOn(colour)
  const away = ink === '#ffffff' ? '#000000' : '#ffffff'
  const spoken = mix(
    colour,
    away,
    stepTowards(colour, away, (mixed) => contrast(mixed, ink) >= 4.5),
  )
  return { text: '#ffffff', edge: '#0b1018', spoken, spokenText: ink }
}
