import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { clips } from '@clear-to-post/contract/clips'
import { edits } from '@clear-to-post/contract/edits'
import { readRecipe } from '@clear-to-post/edit/read-recipe'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { timelineOf } from '@clear-to-post/edit/timeline'
import { makeClip } from '@clear-to-post/media/make-clip'
import { seeded } from '../server/test/random.ts'
import { callAs, claim, product, signIn, submit, tokenOf, tune, upload, url } from './people.ts'
import { firstCut } from './workbench.ts'

const ffmpeg = process.env.FFMPEG_PATH ?? 'ffmpeg'
const minutes = (process.env.BENCH_TAKES ?? '2,15').split(',').map(Number)
const playMinutes = Number(process.env.BENCH_MINUTES ?? 10)
/** A folder: where each page's trace is written, for the browser's own tools (the "Performance" panel reads it). */
const trace = process.env.BENCH_TRACE
const categories = ['devtools.timeline', 'disabled-by-default-v8.cpu_profiler', 'toplevel', 'v8.execute']
/** How often the ruler is pressed. */
const presses = Number(process.env.BENCH_PRESSES ?? 60)

/** `npm run bench:preview`: figures, not a verdict. The preview of an edit with every kind of layer, beside the recording alone. */
test('the preview is measured beside a plain video element that plays the recording', async ({ browser }, info) => {
  test.skip(process.env.BENCH !== 'preview' || info.project.name === 'phone', 'npm run bench:preview')
  test.setTimeout(4 * 3_600_000)
  const [officer, admin] = [await tokenOf('officer'), await tokenOf('admin')]
  const drawn = join(product().dataDir, 'drawn.mp4')
  await makeClip({ out: drawn, seconds: 20, width: 720, height: 1280, hue: 150 })
  const library = await callAs('admin')
  const clip = await upload(admin, drawn)
  await library(clips.add, { body: { assetId: clip, title: 'A clip', tags: [] } })
  const { length } = cpus()
  console.log(`${length} cores, load ${loadavg()[0]!.toFixed(1)}; ${playMinutes} minutes of play for each take`)
  console.log(
    '| take | played by | frames late | scrub p50 / p95 | long tasks a minute | work of the page a second | script memory, first to last minute | browser memory |',
  )
  console.log('|---|---|---|---|---|---|---|---|')
  for (const long of minutes) {
    const take = join(product().dataDir, `take-${long}.mp4`)
    const times = String(long * 3 - 1)
    execFileSync(ffmpeg, ['-v', 'error', '-stream_loop', times, '-i', drawn, '-c', 'copy', '-y', take])
    const [sent, song] = [await upload(officer, take), await upload(officer, await tune())]
    const projectId = await submit(`${long} minutes`, sent, song)
    await claim(projectId)
    const { recipe: made, revision } = await firstCut(projectId)
    const recipe = edited(made, { clip, song, logo: made.brand.logo ?? null })
    expect(readRecipe(recipe).problems).toBeUndefined()
    const editor = await callAs('editor')
    const at = { params: { projectId } }
    await editor(edits.save, { ...at, body: { revision, recipe: recipe as never } })
    const { frames } = timelineOf(recipe)
    for (const what of ['preview', 'plain'] as const) {
      const page = await signIn(browser, 'editor', { viewport: { width: 1440, height: 900 } })
      await measuring(page)
      if (what === 'preview') await openPreview(page, projectId)
      else await openPlain(page, take)
      if (trace) await browser.startTracing(page, { path: join(trace, `${long}-${what}.json`), categories })
      const figures = await measured(page, what, what === 'preview' ? frames / 30 : long * 60)
      if (trace) await browser.stopTracing()
      console.log(`| ${long} min | ${what === 'plain' ? 'a plain video' : 'the preview'} | ${figures} |`)
      await page.context().close()
    }
  }
})

