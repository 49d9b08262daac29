import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Face } from '@clear-to-post/edit/person'
import { readModel } from './face-model.ts'
import { networkOf } from './face-network.ts'

/**
 * Finds faces in a picture: BlazeFace for the full range of distances, as it lies in MediaPipe's package (Apache 2.0, code
 * and weights). It knows that there is a face and where; it cannot tell one face from another.
 */

/** Pictures are squares of so many points a side, RGB, the rest of the square black. */
export const lookSide = 192
export const lookBytes = 3 * lookSide * lookSide

/** The network answers for squares of four points. */
const cells = 48
/** Numbers for each of them: middle and size of the box, then places within the face, which are left alone. */
const numbers = 16

/** Less sure ones are none; boxes that share more than so much of their middles are one face. */
const least = 0.3
const sameFace = 0.5

/** A picture (RGB, `lookBytes` long) → its faces, the surest first, in parts of the square. */
export type FaceFinder = (picture: Uint8Array) => Face[]

/** Reads the network, some 4 MB of memory with what it computes; an Error where its package is not installed. */
export function faceFinder(): FaceFinder {
  const path = createRequire(import.meta.url).resolve('@mediapipe/face_detection/face_detection_full_range.tflite')
  const network = networkOf(readModel(readFileSync(path)))
  const input = new Float32Array(network.size)
  return (picture) => {
    for (let i = 0; i < input.length; i++) input[i] = picture[i]! / 127.5 - 1
    const [boxes, scores] = network.run(input) as [Float32Array, Float32Array]
    const found: (Face & { width: number })[] = []
    scores.forEach((score, cell) => {
      const sure = 1 / (1 + Math.exp(-score))
      if (sure < least) return
      const box = cell * numbers
      found.push({
        x: ((cell % cells) + 0.5) / cells + boxes[box]! / lookSide,
        y: (Math.floor(cell / cells) + 0.5) / cells + boxes[box + 1]! / lookSide,
        width: boxes[box + 2]! / lookSide,
        height: boxes[box + 3]! / lookSide,
        sure,
      })
    })
    const faces: typeof found = []
    for (const one of found.toSorted((a, b) => b.sure - a.sure)) {
      const isNew = faces.every(
        (face) => Math.abs(face.x - one.x) > sameFace * face.width || Math.abs(face.y - one.y) > sameFace * face.height,
      )
      if (isNew) faces.push(one)
    }
    return faces.map(({ x, y, height, sure }) => ({ x, y, height, sure }))
  }
}
