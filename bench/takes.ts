// npm run bench:takes: takes that are not as a studio would make them, from the check to the finished file.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TakeLog } from '../domain/src/take-log.ts'
import { firstCut } from '../edit/src/first-cut.ts'
import { readRecipe } from '../edit/src/read-recipe.ts'
import type { Recipe, Source } from '../edit/src/recipe.ts'
import { spokenWords, timelineOf } from '../edit/src/timeline.ts'
import { inFrame, positionFor, type Point } from '../edit/src/framing.ts'
import { headOf, stage } from '../media/src/clip-scene.ts'
import { speech, type Saying, type Speaker } from '../media/src/clip-speech.ts'
import { makeClip, placeOf, type DrawnPerson } from '../media/src/make-clip.ts'
import { findPerson } from '../media/src/person.ts'
import { probe, stillMs } from '../media/src/probe.ts'
import { plan, run } from '../media/src/render.ts'
import { voiceOf } from '../media/src/voice.ts'
import { wav } from '../speech/src/transcriber.ts'
import { transcribe, transcribeSamples } from '../speech/src/transcribe.ts'
import type { Transcript } from '../speech/src/transcript.ts'
import { gated, kennedy, percentile } from '../speech/test/samples.ts'
import { advance, readScript, sentenceStart, show, wordAt } from '../web/app/recorder/prompter.ts'
import { hear, levelOf, silence } from '../web/app/recorder/voice.ts'

const sentences = [
  'Buying your first home does not have to be scary, and today I will show you why.',
  'Most buyers believe that they need twenty percent down before they can even start looking.',
  'Our state offers three programs that help with closing costs and lower your monthly payment.',
  'Bring your last two pay stubs, and we will have an answer for you within one day.',
  'Send me a message and we will find the right program together.',
]
const script = sentences.join('\n')

/** What is said in which order: a number is a pause in seconds, the rest beginnings of sentences and whole ones. */
const order: Saying[] = [
  0.8,
  sentences[0]!,
  0.7,
  'Most buyers believe that they need',
  1.2,
  sentences[1]!,
  0.6,
  'Our state offers three programs that help',
  0.9,
  'Our state offers three programs that',
  1.1,
  sentences[2]!,
  0.7,
  'Bring your last two pay',
  0.9,
  sentences[3]!,
  0.7,
  sentences[4]!,
  0.8,
]

const rooms: Record<string, (samples: Int16Array) => Int16Array> = {
  'a quiet room': (samples) => samples,
  'digital silence between the words': (samples) => gated(samples, 100),
  'digital silence, a very quiet voice': (samples) => gated(samples, 100).map((sample) => sample / 60),
  'noise at −30 dB': noisy,
}

const lists = ({ words, unsaid, silences }: Transcript) => ({ words, unsaid, silences })
const brand = { primary: '#000000', secondary: '#ffffff', logo: null, name: '', line: '', legal: '' }
const sourceOf = (samples: Int16Array): Source => ({
  id: 's1',
  assetId: 'a',
  name: 'take.mp4',
  durationMs: Math.floor(samples.length / 16),
  width: 1080,
  height: 1920,
  fps: { num: 30, den: 1 },
  hasSound: true,
})

const folder = mkdtempSync(join(tmpdir(), 'bench-takes-'))
/** All of them, or those that are named. */
const parts = { listen, marks: listenWithMarks, render, people: lookForPeople }
try {
  for (const [name, part] of Object.entries(parts))
    if (process.argv.length < 3 || process.argv.slice(2).includes(name)) await part()
} finally {
  rmSync(folder, { recursive: true })
}

/** Synthetic voices that give up four tries, with and without a room around them. */
async function listen(): Promise<void> {
  const sums = Object.keys(rooms).map((name) => ({
    name,
    given: 0,
    tries: 0,
    out: 0,
    flagged: 0,
    words: 0,
    pauses: 0,
    all: 0,
  }))
  for (const speaker of ['slt', 'rms', 'awb'] satisfies Speaker[]) {
    const take = await spoken(speaker)
    for (const sum of sums) {
      const found = await transcribeSamples(rooms[sum.name]!(take.samples), { script, source: 's1' })
      for (const { from, to, text, isTry } of take.said) {
        const inside = found.words.filter(({ start, end }) => (start + end) / 2 >= from && (start + end) / 2 < to)
        const words = text.split(' ').length
        const givenUp = inside.filter(({ mark }) => mark === 'broken-off').length
        if (isTry) {
          sum.tries += words
          sum.given += Math.min(words, givenUp)
        } else {
          sum.words += words
          sum.out += givenUp
          sum.flagged += inside.filter(({ mark }) => mark === 'off-script' || mark === 'filler').length
        }
      }
      sum.all += take.pauses.length
      sum.pauses += take.pauses.filter((pause) => found.silences.some((one) => covers(one, pause))).length
    }
  }
  console.log('three synthetic voices, 15 sentences and 12 tries given up')
  for (const { name, given, tries, out, flagged, words, pauses, all } of sums)
    say(
      name,
      `given up ${given} of ${tries} words; of ${words} others ${out} taken out, ${flagged} flagged; pauses ${pauses} of ${all}`,
    )
}

