import { describe, expect, it } from 'vitest'
import { austen, kennedy, percentile, spliced } from '../test/samples.ts'
import { align } from './align.ts'
import { sphinx } from './sphinx.ts'
import type { Transcript } from './transcript.ts'

const tool = await sphinx()
const run = (samples: Int16Array, script: string) => align(tool!, { samples, script, source: 's1' })
const told = ({ words }: Transcript, mark?: string) =>
  words.filter((word) => word.mark === mark).map(({ text }) => text)

/** Words never lie over each other, and no silence lies over a word. */
function ordered({ words, silences }: Transcript): void {
  words.forEach((word, i) => {
    expect(word.end, word.text).toBeGreaterThan(word.start)
    expect(word.start, word.text).toBeGreaterThanOrEqual(words[i - 1]?.end ?? 0)
    expect(silences.filter(({ start, end }) => start < word.end && end > word.start)).toEqual([])
  })
}

describe.skipIf(!tool)('a recorded human voice is aligned', () => {
  it('with its script, within 25 ms for half of the words and 60 ms for 95 %', async () => {
    const found = await run(kennedy.samples, kennedy.script)
    expect(told(found)).toEqual(kennedy.script.split(' '))
    const off = kennedy.words.map(({ start }, i) => Math.abs(found.words[i]!.start - start * 1000))
    expect(percentile(off, 0.5)).toBeLessThanOrEqual(25)
    expect(percentile(off, 0.95)).toBeLessThanOrEqual(60)
    expect(found).toMatchObject({ unsaid: [], means: 'aligned', notes: [] })
    expect(found.silences.length).toBeGreaterThanOrEqual(3)
    expect(Math.min(...found.words.map(({ confidence }) => confidence))).toBeGreaterThan(0.3)
    ordered(found)
  })

  it('when a first attempt is broken off and the sentence repeated', async () => {
    const take = spliced(kennedy.samples, [[0, 4400], 900, [0, 11_000]])
    const found = await run(take, kennedy.script)
    expect(told(found, 'broken-off').slice(0, 7)).toEqual(kennedy.script.split(' ').slice(0, 7))
    expect(told(found)).toEqual(kennedy.script.split(' '))
    expect(found.words.filter((word) => !word.mark).at(0)!.start).toBeGreaterThan(5300)
    ordered(found)
  })

  it('when words of the script are left out, or the speaker adds words', async () => {
    const shorter = spliced(kennedy.samples, [[0, 2300], 400, [5380, 11_000]])
    const found = await run(shorter, kennedy.script)
    expect(found.unsaid.map(({ text }) => text)).toEqual(['ask not'])
    expect(told(found)).not.toContain('not')

    // A licence number at the end that was not said; and a recording between digital silence.
    const framed = new Int16Array(kennedy.samples.length + 4 * 16_000)
    framed.set(kennedy.samples, 16_000)
    const unfinished = await run(framed, `${kennedy.script} NMLS #123456`)
    expect(unfinished.unsaid.map(({ text }) => text)).toEqual(['NMLS #123456'])
    expect(told(unfinished)).toEqual(kennedy.script.split(' '))
    expect(unfinished.silences.map(({ start }) => Math.round(start / 1000))).toEqual(expect.arrayContaining([3, 5]))

    const beside = await run(kennedy.samples, kennedy.script.replace('my fellow Americans: ', ''))
    expect(
      beside.words.filter(({ mark, start, end }) => mark === 'off-script' && end > 700 && start < 2200),
    ).not.toEqual([])
    expect(told(beside).slice(-8).join(' ')).toBe('ask what you can do for your country.')
    ordered(beside)
  })

  it('when the speaker adds a sentence that shares words with the script', async () => {
    const [first, own, last] = austen.sentences
    const take = spliced(austen.samples, [first!.span, 350, own!.span, 350, last!.span])
    const found = await run(take, `${first!.script} ${last!.script}`)
    expect(told(found)).toEqual(`${first!.script} ${last!.script}`.split(' '))
    // The shared words may be marked as broken off; words outside the script may not.
    expect(told(found, 'broken-off').filter((text) => !own!.script.includes(text))).toEqual([])
    const beside = found.words.filter(({ mark }) => mark === 'off-script')
    expect(beside.reduce((sum, { start, end }) => sum + end - start, 0)).toBeGreaterThan(3000)
    expect(found.unsaid).toEqual([])
    ordered(found)
  })

  it('when the script is read in another order with one sentence repeated, and nothing is marked as broken off', async () => {
    const [one, two, three] = austen.sentences
    const take = spliced(austen.samples, [three!.span, 700, one!.span, 700, two!.span, 700, three!.span])
    const found = await run(take, austen.sentences.map(({ script }) => script).join(' '))
    expect(told(found, 'broken-off')).toEqual([])
    expect(told(found)).toEqual(`${three!.script} ${one!.script} ${two!.script}`.split(' '))
    expect(told(found, 'off-script')).toEqual(three!.script.split(' '))
    expect(found.unsaid).toEqual([])
  })

  it('when another speaker talks in between, and each word stays where it was said', { tags: 'long' }, async () => {
    const [one, two, three] = austen.sentences
    const stranger = spliced(kennedy.samples, [500, [0, 11_000], 700])
    const [before, after] = [one!.span, [two!.span[0], three!.span[1]] as const].map((span) =>
      spliced(austen.samples, [span]),
    )
    const take = Int16Array.from([...before!, ...stranger, ...after!])
    const found = await run(take, `${one!.script} ${two!.script}`)
    expect(told(found)).toEqual(`${one!.script} ${two!.script}`.split(' '))
    expect(told(found, 'broken-off')).toEqual([])
    expect(found.words.find(({ text }) => text === 'Unless')!.start).toBeGreaterThan(14_500)
    const beside = found.words.filter(({ mark, start }) => mark === 'off-script' && start < 14_500)
    expect(beside.length).toBeLessThan(5)
    expect(beside.at(-1)!.end - beside[0]!.start).toBeGreaterThan(9000)
    ordered(found)
  })

  it('with a script that was not read: no word is found, and a note says so', { tags: 'long' }, async () => {
    const other = 'This is a wholly different text about mortgages and nobody said any of it in the video at all.'
    const found = await run(kennedy.samples, other)
    expect(found).toMatchObject({ words: [], unsaid: [] })
    expect(found.notes[0]).toContain('could not be found')
    expect(found.silences.length).toBeGreaterThan(2)
    // Names to spell, which match many sounds; and a sentence that was said three times.
    expect(await run(kennedy.samples, 'Olivia Hart, NMLS, DTI, Harbor Point')).toMatchObject({ words: [], unsaid: [] })
    // A short script in a long speech is found, and the rest of the speech is kept.
    const inSpeech = await run(kennedy.samples, 'ask what you can do for your country.')
    expect(told(inSpeech).slice(-8).join(' ')).toBe('ask what you can do for your country.')
    const thrice = spliced(kennedy.samples, [[5300, 11_000], 700, [5300, 11_000], 700, [5300, 11_000]])
    expect(told(await run(thrice, 'ask what you can do for your country.')).length).toBeGreaterThan(7)
  })

  it('with times, figures and signs in its script, and a glossary that says a dash', async () => {
    const more = 'Zorbex: 5:30, ½, 20+, 0%*, (555)123-4567, 1:00-4:00, $.50, ٥٠٠.'
    const script = `${kennedy.script} ${more}`
    const glossary = [{ term: 'Zorbex', sounds: '—' }]
    const found = await align(tool!, { samples: kennedy.samples, script, source: 's1', glossary })
    expect(told(found)).toEqual(kennedy.script.split(' '))
    expect(found.unsaid.map(({ text }) => text)).toEqual([more])
  })

  it('with an empty script: no word is found, and a note says so', async () => {
    const found = await run(kennedy.samples, ' \n [smile] ')
    expect(found.words).toEqual([])
    expect(found.notes).toHaveLength(1)
  })
})
