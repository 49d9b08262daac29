/** Pixels of the output frame. */
export type Box = { x: number; y: number; width: number; height: number }

export type Size = { width: number; height: number }

/**
 * Where nothing important may be: under the lowest 28 % of a vertical video the apps write their own words, and down its
 * right side stand their buttons. Other shapes keep the margin that players cover with their bars.
 */
export const safeArea = ({ width, height }: Size): Box => {
  const ratio = width / height
  const [side, top, bottom] = ratio < 0.8 ? [0.13, 0.1, 0.28] : ratio < 1.2 ? [0.08, 0.08, 0.08] : [0.14, 0.08, 0.085]
  return { x: width * side, y: height * top, width: width * (1 - 2 * side), height: height * (1 - top - bottom) }
}
