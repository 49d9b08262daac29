import { isOfCut, verbs, type Verb } from '@clear-to-post/domain/workflow'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { CallShape } from './call.ts'
import { projects } from './projects.ts'

/** Steps that do not take the number of the last event that their caller saw, and why. */
const withoutSeq: Partial<Record<Verb, string>> = {
  create: 'nothing was there before',
  release: 'the service’s own',
  hold: 'the service’s own',
  publish: 'the service’s own',
  start: 'a claim: whoever comes second is refused by name, and takes nothing back',
  reorder: 'a place in the queue, of which the last word counts',
}

test('every step takes the last event that was seen, and the cut it is about, or it is said why not', () => {
  const calls: Partial<Record<string, CallShape>> = projects
  expect(
    verbs.filter((verb) => withoutSeq[verb] === undefined).map((verb) => ({ verb, ...takenBy(calls[verb]) })),
  ).toEqual(
    verbs
      .filter((verb) => withoutSeq[verb] === undefined)
      .map((verb) => ({ verb, seq: true, cut: isOfCut(verb), isRefused: true })),
  )
  expect(verbs.filter((verb) => withoutSeq[verb] !== undefined && takenBy(calls[verb]).seq)).toEqual([])
})

const takenBy = (call: CallShape | undefined) => {
  const fields = [call?.body, call?.query].flatMap((part) => {
    const shape = part instanceof z.ZodOptional ? part.unwrap() : part
    return shape instanceof z.ZodObject ? Object.keys(shape.shape) : []
  })
  return {
    seq: fields.includes('seq'),
    cut: fields.includes('cut'),
    isRefused: call?.refuses.includes('project.changed') ?? false,
  }
}