/** Cuts every few seconds, a crossfade, moves, B-roll, titles, captions, colour and music, all over the take. */
const edited = (made: Recipe, { clip, song, logo }: { clip: string; song: string; logo: string | null }): Recipe => {
  const random = seeded(1)
  const [source] = made.sources
  const { id, durationMs } = source!
  const decided = { by: 'person' as const, why: '', on: true }
  const starts = Array.from({ length: Math.floor(durationMs / 12_000) }, (_, i) => i * 12_000)
  const span = (start: number, from: number, long: number) => ({
    source: id,
    start: start + from,
    end: start + from + long,
  })
  const texts = 'Rates moved again this week and that is good news for you'.split(' ')
  return {
    ...made,
    sources: [source!],
    keep: [{ id: 'k', source: id, start: 0, end: durationMs }],
    removed: starts.flatMap((start, i) => [
      { ...span(start, 3000, 400), ...decided, id: `r${i}`, reason: 'by-hand' as const },
      { ...span(start, 8000, 300), ...decided, id: `s${i}`, reason: 'by-hand' as const },
    ]),
    words: starts.flatMap((start, i) =>
      Array.from({ length: 28 }, (_, n) => ({
        ...span(start, 100 + n * 400, 300),
        id: `w${i}-${n}`,
        text: random.one(texts),
        confidence: 0.95,
        origin: 'typed' as const,
      })),
    ),
    unsaid: [],
    joints: starts.map((start, i) => ({
      id: `j${i}`,
      source: id,
      at: start + 8000,
      kind: 'crossfade' as const,
      lengthMs: 300,
    })),
    moves: starts.flatMap((start, i) => [
      { ...span(start, 500, 2000), ...decided, id: `m${i}`, kind: 'punch-in' as const, scale: 1.2, focus: null },
      { ...span(start, 4000, 3500), ...decided, id: `n${i}`, kind: 'push' as const, scale: 1.15, focus: null },
    ]),
    layers: [
      ...starts.flatMap((start, i): Recipe['layers'] => [
        {
          id: `b${i}`,
          kind: 'b-roll',
          assetId: clip,
          span: span(start, 9000, 2000),
          on: true,
          fromMs: 500,
          focus: { x: 0.5, y: 0.5 },
        },
        {
          id: `t${i}`,
          kind: 'lower-third',
          span: span(start, 1000, 2000),
          on: true,
          title: 'Ada Ray',
          line: 'Loan officer',
          place: 'bottom-left',
        },
      ]),
      ...(logo
        ? [
            {
              id: 'l',
              kind: 'logo' as const,
              assetId: logo,
              span: null,
              on: true,
              place: 'top-right' as const,
              size: 0.15,
            },
          ]
        : []),
    ],
    colour: { brightness: 0.1, contrast: 0.1, saturation: 0.1, warmth: 0.1 },
    open: null,
    close: null,
    sound: { ...made.sound, music: { assetId: song, gain: -18, duck: 6, fadeOutMs: 500 } },
    output: { shortSide: 720, fps: { num: 30, den: 1 } },
  }
}

/** Counts what a page shows, before it is opened. */
const measuring = (page: Page) =>
  page.addInitScript(() => {
    const seen = { frames: 0, long: 0, pressed: 0, shown: [] as { at: number; media: number }[] }
    Object.assign(window, { seen })
    new PerformanceObserver((list) => (seen.long += list.getEntries().length)).observe({ entryTypes: ['longtask'] })
    const watched = new WeakMap<HTMLVideoElement, number>()
    const watch = (video: HTMLVideoElement) => {
      if (watched.has(video)) return
      watched.set(video, 0)
      const each: VideoFrameRequestCallback = (now, { presentedFrames, mediaTime }) => {
        if (video.getAttribute('aria-hidden') !== 'true') {
          if (!video.paused) seen.frames += Math.min(10, presentedFrames - watched.get(video)!)
          // The other deck waits, all but unseen, at what comes next: its picture is none that a person has waited for.
          if (Number(video.style.opacity || 1) > 0.5) seen.shown.push({ at: now, media: mediaTime })
        }
        watched.set(video, presentedFrames)
        video.requestVideoFrameCallback(each)
      }
      video.requestVideoFrameCallback(each)
    }
    const all = () =>
      document.querySelectorAll<HTMLVideoElement>('.bench-frame video:not(.pointer-events-none), .plain').forEach(watch)
    window.addEventListener('DOMContentLoaded', () => {
      all()
      new MutationObserver(all).observe(document.documentElement, { childList: true, subtree: true })
    })
    window.addEventListener('pointerdown', ({ timeStamp }) => (seen.pressed = timeStamp), true)
  })

const openPreview = async (page: Page, projectId: string) => {
  await page.goto(url(`/panel/projects/${projectId}/edit`))
  await expect(page.locator('.bench-frame img[src*="poster"]')).toHaveCount(0)
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
}

