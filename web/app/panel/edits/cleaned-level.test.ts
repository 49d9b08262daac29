import { expect, test } from 'vitest'
import { CleanedLevel, powerMeter } from './cleaned-level.ts'

const rate = 48_000
/** So many seconds of a tone. */
const tone = (hertz: number, level: number) =>
  Float32Array.from({ length: rate * 0.4 }, (_, i) => level * Math.sin((2 * Math.PI * hertz * i) / rate))
const mixed = (...all: Float32Array[]) => all[0]!.map((_, i) => all.reduce((sum, one) => sum + one[i]!, 0))

test('how much louder a voice became is told after two seconds, and rumble that went away counts little', () => {
  const level = new CleanedLevel()
  const [before, after] = [powerMeter(rate), powerMeter(rate)]
  const play = (came: Float32Array, went: Float32Array) => {
    before.take(came)
    after.take(went)
    level.take({ before: before.spent(), after: after.spent() })
  }
  const voice = (louder: number) => tone(800, 0.1 * 10 ** (louder / 20))
  for (let i = 0; i < 4; i++) play(mixed(voice(0), tone(30, 0.05)), voice(4))
  expect(level.louder()).toBe(0)
  // A pause says nothing.
  play(new Float32Array(rate * 0.4), new Float32Array(rate * 0.4))
  expect(level.louder()).toBe(0)
  for (let i = 0; i < 4; i++) play(mixed(voice(0), tone(30, 0.05)), voice(4))
  expect(Math.abs(level.louder() - 4)).toBeLessThan(0.3)
})
