import { describe, expect, it } from 'vitest'
import { advance, readScript, sentenceStart, show, wordAt, type Shown } from './prompter.ts'
import { hear, levelOf, silence, type Voice } from './voice.ts'

const text = 'Rates moved. [smile] Call me, or write.\nI am Dr. Lee [pause].'

describe('a script', () => {
  it('has words in sentences, lines, and notes that nobody speaks', () => {
    const script = readScript(text)
    expect(script.parts.map((part) => (part.kind === 'line' ? '/' : part.text)).join(' ')).toBe(
      'Rates moved. [smile] Call me, or write. / I am Dr. Lee [pause].',
    )
    expect(script.parts.filter(({ kind }) => kind === 'note')).toHaveLength(2)
    expect(script.length).toBe(10)
    expect(script.begins).toEqual([0, 2, 6])
    expect(script.sentenceOf).toEqual([0, 0, 1, 1, 1, 1, 2, 2, 2, 2])
  })

  it('may be empty, an outline, or hold an open bracket', () => {
    expect(readScript('')).toMatchObject({ parts: [], length: 0, begins: [] })
    expect(wordAt(readScript(''), 0)).toBeNull()
    expect(readScript('\n\n- one\n- two\n').begins).toEqual([0, 2])
    expect(readScript('a [b c').length).toBe(4)
  })
})

describe('the place in a script', () => {
  const script = readScript(Array(300).fill('words').join(' '))
  const run = (mode: 'voice' | 'steady', isSpeaking: boolean, ms: number) => {
    let at = 0
    for (let t = 0; t < ms; t += 16) at = advance(script, at, { mode, isSpeaking, wordsAMinute: 150, dtMs: 16 })
    return at
  }

  it('moves while somebody speaks and rests while nobody does', () => {
    expect(run('voice', false, 10_000)).toBe(0)
    expect(run('voice', true, 60_000)).toBeGreaterThan(125)
    expect(run('voice', true, 60_000)).toBeLessThan(165)
  })

  it('moves by itself at a steady pace, and stays at the end', () => {
    expect(run('steady', false, 30_000)).toBeCloseTo(run('voice', true, 30_000), 5)
    expect(run('steady', false, 600_000)).toBe(300)
    expect(wordAt(script, 300)).toBe(299)
  })

  it('stays longer on a long word than on a short one', () => {
    const uneven = readScript('a prequalification a')
    const at = (ms: number) => advance(uneven, 0, { mode: 'steady', isSpeaking: false, wordsAMinute: 150, dtMs: ms })
    expect(wordAt(uneven, at(200))).toBe(1)
    expect(wordAt(uneven, at(1000))).toBe(1)
    expect(wordAt(uneven, at(1400))).toBe(2)
  })

  it('goes back to the beginning of its sentence, or of the one before', () => {
    const short = readScript(text)
    expect(sentenceStart(short, 4.6)).toBe(2)
    expect(sentenceStart(short, 4.6, 1)).toBe(0)
    expect(sentenceStart(short, 0, 3)).toBe(0)
    expect(sentenceStart(short, 99)).toBe(6)
  })

  it('is noted once for each word that was shown', () => {
    const shown: Shown = []
    for (const [word, ms] of [
      [0, 0],
      [0, 16.4],
      [1, 400.6],
      [null, 500],
      [0, 900],
    ] as const)
      show(shown, word, ms)
    expect(shown).toEqual([
      [0, 0],
      [1, 401],
      [0, 900],
    ])
  })
})

describe('a voice', () => {
  const heard = (levels: [db: number, ms: number][], from: Voice = silence) => {
    const changes: number[] = []
    let voice = from
    let at = 0
    for (const [db, ms] of levels)
      for (let t = 0; t < ms; t += 20) {
        const next = hear(voice, db, 20)
        at += 20
        if (next.isSpeaking !== voice.isSpeaking) changes.push(at)
        voice = next
      }
    return { voice, changes }
  }

  it('begins 150 ms after the level leaves the room, and ends 400 ms after it comes back', () => {
    const { changes } = heard([
      [-62, 1000],
      [-28, 1000],
      [-62, 1000],
    ])
    expect(changes).toEqual([1160, 2400])
  })

  it('is not begun by a knock, nor ended by a breath', () => {
    expect(
      heard([
        [-62, 1000],
        [-20, 100],
        [-62, 1000],
      ]).changes,
    ).toEqual([])
    expect(
      heard([
        [-62, 1000],
        [-28, 1000],
        [-62, 300],
        [-28, 1000],
      ]).changes,
    ).toEqual([1160])
  })

  it('is heard over a loud room once the room is known, and for minutes without a gap', () => {
    const { voice } = heard([[-42, 20_000]])
    expect(voice.isSpeaking).toBe(false)
    expect(voice.floorDb).toBeCloseTo(-42, 0)
    const phrase: [number, number][] = [
      [-26, 2000],
      [-42, 240],
    ]
    const { voice: late, changes } = heard(Array(20).fill(phrase).flat(), voice)
    expect([late.isSpeaking, changes]).toEqual([true, [160]])
  })

  it('has a level in dBFS', () => {
    expect(levelOf(new Float32Array(512))).toBe(-100)
    expect(levelOf(Float32Array.from({ length: 4800 }, (_, i) => Math.sin(i / 5)))).toBeCloseTo(-3, 1)
    expect(levelOf(Float32Array.from({ length: 4800 }, (_, i) => 0.01 * Math.sin(i / 5)))).toBeCloseTo(-43, 1)
  })
})
