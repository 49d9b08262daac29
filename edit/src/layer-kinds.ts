import type { Layer } from './recipe.ts'

type Kind = {
  /** What brings it: a file that is laid over the picture, the painter, or what makes its sound. */
  by: 'file' | 'painter' | 'sound'
  /** One at a time is there: a new one takes its place from what lay there, and ends stop at their neighbours. */
  isAlone: boolean
  /** The first letter of a new one's id. */
  letter: string
  /** Several of them, at the start of a sentence. */
  several: string
  /** How often they are seen or heard in a video at most, all together: each time is work of its own. */
  mostTimes: number
  /** How many at the same moment at most. Of what is there alone two: in a crossfade a second one begins. */
  mostAtOnce: number
}

/** What a layer may be, from the lowest to the uppermost. What is asked of all kinds is asked here. */
export const layerKinds = {
  'b-roll': { by: 'file', isAlone: true, letter: 'b', several: 'B-roll', mostTimes: 1000, mostAtOnce: 2 },
  picture: { by: 'file', isAlone: false, letter: 'p', several: 'Pictures', mostTimes: 1000, mostAtOnce: 20 },
  logo: { by: 'file', isAlone: false, letter: 'p', several: 'Logos', mostTimes: 1000, mostAtOnce: 20 },
  // Under the uppermost, which alone is painted, others may lie: of recipes from before, and what always stands.
  'lower-third': { by: 'painter', isAlone: true, letter: 't', several: 'Titles', mostTimes: 1000, mostAtOnce: 20 },
  sticker: { by: 'painter', isAlone: false, letter: 's', several: 'Stickers', mostTimes: 300, mostAtOnce: 20 },
  sound: { by: 'sound', isAlone: false, letter: 'e', several: 'Sound effects', mostTimes: 300, mostAtOnce: 300 },
  music: { by: 'sound', isAlone: true, letter: 'u', several: 'Pieces of music', mostTimes: 100, mostAtOnce: 2 },
} as const satisfies Record<Layer['kind'], Kind>

export const kindsInOrder = Object.keys(layerKinds) as Layer['kind'][]

export const isBy = (by: Kind['by'], { kind }: Pick<Layer, 'kind'>): boolean => layerKinds[kind].by === by
