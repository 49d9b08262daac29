// npm run bench:captions: how well the words of a script are found in a recording, and what strays from it.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { probe } from '../media/src/probe.ts'
import { voiceOf } from '../media/src/voice.ts'
import { align } from '../speech/src/align.ts'
import { plainWord } from '../speech/src/script.ts'
import { estimateTimes } from '../speech/src/estimate-times.ts'
import { withRoomNoise } from '../speech/src/room-noise.ts'
import { levelsOf } from '../speech/src/sound.ts'
import { sphinx, used } from '../speech/src/sphinx.ts'
import type { Transcript } from '../speech/src/transcript.ts'
import { kennedy, percentile } from '../speech/test/samples.ts'
import { strays } from './strays.ts'

const { values: flags } = parseArgs({
  options: {
    /** Folders that make-footage has written, or whose voice.wav, script.txt and truth.json are like its. */
    kit: { type: 'string', multiple: true },
    /** The program that makes one where none is named. */
    maker: { type: 'string', default: resolve(import.meta.dirname, '../../shared/media/make-footage') },
  },
})

type TrueWord = { text: string; start: number; end: number; kind: 'script' | 'flub' | 'filler' | 'offscript' | 'adlib' }
type Truth = { words: TrueWord[]; silences: { start: number; end: number }[] }

const tool = await sphinx()
if (!tool) throw new Error('PocketSphinx is missing (Debian: apt-get install pocketsphinx pocketsphinx-en-us).')

await measure('human voice, 11 s', kennedy.samples, kennedy.script, {
  words: kennedy.words.map((word) => ({ ...word, kind: 'script' })),
  silences: [],
})
const left = await strays(tool)
console.log('\ntwo human voices that leave their script')
say('said as written', `${left.marked} of ${left.written} words marked, ${left.cut} of them as given up`)
say('said beside the script', `${left.flagged} of ${left.beside} words found to be`)
say('tries given up', `${left.given} of ${left.tries} words found`)
say('left out', `${left.unsaid} words, ${left.missed} said to be`)
for (const { folder, done } of kits()) {
  const file = ['officer-phone.mov', 'voice.wav'].map((name) => join(folder, name)).find(existsSync)!
  const found = await probe(file)
  if (!found.ok) throw new Error(found.reason)
  const truth: Truth = JSON.parse(readFileSync(join(folder, 'truth.json'), 'utf8'))
  await measure(file, await voiceOf(file, found), readFileSync(join(folder, 'script.txt'), 'utf8'), truth)
  done()
}

function kits(): { folder: string; done: () => void }[] {
  if (flags.kit) return flags.kit.map((folder) => ({ folder, done: () => {} }))
  if (!existsSync(flags.maker)) {
    console.log('\nNo footage: name a folder with --kit, or the program that makes it with --maker.')
    return []
  }
  const folder = mkdtempSync(join(tmpdir(), 'bench-captions-'))
  console.log(`\nMaking footage with ${flags.maker}: some minutes.`)
  const made = spawnSync(flags.maker, [folder], { stdio: ['ignore', 'ignore', 'inherit'] })
  if (made.status !== 0) throw new Error('The footage could not be made. It needs python3, ffmpeg and libespeak-ng1.')
  return [{ folder, done: () => rmSync(folder, { recursive: true }) }]
}

async function measure(name: string, recorded: Int16Array, script: string, truth: Truth): Promise<void> {
  // As the product listens.
  const samples = await withRoomNoise(recorded)
  console.log(`\n${name}`)
  const before = { cpu: process.cpuUsage(), child: used.cpuSeconds, at: performance.now() }
  const found = await align(tool!, { samples, script, source: 's1' })
  const own = process.cpuUsage(before.cpu)
  const seconds = samples.length / 16_000
  const cpu = (own.user + own.system) / 1e6 + used.cpuSeconds - before.child
  const wall = (performance.now() - before.at) / 1000
  say('time', `${(cpu / seconds).toFixed(3)} × real time of one core (${(wall / seconds).toFixed(3)} × on the wall)`)
  onsets('words', found, truth, () => true)
  if (truth.words.some(({ kind }) => kind !== 'script')) {
    onsets('  in the passages off the script', found, truth, ({ kind }) => kind === 'offscript')
    onsets('  in tries given up', found, truth, ({ kind }) => kind === 'flub')
    strayings(found, truth)
    silences(found, truth, samples)
  }
  onsets('without the recogniser', await estimateTimes(samples, script, 's1'), truth, () => true)
}

