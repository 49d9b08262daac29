import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test, type Page, type TestInfo } from '@playwright/test'
import { loadImage } from '@napi-rs/canvas'
import { clips } from '@clear-to-post/contract/clips'
import { edits } from '@clear-to-post/contract/edits'
import { heldSources } from '@clear-to-post/edit/commands/steady'
import { readRecipe } from '@clear-to-post/edit/read-recipe'
import { sizeOf, type Recipe } from '@clear-to-post/edit/recipe'
import { segmentsOf, shownAt, timelineOf, windowsOf, type Timeline } from '@clear-to-post/edit/timeline'
import { makeClip } from '@clear-to-post/media/make-clip'
import { ssim } from '../media/test/ssim.ts'
import { canvasTools } from '../server/src/outside/canvas.ts'
import { isLong, seeded, seedOfRun } from '../server/test/random.ts'
import { callAs, claim, product, signIn, submit, tokenOf, upload, url } from './people.ts'
import {
  heardFrom,
  highTune,
  recordSound,
  soundOf,
  toneBeside,
  voiceBeside,
  withTone,
  type Heard,
  type Stretch,
} from './preview-sound.ts'
import { randomRecipe } from './random-recipe.ts'
import { finishedFile, firstCut } from './workbench.ts'

const ffmpeg = process.env.FFMPEG_PATH ?? 'ffmpeg'

/**
 * How alike a picture of the preview and that frame of the finished file are, at least. The two encodings of one picture alone
 * are 0.99 alike, another frame of the same recording 0.9 and less by its light. Of colour the file keeps every second dot, and
 * in a push that lies up to one dot beside the light (decision 435).
 */
const least = { light: 0.98, colour: 0.96 }

/** Each in turn; the first one is what most videos are. */
const shapes = ['9:16', '1:1', '16:9'] as const

/**
 * The whole preview as the browser shows and plays it, beside the finished file: its frames at the ends and in the middle of
 * everything that is seen, and its sound from start to end. `npm run prove -- preview` asks it of more recipes,
 * RECIPES=… of so many.
 */
