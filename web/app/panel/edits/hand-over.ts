import type { Project } from '@clear-to-post/contract/projects'
import { jobCodeOf } from '@clear-to-post/domain/job-code'
import { cutsOf } from '@clear-to-post/edit/cuts'
import { writeEdl } from '@clear-to-post/edit/edl'
import { writeFcpxml } from '@clear-to-post/edit/fcpxml'
import { writeOtio } from '@clear-to-post/edit/otio'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { cuesOf, writeSrt, writeVtt } from '@clear-to-post/edit/subtitles'
import { sentenceCues } from '@clear-to-post/edit/translation'
import type { HandOver } from './hand-over-menu.tsx'

/** Writes the edit for another program and has the browser keep it. Loaded when it is first asked for. */
export const handOver = (kind: HandOver, recipe: Recipe, { id, title }: Pick<Project, 'id' | 'title'>): void => {
  const jobCode = jobCodeOf(id)
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([write[kind](recipe, { title, jobCode })]))
  // A finished file that keeps this name finds its project again.
  link.download = `${jobCode}.${extensionOf(kind, recipe)}`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

const extensionOf = (kind: HandOver, { translation }: Recipe): string => {
  const own: Partial<Record<HandOver, string>> = {
    secondSrt: `${translation?.language}.srt`,
    secondVtt: `${translation?.language}.vtt`,
    sentences: 'sentences.srt',
  }
  return own[kind] ?? kind
}

type Head = { title: string; jobCode: string }

const write = {
  srt: (recipe) => writeSrt(cuesOf(recipe)),
  vtt: (recipe, { jobCode }) => writeVtt(cuesOf(recipe), jobCode),
  secondSrt: (recipe) => writeSrt(cuesOf(recipe, 'second')),
  secondVtt: (recipe, { jobCode }) => writeVtt(cuesOf(recipe, 'second'), jobCode),
  sentences: (recipe) => writeSrt(sentenceCues(recipe)),
  edl: (recipe, head) => writeEdl(cutsOf(recipe, head)),
  otio: (recipe, head) => writeOtio(cutsOf(recipe, head)),
  fcpxml: (recipe, head) => writeFcpxml(cutsOf(recipe, head)),
} satisfies Record<HandOver, (recipe: Recipe, head: Head) => string>
