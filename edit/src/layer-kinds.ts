import type { Layer } from './recipe.ts'

type Kind = {
  /** What brings it: a file that is laid over the picture, the painter, or what makes its sound. */
  by: 'file' | 'painter' | 'sound'
  /** One at a time is there: a new one takes its place from what lay there, and ends stop at their neighbours. */
  isAlone: boolean
  /** The first letter of a new one's id. */
  letter: string
}

/** What a layer may be, from the lowest to the uppermost. What is asked of all kinds is asked here. */
export const layerKinds = {
  'b-roll': { by: 'file', isAlone: true, letter: 'b' },
  picture: { by: 'file', isAlone: false, letter: 'p' },
  logo: { by: 'file', isAlone: false, letter: 'p' },
  'lower-third': { by: 'painter', isAlone: true, letter: 't' },
  sticker: { by: 'painter', isAlone: false, letter: 's' },
  sound: { by: 'sound', isAlone: false, letter: 'e' },
  music: { by: 'sound', isAlone: true, letter: 'u' },
} as const satisfies Record<Layer['kind'], Kind>

export const kindsInOrder = Object.keys(layerKinds) as Layer['kind'][]

export const isBy = (by: Kind['by'], { kind }: Pick<Layer, 'kind'>): boolean => layerKinds[kind].by === by