function onsets(name: string, found: Transcript, truth: Truth, of: (word: TrueWord) => boolean): void {
  const pairs = paired(found, truth).filter(({ true: word }) => of(word))
  if (pairs.length === 0) return say(name, 'none found')
  const off = pairs.map(({ found: word, true: { start } }) => Math.abs(word.start - start * 1000))
  const ends = pairs.map(({ found: word, true: { end } }) => Math.abs(word.end - end * 1000))
  const count = truth.words.filter((word) => of(word) && key(word.text)).length
  const line = (list: number[]) => `${Math.round(percentile(list, 0.5))} / ${Math.round(percentile(list, 0.95))} ms`
  say(name, `onsets ${line(off)}, ends ${line(ends)} (median / 95th), ${pairs.length} of ${count} words`)
}

/** What espeak-ng calls a word and what a script does differ at apostrophes. */
function key(text: string): string {
  return plainWord(text).replace(/'s$/, '').replaceAll("'", '')
}

/** Found and true words of the same text, in order; the longest common row. */
function paired(found: Transcript, truth: Truth) {
  const a = found.words.filter(({ text }) => key(text))
  const b = truth.words.filter(({ text }) => key(text))
  const rows = [new Int32Array(b.length + 1)]
  a.forEach((word, i) => {
    const row = new Int32Array(b.length + 1)
    b.forEach((other, j) => {
      row[j + 1] = key(word.text) === key(other.text) ? rows[i]![j]! + 1 : Math.max(rows[i]![j + 1]!, row[j]!)
    })
    rows.push(row)
  })
  const pairs: { found: (typeof a)[number]; true: TrueWord }[] = []
  for (let i = a.length, j = b.length; i > 0 && j > 0;) {
    if (key(a[i - 1]!.text) === key(b[j - 1]!.text)) pairs.push({ found: a[--i]!, true: b[--j]! })
    else if (rows[i - 1]![j]! >= rows[i]![j - 1]!) i--
    else j--
  }
  return pairs.reverse()
}

type Stretch = { start: number; end: number }

/** Of the found, how many are true; of the true, how many were found. One is the other when half of the shorter is common. */
function rates(
  name: string,
  found: readonly Stretch[],
  real: readonly Stretch[],
  right: (one: Stretch) => boolean = () => false,
): void {
  const common = (a: Stretch, b: Stretch) =>
    Math.min(a.end, b.end) - Math.max(a.start, b.start) >= Math.min(a.end - a.start, b.end - b.start) / 2
  const good = found.filter((one) => real.some((other) => common(one, other)) || right(one)).length
  const met = real.filter((one) => found.some((other) => common(one, other))).length
  const share = (part: number, of: number) => (of === 0 ? '–' : (part / of).toFixed(2))
  say(
    name,
    `precision ${share(good, found.length)} (${good} of ${found.length}), recall ${share(met, real.length)} (${met} of ${real.length})`,
  )
}

function ofKind(truth: Truth, ...kinds: TrueWord['kind'][]): Stretch[] {
  return truth.words
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ start, end }) => ({ start: start * 1000, end: end * 1000 }))
}

function strayings(found: Transcript, truth: Truth): void {
  const marked = (mark: string) => found.words.filter((word) => word.mark === mark)
  rates('fillers', marked('filler'), ofKind(truth, 'filler'))
  // Half a word at the end of a try stands in no truth, but belongs to it.
  const flubs = ofKind(truth, 'flub')
  const tail = (one: Stretch) => flubs.some(({ end }) => one.start >= end - 50 && one.start <= end + 350)
  rates('tries given up, by word', marked('broken-off'), flubs, tail)
  const passages = runs(ofKind(truth, 'offscript', 'adlib'))
  const flags = [...marked('off-script'), ...found.unsaid.map(({ at }) => ({ start: at - 1, end: at + 1 }))]
  rates('passages off the script', flags, passages)
}

/** Words that follow each other within half a second are one passage. */
function runs(words: readonly Stretch[]): Stretch[] {
  const list: Stretch[] = []
  for (const { start, end } of words) {
    const last = list.at(-1)
    if (last && start - last.end < 500) last.end = end
    else list.push({ start, end })
  }
  return list
}

async function silences(found: Transcript, truth: Truth, samples: Int16Array): Promise<void> {
  const pauses = truth.silences.map(({ start, end }) => ({ start: start * 1000, end: end * 1000 }))
  const around = ofKind(truth, 'filler').flatMap(({ start, end }) => [
    { start: start - 250, end: start },
    { start: end, end: end + 300 },
  ])
  // The truth does not list the voice's own pauses at commas: there the recording itself must be still.
  const { db } = await levelsOf(samples)
  const still = ({ start, end }: Stretch) =>
    db.subarray(Math.ceil(start / 10) + 2, Math.floor(end / 10) - 2).every((level) => level < -52)
  rates('silences', found.silences, [...pauses, ...around], still)
}

function say(name: string, what: string): void {
  console.log(`  ${name.padEnd(32)} ${what}`)
}