/**
 * The same voices with what the recorder would have noted: “Again from here” a quarter of a second after each try, and which
 * word its prompter showed when, at the pace that a device has at first and at the voice's own.
 */
async function listenWithMarks(): Promise<void> {
  console.log('\nthe same voices with the recorder’s marks')
  const away: Record<string, number[]> = { 'at 150 words a minute': [], 'at the voice’s own pace': [] }
  for (const [room, shaped] of Object.entries(rooms)) {
    const sum = { tries: 0, words: 0, plain: [0, 0] as Counts, marked: [0, 0] as Counts }
    for (const speaker of ['slt', 'rms', 'awb'] satisfies Speaker[]) {
      const take = await spoken(speaker)
      const samples = shaped(take.samples)
      const spokenMs = take.said.reduce((ms, { from, to }) => ms + to - from, 0)
      const own = (take.said.reduce((n, { text }) => n + text.split(' ').length, 0) / spokenMs) * 60_000
      const shown = Object.keys(away).map(
        (name, i) => [name, prompted(samples, take.said, i === 0 ? 150 : own)] as const,
      )
      if (shaped === rooms['a quiet room'])
        for (const [name, log] of shown) away[name]!.push(...wordsAway(take.said, log))
      const found = await transcribeSamples(samples, { script, source: 's1' })
      const cut = { ...lists(found), sources: [sourceOf(samples)], script, brand, style: 1 as const }
      const [plain, marked] = [{}, { logs: new Map([['s1', shown[0]![1]]]) }].map((more) =>
        firstCut({ ...cut, ...more }),
      )
      for (const { from, to, text, isTry } of take.said) {
        sum[isTry ? 'tries' : 'words'] += text.split(' ').length
        for (const [counts, recipe] of [
          [sum.plain, plain!],
          [sum.marked, marked!],
        ] as const) {
          const heard = new Set(spokenWords(recipe).map(({ word }) => word.id))
          const inside = recipe.words.filter(({ start, end }) => (start + end) / 2 >= from && (start + end) / 2 < to)
          // A try is out where nothing of it is heard; of the others each word counts.
          if (isTry) counts[0] += Math.max(0, text.split(' ').length - inside.filter(({ id }) => heard.has(id)).length)
          else counts[1] += inside.filter(({ id }) => !heard.has(id)).length
        }
      }
    }
    const counted = ([tries, words]: Counts) =>
      `${tries} of ${sum.tries} words of tries out, ${words} of ${sum.words} others`
    say(room, `without marks ${counted(sum.plain)}; with them ${counted(sum.marked)}`)
  }
  for (const [name, words] of Object.entries(away))
    say(
      `the prompter’s word, ${name}`,
      `${percentile(words, 0.5).toFixed(1)} words from the spoken one (median), ${percentile(words, 0.95).toFixed(1)} (95th percentile)`,
    )
}

type Counts = [tries: number, words: number]
type SaidText = Span & { text: string; isTry: boolean }

/** What the recorder's prompter would have shown and noted. */
function prompted(samples: Int16Array, said: readonly SaidText[], wordsAMinute: number): TakeLog {
  const text = readScript(script)
  const presses = said.filter(({ isTry }) => isTry).map(({ to }) => to + 250)
  const shown: [number, number][] = []
  const again: { ms: number; word: number }[] = []
  const dtMs = 16
  let [at, voice] = [0, silence]
  for (let ms = 0; ms < samples.length / 16; ms += dtMs) {
    const chunk = Float32Array.from(samples.subarray(Math.max(0, ms * 16 - 1024), ms * 16), (one) => one / 32_768)
    voice = hear(voice, levelOf(chunk), dtMs)
    at = advance(text, at, { mode: 'voice', isSpeaking: voice.isSpeaking, wordsAMinute, dtMs })
    if (presses[0] !== undefined && ms >= presses[0]) {
      presses.shift()
      const begin = sentenceStart(text, at)
      again.push({ ms, word: (at = at - begin < 1.5 ? sentenceStart(text, at, 1) : begin) })
    }
    show(shown, wordAt(text, at), ms)
  }
  return { again, shown }
}

