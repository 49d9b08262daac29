import { cutsOf } from '@clear-to-post/edit/cuts'
import { writeEdl } from '@clear-to-post/edit/edl'
import { writeFcpxml } from '@clear-to-post/edit/fcpxml'
import { writeOtio } from '@clear-to-post/edit/otio'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { cuesOf, writeSrt, writeVtt } from '@clear-to-post/edit/subtitles'
import type { HandOver } from './hand-over-menu.tsx'

/** Writes the edit for another program and has the browser keep it. Loaded when it is first asked for. */
export const handOver = (kind: HandOver, recipe: Recipe, title: string): void => {
  const name = title.replaceAll(/[^\p{L}\p{N} _-]+/gu, '').trim() || 'edit'
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([write[kind](recipe, title)], { type: 'application/octet-stream' }))
  link.download = `${name}.${kind}`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

const cuts = (recipe: Recipe, title: string) => cutsOf(recipe, { title, jobCode: null })

const write = {
  srt: (recipe) => writeSrt(cuesOf(recipe)),
  vtt: (recipe) => writeVtt(cuesOf(recipe)),
  edl: (recipe, title) => writeEdl(cuts(recipe, title)),
  otio: (recipe, title) => writeOtio(cuts(recipe, title)),
  fcpxml: (recipe, title) => writeFcpxml(cuts(recipe, title)),
} satisfies Record<HandOver, (recipe: Recipe, title: string) => string>