/** The recording in a video element about as large as the workbench's, with a bar that is pressed as its ruler is. */
const openPlain = async (page: Page, file: string) => {
  await page.route('**/plain.html', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<video class="plain" src="/recording.mp4" preload="auto" style="height:420px"></video>
        <div class="player-ruler" style="height:60px;background:#ccc"></div>`,
    }),
  )
  const data = readFileSync(file)
  await page.route('**/recording.mp4', (route) => {
    const [, from = '0', to = ''] = /bytes=(\d+)-(\d*)/.exec(route.request().headers().range ?? '') ?? []
    // Two megabytes at most, whatever is asked for: the browser asks for the rest when it needs it.
    const first = Number(from)
    const last = Math.min(data.length - 1, to === '' ? Infinity : Number(to), first + 2 * 2 ** 20)
    return route.fulfill({
      status: 206,
      contentType: 'video/mp4',
      headers: { 'accept-ranges': 'bytes', 'content-range': `bytes ${first}-${last}/${data.length}` },
      body: data.subarray(first, last + 1),
    })
  })
  await page.goto(url('/plain.html'))
  await page.evaluate(() => {
    const video = document.querySelector('video')!
    document.querySelector('.player-ruler')!.addEventListener('pointerdown', (event) => {
      const { left, width } = (event.target as Element).getBoundingClientRect()
      video.currentTime = (((event as PointerEvent).clientX - left) / width) * video.duration
    })
  })
  await expect.poll(() => page.evaluate(() => document.querySelector('video')!.readyState)).toBeGreaterThan(3)
}

type Seen = { frames: number; long: number; pressed: number; shown: { at: number; media: number }[] }
const seen = (page: Page) => page.evaluate(() => (window as never as { seen: Seen }).seen)

const measured = async (page: Page, what: 'preview' | 'plain', seconds: number): Promise<string> => {
  const waits: number[] = []
  const random = seeded(2)
  for (let i = 0; i < presses; i++) {
    const { x, y, width } = (await page.locator('.player-ruler').boundingBox())!
    await page.evaluate(() => ((window as never as { seen: Seen }).seen.shown.length = 0))
    await page.mouse.click(x + width * (0.02 + 0.9 * random.next()), y + 30)
    await expect.poll(async () => (await seen(page)).shown.length, { intervals: [20] }).toBeGreaterThan(0)
    // What comes a little later is the place that was asked for where a first picture was still of the seek before.
    await page.waitForTimeout(250)
    const { pressed, shown } = await seen(page)
    waits.push(Math.max(0, shown.at(-1)!.at - pressed))
  }
  waits.sort((a, b) => a - b)
  const cdp = await page.context().newCDPSession(page)
  const heap = async () => {
    await cdp.send('HeapProfiler.collectGarbage')
    const { usedSize } = await cdp.send('Runtime.getHeapUsage')
    return usedSize / 2 ** 20
  }
  await page.evaluate(() => Object.assign((window as never as { seen: Seen }).seen, { frames: 0, long: 0 }))
  // What the page's own thread works, whatever else the machine does; a long task may only have waited for a core.
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  const worked = async () =>
    (await cdp.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
  const workedBefore = await worked()
  let [played, left] = [0, playMinutes * 60]
  const memory: number[] = []
  const resident: number[] = []
  while (left > 1) {
    const turn = Math.min(left, seconds - 1, 60)
    await page.evaluate(
      async ({ turn, seconds, what }) => {
        const plain = document.querySelector<HTMLVideoElement>('.plain')
        const ruler = document.querySelector('[role="slider"].player-slider')
        const press = (key: string) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
        // From where it stands, or from the start where there is too little left.
        const stands = plain ? plain.currentTime : Number(ruler!.getAttribute('aria-valuenow'))
        if (stands + turn > seconds - 0.5) {
          if (plain) plain.currentTime = 0
          else press('Home')
        }
        const toggle = () => (what === 'preview' ? press(' ') : plain!.paused ? void plain!.play() : plain!.pause())
        toggle()
        await new Promise((done) => setTimeout(done, turn * 1000))
        toggle()
      },
      { turn, seconds, what },
    )
    played += turn
    left -= turn
    memory.push(await heap())
    resident.push(residentMegabytes())
  }
  const work = await worked()
  const { frames, long } = await seen(page)
  const late = Math.max(0, 1 - frames / (played * 30))
  const at = (part: number) => waits[Math.floor(part * (waits.length - 1))]!.toFixed(0)
  return [
    `${(100 * late).toFixed(1)} %`,
    `${at(0.5)} / ${at(0.95)} ms`,
    ((long / played) * 60).toFixed(1),
    `${((1000 * (work - workedBefore)) / played).toFixed(0)} ms`,
    `${memory[0]!.toFixed(0)} → ${memory.at(-1)!.toFixed(0)} MB`,
    `${resident[0]!.toFixed(0)} → ${resident.at(-1)!.toFixed(0)} MB`,
  ].join(' | ')
}

/** Of the browser's processes that hold pages and pictures. */
const residentMegabytes = (): number =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && existsSync(`/proc/${name}/cmdline`))
    .flatMap((name) => {
      try {
        const isOurs = /chromium.*--type=(renderer|gpu-process)/.test(readFileSync(`/proc/${name}/cmdline`, 'utf8'))
        const [, kilobytes = '0'] = /^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8')) ?? []
        return isOurs ? [Number(kilobytes) / 1024] : []
      } catch {
        return []
      }
    })
    .reduce((sum, one) => sum + one, 0)