/** By how many words what was shown was beside what was said, for each spoken word; spoken evenly within its sentence. */
function wordsAway(said: readonly SaidText[], { shown }: TakeLog): number[] {
  return said.flatMap(({ from, to, text }) => {
    const first = script.slice(0, script.indexOf(text)).split(/\s+/).length - 1
    const words = text.split(' ')
    return words.map((_, i) => {
      const ms = from + ((i + 0.5) / words.length) * (to - from)
      return Math.abs((shown.findLast(([, at]) => at <= ms)?.[0] ?? 0) - first - i)
    })
  })
}

type Span = { from: number; to: number }

async function spoken(speaker: Speaker) {
  const made = await speech(order, { speaker, folder })
  if (!made) throw new Error('This ffmpeg has no synthesizer (Debian: apt-get install ffmpeg).')
  const { samples: bytes, rate } = made
  if (rate !== 16_000) throw new Error(`The voice has ${rate} samples a second.`)
  const samples = new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
  const texts = order.filter((one) => typeof one === 'string')
  const said = made.said.map(([from, to], i) => {
    const text = texts[i]!
    return { from: from * 1000, to: to * 1000, text, isTry: !sentences.includes(text) }
  })
  const pauses = said.slice(1).map(({ from }, i): Span => ({ from: said[i]!.to, to: from }))
  return { samples, said, pauses }
}

function covers({ start, end }: { start: number; end: number }, { from, to }: Span): boolean {
  return Math.min(end, to) - Math.max(start, from) > 0.7 * (to - from)
}

/** Even noise whose highest samples are 30 dB below full scale. */
function noisy(samples: Int16Array): Int16Array {
  let seed = 1
  const even = () => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 31 - 1
  return samples.map((sample) => Math.max(-32_768, Math.min(32_767, sample + Math.round(even() * 1036))))
}

/** Files of every odd kind with a human voice of eleven seconds, through the check, the rules and the render. */
async function render(): Promise<void> {
  const voice = join(folder, 'voice.wav')
  writeFileSync(voice, wav(kennedy.samples))
  const picture = (seconds: number) => `-f lavfi -i testsrc=s=180x320:r=30:d=${seconds}`
  const kinds: [name: string, inputs: string, script: string][] = [
    ['as it was recorded', `${picture(11)} -i @`, kennedy.script],
    ['half a second more sound than picture', `${picture(10.5)} -i @`, kennedy.script],
    ['five seconds more sound than picture', `${picture(6)} -i @`, kennedy.script],
    ['one picture', `${picture(0.03)} -i @`, kennedy.script],
    ['three seconds more picture than sound', `${picture(14)} -i @`, kennedy.script],
    ['ends in mid-speech', `${picture(9.6)} -t 9.6 -i @`, kennedy.script],
    ['nobody speaks, silence', `${picture(6)} -f lavfi -i anullsrc -t 6`, ''],
    ['nobody speaks, a tone', `${picture(6)} -f lavfi -i sine=d=6`, ''],
  ]
  console.log('\nfiles with a human voice, eleven seconds')
  for (const [n, [name, inputs, words]] of kinds.entries()) {
    const file = join(folder, `take-${n}.mp4`)
    const coded = '-map 0:v -map 1:a -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac'
    const args = `-v error -y ${inputs} ${coded}`.split(' ').map((word) => (word === '@' ? voice : word))
    if (spawnSync('ffmpeg', [...args, file], { stdio: ['ignore', 'ignore', 'inherit'] }).status !== 0)
      throw new Error(`${name}: the take could not be made`)
    say(name, await way(file, words, `out-${n}`))
  }
}