test('the preview shows and plays what is rendered, with every kind of layer', async ({ browser }, info) => {
  test.skip(info.project.name === 'phone', 'Once is enough.')
  const recipes = isLong ? Number(process.env.RECIPES ?? 12) : 1
  test.setTimeout(recipes * 420_000)
  // Turned, cropped, faster and with a beat, and a voice whose loudness can be compared.
  const seed = isLong ? seedOfRun() : 3
  const [officer, admin] = [await tokenOf('officer'), await tokenOf('admin')]
  const [first, second, third] = await drawnTakes()
  const still = stillOf(first)
  const [logo, song] = [
    await upload(officer, still),
    await upload(officer, highTune(join(product().dataDir, 'high.mp3'))),
  ]
  const takes = [await upload(officer, first), await upload(officer, second)]
  const projectId = await submit('Random', takes[0]!, takes[1]!, logo, song)
  await claim(projectId)
  const { recipe: made } = await firstCut(projectId)
  const clip = await upload(admin, withTone(third))
  const library = await callAs('admin')
  const ownStill = await upload(admin, still)
  const added = [
    await library(clips.add, { body: { assetId: clip, title: 'A clip', tags: [] } }),
    await library(clips.add, { body: { assetId: ownStill, title: 'A still', tags: [] } }),
  ]
  const editor = await callAs('editor')
  const at = { params: { projectId } }
  const page = await signIn(browser, 'editor', {
    // An upright picture has room beside all the tracks there are.
    viewport: { width: 1440, height: 1700 },
    reducedMotion: 'reduce',
    bypassCSP: true,
  })
  await recordSound(page)
  const low: string[] = []
  for (let i = 0; i < recipes; i++) {
    const random = seeded(seed + i)
    const drawn = randomRecipe(random, made, { clip, still: ownStill, logo, song }, shapes[i % shapes.length])
    const { output } = drawn
    // Smaller pictures show the same, and take half the time.
    const recipe = isLong ? drawn : { ...drawn, output: { ...output, shortSide: Math.min(480, output.shortSide) } }
    expect(readRecipe(recipe).problems, `seed ${seed + i}`).toBeUndefined()
    const { revision } = await editor(edits.find, at)
    const saved = await editor(edits.save, { ...at, body: { revision, recipe: recipe as never } })
    await editor(edits.render, { ...at, body: { revision: saved.revision } })
    if (heldSources(recipe).length > 0) {
      // A worker measures how the takes were shaken before it makes anything.
      const measured = async () => (await editor(edits.ahead, at)).shakes.map(({ assetId }) => assetId)
      await expect.poll(measured, { timeout: 120_000 }).toEqual(expect.arrayContaining(takesOf(recipe)))
    }
    const timeline = timelineOf(recipe)
    const samples = samplesOf(recipe, timeline)
    const shown = await previewed(page, projectId, recipe, timeline, samples)
    const file = await finishedFile(projectId, saved.revision, join(product().dataDir, `preview-${i}.mp4`))
    const size = seenSize(recipe)
    const rendered = framesOf(file, samples, size)
    if (recipe.sound.clean) {
      // A worker measures it once no render is under way; the page is told with the rest of what is made ahead.
      const measured = async () => (await editor(edits.ahead, at)).cleaned.map(({ assetId }) => assetId)
      await expect.poll(measured, { timeout: 120_000 }).toEqual(expect.arrayContaining(takesOf(recipe)))
      await page.reload()
      await expect(page.locator('.bench-frame img[src*="poster"]')).toHaveCount(0)
    }
    const sound = await soundOfPreview(page, timeline, soundOf(file), recipe.sound.clean ?? false)
    low.push(...sound.aside.map((what) => `seed ${seed + i}: ${what}`))
    const lowest = { light: 1, colour: 1, where: '' }
    for (const [n, sample] of samples.entries()) {
      const alike = ssim(shown[n]!, rendered[n]!, size)
      if (alike.light < lowest.light) lowest.where = `, ${sample.what} at frame ${sample.frame}`
      lowest.light = Math.min(lowest.light, alike.light)
      lowest.colour = Math.min(lowest.colour, alike.colour)
      if (alike.light >= least.light && alike.colour >= least.colour) continue
      low.push(`seed ${seed + i}: ${said(alike)} at frame ${sample.frame} of ${timeline.frames}, ${sample.what}`)
      await attach(info, `${seed + i}-${sample.frame}-preview`, shown[n]!, size)
      await attach(info, `${seed + i}-${sample.frame}-finished`, rendered[n]!, size)
    }
    console.log(
      `Seed ${seed + i}: ${samples.length} frames, the least alike ${said(lowest)}${lowest.where}; ${sound.said}`,
    )
  }
  for (const { id } of added) await library(clips.change, { params: { clipId: id }, body: { isRemoved: true } })
  expect(low).toEqual([])
  await page.context().close()
})

const said = ({ light, colour }: { light: number; colour: number }) =>
  `${light.toFixed(4)} (colour ${colour.toFixed(4)})`

/** The recordings of which a recipe keeps something. */
const takesOf = ({ sources, keep }: Recipe): string[] =>
  sources.flatMap(({ id, assetId }) => (keep.some(({ source }) => source === id) ? assetId : []))

/**
 * What of a preview's sound is not as in the file. It is played again, three times at the most, while something is: a browser
 * whose machine is taken away for a moment lets the picture wait and the music go on, and a fault of ours is heard each time.
 */
const soundOfPreview = async (page: Page, { frames }: Timeline, file: Float32Array, isCleaned: boolean) => {
  for (let time = 1; ; time++) {
    const sound = soundAside(await heardFrom(page, frames / 30), file, isCleaned)
    if (sound.aside.length === 0 || time === 3) return sound
    console.log(`Played again: ${sound.aside.join('; ')}`)
  }
}

/**
 * What of a preview's sound is not as in the file: the voice more than a frame beside the picture, or the music or B-roll a
 * frame and a half; a passage, the music or B-roll more decibels louder or quieter than there. Of a cleaned voice all passages
 * together are asked for: the preview learns its noise anew after each start (decision 459).
 */
