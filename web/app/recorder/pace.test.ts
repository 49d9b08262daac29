import { expect, it } from 'vitest'
import { usualPace, withPace } from './pace.ts'
import { advance, readScript, weightBetween } from './prompter.ts'

const bounds = { least: 60, most: 350 }
const script = readScript('What a home costs each month is more than the loan itself. '.repeat(12))
const all = weightBetween(script, 0, script.length)

/** A person reads the whole script at `own` while the words run at `pace`; past the end they speak on, behind it they stop. */
const readAt = (own: number, pace: number) => {
  const speakingMs = (all / own) * 60_000
  let at = 0
  for (let ms = 0; ms < speakingMs; ms += 50)
    at = advance(script, at, { mode: 'voice', isSpeaking: true, wordsAMinute: pace, dtMs: 50 })
  return { at, speakingMs }
}

it('the pace comes to that of whoever reads faster or slower than the words run, within five takes', () => {
  for (const own of [110, 150, 190]) {
    let [paces, pace]: [number[], number] = [[], 150]
    for (let take = 0; take < 5; take++) {
      const { speakingMs } = readAt(own, pace)
      // Whoever is faster brings the words after by hand: at the end of the take they stand at the end of the script.
      paces = withPace(paces, { words: all, speakingMs }, bounds)
      pace = usualPace(paces)!
    }
    expect([own, Math.abs(pace - own) <= 5]).toEqual([own, true])
  }
})

it('a take too short to tell changes nothing, and only the last three count', () => {
  expect(withPace([140], { words: 15, speakingMs: 20_000 }, bounds)).toEqual([140])
  expect(withPace([140], { words: 40, speakingMs: 5000 }, bounds)).toEqual([140])
  expect(withPace([90, 140, 150], { words: 160, speakingMs: 60_000 }, bounds)).toEqual([140, 150, 160])
  expect(withPace([], { words: 900, speakingMs: 60_000 }, bounds)).toEqual([350])
  expect(usualPace([])).toBeNull()
  expect(usualPace([140, 150, 162])).toBe(150)
})
