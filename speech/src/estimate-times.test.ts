import { expect, it } from 'vitest'
import { kennedy } from '../test/samples.ts'
import { estimateTimes } from './estimate-times.ts'

it('without a recogniser a script’s words are spread between the silences and marked as estimated', async () => {
  const found = await estimateTimes(kennedy.samples, kennedy.script, 's1')
  expect(found.means).toBe('shared-out')
  expect(found.notes[0]).toContain('estimated')
  expect(found.words.every(({ estimated }) => estimated)).toBe(true)
  expect(found.words.map(({ text }) => text).join(' ')).toBe(kennedy.script)
  found.words.forEach((word, i) => {
    expect(word.start).toBeGreaterThanOrEqual(found.words[i - 1]?.end ?? 0)
    expect(Math.abs(word.start / 1000 - kennedy.words[i]!.start)).toBeLessThan(2)
  })
})