const soundAside = (heard: Heard, file: Float32Array, isCleaned: boolean): { said: string; aside: string[] } => {
  const voice = voiceBeside(heard, file).filter(({ late }) => late !== null)
  const music = toneBeside(heard, file, 'music')
  const clip = toneBeside(heard, file, 'clip')
  const known = (one: (typeof music)[number]): one is (typeof music)[number] & { late: number } => one.late !== null
  const [moments, clipMoments] = [music.filter(known), clip.filter(known)]
  const most = (numbers: number[]) => Math.max(0, ...numbers.map(Math.abs))
  const span = ({ from, to }: { from: number; to: number }) => `from ${from.toFixed(2)} to ${to.toFixed(2)} s`
  const late = (one: { late: number | null }) => `${(1000 * one.late!).toFixed(0)} ms late`
  return {
    said:
      `voice ${(1000 * most(voice.map((one) => one.late!))).toFixed(0)} ms and ` +
      `${most(voice.map(({ louder }) => louder)).toFixed(1)} dB, ` +
      `music ${(1000 * most(moments.map((one) => one.late))).toFixed(0)} ms and ` +
      `${most(music.map(({ louder }) => louder)).toFixed(1)} dB, ` +
      (clip.length === 0
        ? 'no B-roll'
        : `B-roll ${(1000 * most(clipMoments.map((one) => one.late))).toFixed(0)} ms and ` +
          `${most(clip.map(({ louder }) => louder)).toFixed(1)} dB`) +
      (isCleaned ? ', cleaned' : ''),
    aside: [
      ...(voice.length === 0 ? ['nobody was heard'] : []),
      ...(music.length === 0 ? ['no music was heard'] : []),
      ...voice
        .filter((one) => Math.abs(one.late!) > 1 / 30 || one.alike < 0.5)
        .map((one) => `${span(one)} the voice comes ${late(one)}, ${one.alike.toFixed(2)} alike`),
      ...moments
        .filter((one) => Math.abs(one.late) > 1.5 / 30)
        .map((one) => `${span(one)} the music comes ${late(one)}`),
      ...clipMoments
        .filter((one) => Math.abs(one.late) > 1.5 / 30)
        .map((one) => `${span(one)} B-roll is heard ${late(one)}`),
      ...(isCleaned ? asOne(voice) : voice)
        .filter(({ louder }) => Math.abs(louder) > (isCleaned ? decibels.cleaned : decibels.voice))
        .map((one) => `${span(one)} the voice is ${one.louder.toFixed(1)} dB louder`),
      ...music
        .filter(({ louder }) => Math.abs(louder) > decibels.music)
        .map((one) => `${span(one)} the music is ${one.louder.toFixed(1)} dB louder`),
      ...clip
        .filter(({ louder }) => Math.abs(louder) > decibels.music)
        .map((one) => `${span(one)} B-roll is ${one.louder.toFixed(1)} dB louder`),
    ],
  }
}

/** What nobody hears as another loudness; the file's limiter takes of the music, too, where the voice is loud. */
const decibels = { voice: 1, cleaned: 2, music: 2 }

/** All stretches as one, as loud as the middle one of them. */
const asOne = (voice: readonly Stretch[]): Stretch[] =>
  voice.toSorted((a, b) => a.louder - b.louder).slice(voice.length >> 1, (voice.length >> 1) + 1)

/** A picture of a recording's first moment, as people have pictures. */
const stillOf = (take: string): string => {
  const file = join(product().dataDir, 'still.jpg')
  execFileSync(ffmpeg, [
    '-v',
    'error',
    '-i',
    take,
    '-vf',
    'crop=540:720,scale=iw/2:-2',
    '-frames:v',
    '1',
    '-q:v',
    '2',
    '-y',
    file,
  ])
  return file
}

