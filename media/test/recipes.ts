import type { State } from '../src/band.ts'
import { wholeRecipe, type Recipe } from '@clear-to-post/edit/recipe'

/** A recipe over one source of 30 pictures a second that keeps those passages [start, end) in milliseconds. */
export function keeping(asset: string, durationMs: number, passages: [number, number][]): Recipe {
  const source = { id: 's', assetId: asset, name: 'take', durationMs, width: 180, height: 320, hasSound: true }
  const brand = { primary: '#2647e0', secondary: '#ff5a3c', logo: null, name: 'Ann', line: 'Loans', legal: 'NMLS #1' }
  const recipe = wholeRecipe([{ ...source, fps: { num: 30, den: 1 } }], brand)
  return {
    ...recipe,
    keep: passages.map(([start, end], i) => ({ id: `k${i}`, source: 's', start, end })),
    frame: { aspect: '9:16', focus: { x: 0.5, y: 0.5 } },
    output: { shortSide: 180, fps: { num: 30, den: 1 } },
  }
}

/** How bright a painted box is. */
export type Grey = number

/** Paints a box of one grey. */
export function paintGrey(what: Grey, { width, height }: { width: number; height: number }): Uint8Array {
  return new Uint8Array(width * height * 4).map((_, i) => (i % 4 === 3 ? 255 : what))
}

export function grey(key: string, from: number, to: number, what: Grey, box: State<Grey>['box']): State<Grey> {
  return { key, from, to, box, what }
}