/** Drawn people at every place and distance: whether the frame stays on the head, and what the search costs. */
async function lookForPeople(): Promise<void> {
  const film = { width: 640, height: 360, voice: false }
  const find = async (name: string, people: DrawnPerson[], seed: number, seconds = 2) => {
    const out = join(folder, `${name}.mp4`)
    await makeClip({ ...film, out, seconds, hue: 40 * seed, seed, people })
    const found = await probe(out)
    if (!found.ok) throw new Error(found.reason)
    const began = process.cpuUsage()
    const person = await findPerson({ file: out, probe: found })
    const used = process.cpuUsage(began)
    return { person, coreSeconds: (used.user + used.system) / 1e6 }
  }
  console.log('\ndrawn people in wide takes')
  for (const size of [1, 0.7, 0.5, 0.4]) {
    const sum = { takes: 0, inside: 0, one: 0, whole: 0, asked: 0 }
    for (let seed = 1; seed <= 8; seed++) {
      const standing = { x: 0.1 + 0.1 * seed, size }
      const { person } = await find(`person-${size}-${seed}`, [standing], seed)
      const { x, y, halfWidth, halfHeight } = headOf(placeOf(stage(film.width, film.height), standing))
      const corners = [-1, 1].map((side) => ({
        x: (x + side * halfWidth) / film.width,
        y: (y + side * halfHeight) / film.height,
      }))
      const [from, to] = corners as [Point, Point]
      sum.takes++
      if (!person || person.doubts.length > 0) sum.asked++
      const [hold] = person?.holds ?? []
      if (!hold) continue
      if (hold.x > from.x && hold.x < to.x && hold.y > from.y && hold.y < to.y) sum.inside++
      if (person!.holds.length === 1) sum.one++
      const isWhole = [9 / 16, 1, 16 / 9].every((ratio) => {
        const frame = { width: ratio, height: 1 }
        const position = positionFor(film, frame, hold, hold.height)
        return corners.every((corner) => {
          const at = inFrame(film, frame, position, corner)
          return Math.min(at.x, at.y) >= 0 && Math.max(at.x, at.y) <= 1
        })
      })
      if (isWhole) sum.whole++
    }
    say(
      `heads of ${Math.round(34.4 * size)} % of the height`,
      `within the head ${sum.inside} of ${sum.takes}, one place ${sum.one}, whole head in every frame ${sum.whole}, asked ${sum.asked}`,
    )
  }
  let tours = 0
  for (let seed = 1; seed <= 8; seed++) if ((await find(`tour-${seed}`, [], seed)).person) tours++
  say('house tours', `a focus or a question in ${tours} of 8`)
  const { person, coreSeconds } = await find('minute', [{ x: 0.3 }], 2, 60)
  say('a minute', `${person?.holds.length} place, ${coreSeconds.toFixed(1)} core-seconds`)
}

/** What became of it, or the reason why nothing did. */
async function way(file: string, script: string, out: string): Promise<string> {
  const found = await probe(file)
  if (!found.ok) return found.reason
  const { durationMs, video, audio } = found
  const source = { id: 's1', assetId: 'A', name: 'take', durationMs, width: 180, height: 320, hasSound: audio !== null }
  const heard: Transcript = await transcribe({ file, probe: found, source: 's1', script })
  const still = stillMs(found)
  const made = firstCut({
    sources: [{ ...source, fps: { num: 30, den: 1 } }],
    words: heard.words,
    silences: heard.silences,
    stills: still > 0 ? [{ source: 's1', start: durationMs - still, end: durationMs }] : [],
    script,
    brand: { primary: '#2647e0', secondary: '#ff5a3c', logo: null, name: 'Ann', line: 'Loans', legal: 'NMLS #1' },
    style: 5,
  })
  const { recipe, problems } = readRecipe({ ...made, output: { ...made.output, shortSide: 180 } })
  if (!recipe) return `no recipe: ${problems[0]?.where} ${problems[0]?.text}`
  const outDir = join(folder, out)
  mkdirSync(outDir)
  const planned = plan<never>(recipe, {
    materials: new Map([['A', { hash: out, probe: found }]]),
    painted: { tracks: [], cards: [] },
  })
  const files = new Map([['A', file]])
  const done = await run(planned, { files, paint: () => new Uint8Array(), cacheDir: join(folder, 'chunks'), outDir })
  if (!done.ok) return done.reason
  const sound = await probe(join(outDir, done.file))
  const heardAgain = sound.ok ? (await voiceOf(join(outDir, done.file), sound)).length / 16_000 : 0
  const ended = video?.lastMs === undefined ? '' : `picture to ${(video.lastMs / 1000).toFixed(1)} s, `
  return `${ended}${kept(recipe)} of ${recipe.words.length} words, ${(done.durationMs / 1000).toFixed(1)} s made, ${heardAgain.toFixed(1)} s of sound`
}

function kept(recipe: Recipe): number {
  const { pieces, fps } = timelineOf(recipe)
  const at = (ms: number) => (ms * fps.num) / fps.den / 1000
  return recipe.words.filter((word) =>
    pieces.some(({ from, to }) => at(word.start) >= from - 1 && at(word.end) <= to + 1),
  ).length
}

function say(name: string, what: string): void {
  console.log(`  ${name.padEnd(40)} ${what}`)
}
