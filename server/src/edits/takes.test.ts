// @module-tag long
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TakeLog } from '@clear-to-post/domain/take-log'
import { edits } from '@clear-to-post/contract/edits'
import { projects } from '@clear-to-post/contract/projects'
import { finishFindings, personUnsure } from '@clear-to-post/edit/finish-check'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { spokenWords, timelineOf } from '@clear-to-post/edit/timeline'
import { makeClip } from '@clear-to-post/media/make-clip'
import { austen, kennedy, spliced } from '../../../speech/test/samples.ts'
import { isLong } from '../../test/random.ts'
import { readyFile } from '../../test/ready-file.ts'
import { callAs, makeOfficer, makePerson, openService, type Person, type Service } from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { prepareFirstCut } from './first-cut.ts'
import { makeRender } from './render.ts'

/** Takes that are not as a studio would make them, from the first cut to the finished file: in the long form each of them. */
const rendered = isLong ? ' and rendered' : ''

let service: Service
let folder: string
let officer: Person, editor: Person
const log = pino({ level: 'silent' })

beforeAll(async () => {
  service = await openService()
  folder = await mkdtemp(join(tmpdir(), 'clear-to-post-takes-'))
  officer = await makeOfficer(service)
  editor = await makePerson(service, 'Editor', { tenantId: officer.tenantId })
})
afterAll(async () => {
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

test('a voice that goes on for five seconds after its picture is cut and rendered whole', async () => {
  const file = await makeTake('short-picture.mp4', `-f lavfi -i testsrc=s=180x320:r=30:d=6 -i @ -map 0 -map 1`)
  const { recipe, seconds } = await cutAndRendered(file, kennedy.script)
  expect(heard(recipe)).toBe(kennedy.script)
  expect(recipe.words.at(-1)!.end).toBeGreaterThan(9000)
  expect(seconds).toBeGreaterThan(8)
  // Before it is sent its editor reads that the picture stands still from the sixth second on.
  const [source] = recipe.sources
  expect(recipe.flaws).toEqual([{ source: source!.id, kind: 'frozen', start: 6000, end: source!.durationMs }])
  expect(finishFindings(recipe).map(({ kind }) => kind)).toContain('frozen')
})

test(`a take that ends in the middle of its last sentence is cut${rendered}`, async () => {
  const file = await makeTake('cut-off.mp4', '-f lavfi -i testsrc=s=180x320:r=30:d=4 -f lavfi -i sine=f=200:d=4')
  // The captions of the whole video: the take ends in the first one.
  const captions =
    '1\n00:00:01,000 --> 00:00:04,500\nIt saves thirty dollars a month.\n\n2\n00:00:05,000 --> 00:00:06,000\nCall me.\n'
  const { recipe } = await cutAndRendered(file, captions, { isRendered: isLong })
  expect(heard(recipe)).toBe('It saves thirty dollars a month.')
  expect([recipe.words.at(-1)?.end, recipe.moves.at(-1)?.end]).toEqual([4000, 4000])
})

test(`a take in which nobody speaks stays whole${rendered}`, async () => {
  const file = await makeTake('tour.mp4', '-f lavfi -i testsrc=s=180x320:r=30:d=4 -f lavfi -i anullsrc -t 4')
  const { recipe, seconds } = await cutAndRendered(file, '', { isRendered: isLong })
  expect(recipe).toMatchObject({ words: [], removed: [], moves: [] })
  expect(seconds).toBeCloseTo(4 + 3, 0)
})

test('a try that its officer marked while recording is out of the first cut, with the reason', async () => {
  const { samples, sentences } = austen
  const [first, , third] = sentences.map(({ span }) => span) as [[number, number], unknown, [number, number]]
  const name = join(folder, 'marked')
  await writeFile(`${name}.raw`, spliced(samples, [400, first, 900, third, 1200, third, 500]))
  const voice = `-f s16le -ar 16000 -ac 1 -i ${name}.raw -map 0 -map 1`
  const file = await makeTake('marked.mp4', `-f lavfi -i testsrc=s=180x320:r=30:d=12.98 ${voice}`)
  // The script has the sentence twice: from the words alone both are meant.
  const script = [0, 2, 2].map((i) => sentences[i]!.script).join(' ')
  const mark = { ms: 400 + first[1] - first[0] + 900 + third[1] - third[0] + 600, word: 8 }
  const plain = (await firstCutOf(file, script)).recipe as Recipe
  expect(heard(plain)).toBe(script)
  const marked = (await firstCutOf(file, script, {}, { again: [mark], shown: [] })).recipe as Recipe
  expect(heard(marked)).toBe([0, 2].map((i) => sentences[i]!.script).join(' '))
  expect(marked.removed.find(({ reason }) => reason === 'broken-off')).toMatchObject({
    why: 'The officer pressed “Again from here” after: “He might even have been made amiable himself.”.',
    on: true,
  })
})

test('a sentence that its officer said anew after the take is played in its place in the first cut', async () => {
  const { samples, sentences } = austen
  const spans = sentences.map(({ span }) => span) as [[number, number], [number, number], [number, number]]
  const take = async (name: string, said: readonly (number | [number, number])[]) => {
    await writeFile(join(folder, `${name}.raw`), spliced(samples, [...said]))
    const ms = said.reduce<number>((sum, one) => sum + (typeof one === 'number' ? one : one[1] - one[0]), 0)
    const voice = `-f s16le -ar 16000 -ac 1 -i ${join(folder, name)}.raw -map 0 -map 1`
    return makeTake(`${name}.mp4`, `-f lavfi -i testsrc=s=180x320:r=30:d=${ms / 1000} ${voice}`)
  }
  const whole = await take('whole', [400, spans[0], 900, spans[2], 500])
  const anew = await take('anew', [300, spans[0], 400])
  const [first, last] = [sentences[0]!.script, sentences[2]!.script]
  const { recipe } = await firstCutOf(whole, `${first} ${last}`, {}, null, {
    path: anew,
    log: { again: [], shown: [], sentence: first },
  })
  const cut = recipe as Recipe
  const said = (source: string, sentence: string) => sentence.split(' ').map((text) => `${source} ${text}`)
  expect(spokenWords(cut).map(({ word }) => `${word.source} ${word.text}`)).toEqual([
    ...said('s2', first),
    ...said('s1', last),
  ])
  expect(cut.removed.find(({ reason }) => reason === 'broken-off')!.why).toMatch(/^The officer said this sentence anew/)
})

test('words for which the time does not last are estimated, and a script of another video is left aside', async () => {
  const file = await makeTake('in-time.mp4', `-f lavfi -i testsrc=s=180x320:r=30:d=11 -i @ -map 0 -map 1`)
  const late = await firstCutOf(file, kennedy.script, { listeningMs: 0 })
  expect(late).toMatchObject({ state: 'ready', transcript: { means: 'shared-out' } })
  expect(late.transcript?.notes[0]).toContain('finding them took too long')
  expect(heard(late.recipe as Recipe)).toBe(kennedy.script)

  // Its beginning is heard, and would be found.
  const other = await firstCutOf(file, `${kennedy.script} ${'a '.repeat(2400)}`)
  expect(other).toMatchObject({ state: 'ready', recipe: { words: [] } })
  expect(other.transcript?.notes[0]).toMatch(/^This script has 24\d\d words, and no more than 255/)
})

test('a first cut balances a dark take, and has the look of the last approved video in the style asked for', async () => {
  const dark = '-f lavfi -i testsrc=s=180x320:r=30:d=4,format=yuv420p,lutyuv=y=val*0.5+8'
  const file = await makeTake('dark.mp4', `${dark} -f lavfi -i anullsrc -t 4`)
  const { recipe } = await cutAndRendered(file, '')
  expect(recipe.sources[0]!.balance).toMatchObject({ by: 'rule', on: true })
  expect(recipe.sources[0]!.balance!.gain).toBeGreaterThan(1.2)
  expect(recipe.sources[0]!.balance!.why).toContain('dark')

  const colour = { brightness: 0, contrast: 0.3, saturation: 0, warmth: 0.2 }
  const close = { ...recipe.close!, lengthMs: 5000, call: 'Book a call.' }
  const captions = { ...recipe.captions, position: 0.6, colour: '#00aa88' }
  const styled = { ...recipe, colour, close, captions: { ...captions, style: 4 } }
  const approve = (who: Person) =>
    service.database.asSystem((tx) =>
      tx.count(sql`
        with made as (
          update render set recipe = ${JSON.stringify(styled)}
          where id = (select id from render where state = 'done' order by asked_at desc limit 1)
          returning project_id, tenant_id, asset_id)
        insert into project_cut (project_id, number, user_id, tenant_id, asset_id, editor_id, sent_at, verdict)
        select project_id, 1, ${who.id}, tenant_id, asset_id, ${editor.id}, now(), 'approved' from made`),
    )
  const plain = await firstCutOf(file, '')
  expect(await approve(officer)).toBe(1)
  const next = await firstCutOf(file, '')
  const made = next.recipe as Recipe
  expect(made).toMatchObject({ colour, close: { lengthMs: 5000, call: 'Book a call.' } })
  // Another style was asked for: what was set for the other one is left out.
  expect(made.captions).toEqual({ ...(plain.recipe as Recipe).captions, colour: '#00aa88' })
  expect(next.transcript?.notes).toContain(
    'Captions, cards, colors and moves are as in the last approved video of this officer. Undo what does not fit.',
  )
  expect(plain.recipe).toMatchObject({ colour: { contrast: 0 } })
})

test('a first cut puts the frame on the person who stands off the middle, and leaves a house tour as it is', async () => {
  const wide = { seconds: 2, width: 640, height: 360, hue: 90 }
  const [beside, tour] = [join(folder, 'beside.mp4'), join(folder, 'house.mp4')]
  await makeClip({ ...wide, out: beside, people: [{ x: 0.8 }] })
  await makeClip({ ...wide, out: tour, people: [] })
  const { recipe } = await cutAndRendered(beside, '', { isRendered: isLong })
  expect(recipe.focus).toEqual([expect.objectContaining({ source: 's1', start: 0, end: 2000, by: 'rule', on: true })])
  expect(Math.abs(recipe.focus![0]!.at.x - 0.8)).toBeLessThan(0.03)
  expect(personUnsure(recipe)).toEqual([])
  expect((await firstCutOf(tour, '')).recipe).not.toHaveProperty('focus')
})

/** The edit of a video that was submitted with this script, after its first cut. */
const firstCutOf = async (
  path: string,
  script: string,
  options: { listeningMs?: number } = {},
  noted: TakeLog | null = null,
  also?: { path: string; log: TakeLog },
) => {
  const assets: string[] = []
  for (const [file, log] of [[path, noted] as const, ...(also ? [[also.path, also.log] as const] : [])]) {
    const source = await readyFile(service, officer, file)
    await service.database.asSystem((tx) =>
      tx.count(sql`update asset set take_log = ${log && JSON.stringify(log)}::jsonb where id = ${source}`),
    )
    assets.push(source)
  }
  const body = { title: 'A take', assets, captionSuggestion: script }
  const { id } = await callAs(service, officer)(projects.create, { body })
  await prepareFirstCut(context(), id, options)
  return callAs(service, editor)(edits.find, { params: { projectId: id } })
}

const context = () => ({
  database: service.database,
  log,
  signal: new AbortController().signal,
  attempt: 1,
  lastAttempt: true,
})

/** ffmpeg's inputs and what is taken of them; `@` is the recording of a human voice, eleven seconds long. */
const makeTake = async (name: string, what: string): Promise<string> => {
  const out = join(folder, name)
  const coded = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac'
  const args = `-v error -y ${what} ${coded}`.split(' ').map((word) => (word === '@' ? kennedy.file : word))
  await promisify(execFile)('ffmpeg', [...args, out])
  return out
}

/** The way of every take: sent in, cut by the rules, and rendered as it is. Throws where a step says that it failed. */
const cutAndRendered = async (
  path: string,
  script: string,
  { isRendered = true } = {},
): Promise<{ recipe: Recipe; seconds: number }> => {
  const source = await readyFile(service, officer, path)
  const body = { title: 'A take', assets: [source], captionSuggestion: script }
  const { id } = await callAs(service, officer)(projects.create, { body })
  const params = { projectId: id }
  await prepareFirstCut(context(), id)
  const project = await callAs(service, editor)(projects.start, { body: params })
  const edit = await callAs(service, editor)(edits.find, { params })
  if (edit.state !== 'ready') throw new Error(`The first cut is ${edit.state}: ${edit.reason}`)
  const recipe = edit.recipe as Recipe
  if (!isRendered) return { recipe, seconds: timelineOf(recipe).frames / 30 }
  // Small is enough here, and quick.
  const small = { ...recipe, output: { ...recipe.output, shortSide: 180 } }
  const { revision } = await callAs(service, editor)(edits.save, {
    params,
    body: { revision: edit.revision, recipe: small },
  })
  const render = await callAs(service, editor)(edits.render, { params, body: { revision } })
  await makeRender(context(), render.id)
  const [done] = (await callAs(service, editor)(edits.renders, { params: { projectId: project.id } })).items
  if (done?.state !== 'done') throw new Error(`The render is ${done?.state}: ${done?.reason}`)
  const seconds = await lengthOf(done.asset!.assetId)
  expect(seconds).toBeCloseTo(timelineOf(recipe).frames / 30, 1)
  return { recipe, seconds }
}

/** Seconds of the file that was made. */
const lengthOf = async (assetId: string): Promise<number> => {
  const { stdout } = await promisify(execFile)('ffprobe', [
    ...'-v error -show_entries format=duration -of csv=p=0'.split(' '),
    join(service.config.dataDir, 'media', 'quarantine', assetId),
  ])
  return Number(stdout)
}

/** What is said in the video. */
const heard = ({ words, removed }: Recipe): string =>
  words
    .filter(({ start, end }) => !removed.some((one) => one.on && one.start < end && one.end > start))
    .map(({ text }) => text)
    .join(' ')
