import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { kennedy } from '../test/samples.ts'
import { againstScript } from './correct.ts'
import { estimateTimes } from './estimate-times.ts'
import { withRoomNoise } from './room-noise.ts'
import { sharpened } from './sharpened.ts'
import { levelsOf } from './sound.ts'

/** How often others have had their turn until this was done. */
const turnsDuring = async (work: () => unknown): Promise<number> => {
  let isDone = false
  const done = Promise.resolve(work()).then(() => (isDone = true))
  let turns = 0
  for (; !isDone; turns++) await setImmediate()
  await done
  return turns
}

/** Four minutes of a voice. */
const long = new Int16Array(16_000 * 240)
for (let at = 0; at + kennedy.samples.length <= long.length; at += kennedy.samples.length) long.set(kennedy.samples, at)

it.each([
  ['raised above silence', withRoomNoise],
  ['looked through for pauses', levelsOf],
  ['shared out among words', (samples: Int16Array) => estimateTimes(samples, kennedy.script, 's1')],
])('while a long recording is %s, others have their turn after each ten seconds of it', async (_, work) => {
  expect(await turnsDuring(() => work(long))).toBeGreaterThanOrEqual(24)
})

it('while the onsets of a recording are sharpened, others have their turn after each word', async () => {
  const said = kennedy.words.map(({ start, end }, place) => ({
    kind: 'place' as const,
    place,
    start: Math.round(start * 1000),
    end: Math.round(end * 1000),
    score: 0,
    brokenOff: false,
    repeats: false,
  }))
  const places = said.map(() => ({ phones: ['AH'] }))
  expect(await turnsDuring(() => sharpened(kennedy.samples, said, places))).toBeGreaterThanOrEqual(said.length)
})

it('while a script is laid beside what was heard, others have their turn after each word of it', async () => {
  const heard = kennedy.words.map(({ text, start, end }) => ({ text, start, end, confidence: 1 }))
  const turns = await turnsDuring(() => againstScript(heard, kennedy.script, 's1'))
  expect(turns).toBeGreaterThanOrEqual(heard.length)
})