/** Three recordings as the demo draws them, whatever the journeys before have sent in. */
const drawnTakes = async (): Promise<[string, string, string]> => {
  const takes = [150, 265, 18].map((hue) => ({ hue, out: join(product().dataDir, `preview-take-${hue}.mp4`) }))
  for (const { hue, out } of takes) await makeClip({ out, seconds: 5, width: 720, height: 1280, hue })
  const [first, second, third] = takes.map(({ out }) => out) as [string, string, string]
  return [shaken(first), second, third]
}

/** The same as a trembling hand would film it. */
const shaken = (take: string): string => {
  const file = take.replace('.mp4', '-shaken.mp4')
  const turned = "scale=792:1408,rotate=a='0.008*sin(n*1.3)':ow=iw:oh=ih"
  const moved = "crop=720:1280:x='36+9*sin(n*1.7)':y='64+11*cos(n*1.1)':exact=1"
  const video = ['-vf', `${turned},${moved}`, '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '16', '-g', '30']
  execFileSync(ffmpeg, ['-v', 'error', '-i', take, ...video, '-pix_fmt', 'yuv420p', '-c:a', 'copy', '-y', file])
  return file
}

/** Half as large as the file, nearer to what an editor sees: of its colours a file keeps every second dot alone. */
const seenSize = (recipe: Recipe) => {
  const { width, height } = sizeOf(recipe)
  return { width: width / 2, height: height / 2 }
}

type Sample = { frame: number; what: string }

/** The first, middle and last frame of each layer, and of each stretch that is shown at once. */
const samplesOf = (recipe: Recipe, timeline: Timeline): Sample[] => {
  const segments = segmentsOf(recipe)
  const samples = new Map<number, string>()
  const add = (from: number, to: number, what: string) => {
    for (const frame of [from, Math.floor((from + to) / 2), to - 1]) if (!samples.has(frame)) samples.set(frame, what)
  }
  for (const { kind, span } of recipe.layers)
    if (span) for (const { from, to } of windowsOf(timeline, span)) add(from, to, kind)
  for (const { at, frames, kind } of segments) add(at, at + frames, kind)
  // Two clips that meet are seen together after the later one's first frame.
  for (const { at, overlays } of segments)
    for (const { cover } of overlays)
      if (cover && cover.under > 0 && at <= cover.whole.to) add(cover.whole.to, cover.whole.to + cover.under, 'meeting')
  return [...samples].map(([frame, what]) => ({ frame, what })).toSorted((a, b) => a.frame - b.frame)
}

/** What the workbench shows at those frames: red, green and blue in a row, in the size of the finished picture. */
const previewed = async (
  page: Page,
  projectId: string,
  recipe: Recipe,
  timeline: Timeline,
  samples: readonly Sample[],
): Promise<Buffer[]> => {
  const held = new Set(heldSources(recipe).map((id) => recipe.sources.find((source) => source.id === id)!.assetId))
  // Each recording that is held steady is asked how it was shaken.
  let asked = 0
  page.on('response', (response) => void (response.url().includes('/001/shake-') && asked++))
  await page.goto(url(`/panel/projects/${projectId}/edit`))
  await expect.poll(() => asked).toBeGreaterThanOrEqual(held.size)
  const frame = page.locator('.bench-frame')
  await expect(frame.locator('img[src*="poster"]')).toHaveCount(0)
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  const size = seenSize(recipe)
  // On whole points: it is not made smaller or larger to be compared.
  await frame.evaluate((element, { width, height }) => {
    for (const [name, value] of Object.entries({ width, height }))
      element.style.setProperty(name, `${value}px`, 'important')
    const { x, y } = element.getBoundingClientRect()
    Object.assign(element.style, { left: `${Math.ceil(x) - x}px`, top: `${Math.ceil(y) - y}px` })
  }, size)
  await standing(page)
  const { x, y } = (await frame.boundingBox())!
  const stage = (await page.locator('.bench-stage').boundingBox())!
  expect(y + size.height, 'the whole picture is seen').toBeLessThanOrEqual(stage.y + stage.height)
  const clip = { x: Math.round(x), y: Math.round(y), ...size }
  const ruler = page.getByRole('slider', { name: 'Time' })
  const pictures: Buffer[] = []
  for (const sample of samples) {
    const { x, y, width } = (await page.locator('.player-ruler').boundingBox())!
    await page.mouse.click(x + (width * (sample.frame + 0.5)) / timeline.frames, y + 30)
    const seconds = Number(await ruler.getAttribute('aria-valuenow'))
    expect(Math.abs(seconds - (sample.frame + 0.5) / 30), `${sample.frame} is where the line was pressed`).toBeLessThan(
      0.02,
    )
    await standing(page)
    const [playing] = shownAt(timeline, sample.frame)
    const standsAt = await page
      .locator('.bench-frame video:not(.pointer-events-none)')
      .evaluateAll((all: HTMLVideoElement[]) => all.map(({ currentTime }) => currentTime))
    // A recording's own sound is where its picture is.
    if (playing) {
      const away = standsAt.map((seconds) => Math.abs(seconds - (playing.frame + 0.5) / 30))
      expect(Math.min(...away), `seconds from the sound of frame ${sample.frame}`).toBeLessThan(1 / 30)
    }
    const { canvas } = await canvasTools()
    const { context } = canvas(size.width, size.height)
    context.drawImage(await loadImage(await settledPicture(page, clip)), 0, 0)
    const { data } = context.getImageData(0, 0, size.width, size.height)
    const rgb = Buffer.alloc(size.width * size.height * 3)
    for (let i = 0; i < size.width * size.height; i++) for (let c = 0; c < 3; c++) rgb[3 * i + c] = data[4 * i + c]!
    pictures.push(rgb)
  }
  return pictures
}

/** What is seen once it no longer changes: a video that comes into sight shows its moment a little later. */
const settledPicture = async (page: Page, clip: { x: number; y: number; width: number; height: number }) => {
  let [before, seen] = [await page.screenshot({ clip }), await page.screenshot({ clip })]
  while (!before.equals(seen)) [before, seen] = [seen, await page.screenshot({ clip })]
  return seen
}

/** Until every video shows the moment it was sent to. */
const standing = (page: Page) =>
  page.evaluate(async () => {
    const frames = async (count: number) => {
      for (let i = 0; i < count; i++) await new Promise((done) => requestAnimationFrame(done))
    }
    const isBusy = (video: HTMLVideoElement) => video.seeking || (video.currentSrc !== '' && video.readyState < 2)
    for (let calm = 0; calm < 4;) {
      await frames(2)
      calm = [...document.querySelectorAll<HTMLVideoElement>('.bench-frame video')].some(isBusy) ? 0 : calm + 1
    }
  })

const framesOf = (file: string, samples: readonly Sample[], { width, height }: { width: number; height: number }) => {
  const chosen = samples.map(({ frame }) => `eq(n\\,${frame})`).join('+')
  const filter = `select='${chosen}',scale=${width}:${height}:in_color_matrix=bt709:in_range=tv:out_range=pc:flags=area+accurate_rnd+full_chroma_int,format=rgb24`
  const args = ['-v', 'error', '-i', file, '-an', '-vf', filter, '-fps_mode', 'passthrough', '-f', 'rawvideo', '-']
  const all = execFileSync(ffmpeg, args, { maxBuffer: 2 ** 30 })
  const one = width * height * 3
  return samples.map((_, i) => all.subarray(i * one, (i + 1) * one))
}

const attach = async (
  info: TestInfo,
  name: string,
  rgb: Buffer,
  { width, height }: { width: number; height: number },
) => {
  const { canvas } = await canvasTools()
  const { canvas: sheet, context } = canvas(width, height)
  const data = context.getImageData(0, 0, width, height)
  for (let i = 0; i < width * height; i++)
    for (let c = 0; c < 4; c++) data.data[4 * i + c] = c === 3 ? 255 : rgb[3 * i + c]!
  context.putImageData(data, 0, 0)
  const body = sheet.toBuffer('image/png')
  await info.attach(name, { body, contentType: 'image/png' })
}
