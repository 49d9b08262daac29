import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { promisify } from 'node:util'
import { expect, test, type Page } from '@playwright/test'
import { assets } from '@clear-to-post/contract/assets'
import { isLong } from '../server/test/random.ts'
import { openWithCamera } from './camera.ts'
import { callAs, discardFiles, signIn, url } from './people.ts'

const run = promisify(execFile)

/** What recording costs its page, in figures; nothing is judged here, for the machine may be busy. */
test('a recording page says what recording costs its main thread, and how evenly its words move', async () => {
  const info = test.info()
  test.skip(info.project.name !== 'desktop' || !isLong, 'figures are asked for by npm run prove -- recording-speed')
  await discardFiles()
  const browser = await openWithCamera()
  const page = await signIn(browser, 'officer', { viewport: { width: 390, height: 844 } })
  await page.goto(url('/panel/new/record'))
  await expect(page.getByText('The light is good.')).toBeVisible()
  await page.getByRole('button', { name: /the script|Add a script/ }).click()
  await page
    .getByRole('textbox', { name: /^Script/ })
    .fill('What a home costs each month is more than the loan. '.repeat(20))
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(page.getByText('Recording', { exact: true })).toBeVisible()
  const session = await page.context().newCDPSession(page)
  // Time of the processor, not of the clock: what else the machine does is none of the page's.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const busy = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    const of = (wanted: string) => metrics.find(({ name }) => name === wanted)!.value
    return {
      all: of('TaskDuration'),
      script: of('ScriptDuration'),
      look: of('LayoutDuration') + of('RecalcStyleDuration'),
    }
  }
  // Nothing looks on while its own work is counted: a page that counts its pictures draws each of them.
  const watched = await page.evaluate(() => {
    const video = document.querySelector('video')!
    const { totalVideoFrames, droppedVideoFrames } = video.getVideoPlaybackQuality()
    const { deliveredFrames, discardedFrames } = statsOf(video)
    const longTasks: number[] = []
    new PerformanceObserver((list) =>
      longTasks.push(...list.getEntries().map(({ duration }) => Math.round(duration))),
    ).observe({ type: 'longtask' })
    Object.assign(window, { longTasks })
    return { totalVideoFrames, droppedVideoFrames, deliveredFrames, discardedFrames }
    // What the camera gave, and what the browser could not take of it: counted by the track itself.
    function statsOf(of: HTMLVideoElement) {
      const [track] = (of.srcObject as MediaStream).getVideoTracks() as (MediaStreamTrack & { stats?: Stats })[]
      return track!.stats ?? { deliveredFrames: 0, discardedFrames: 0 }
    }
  })
  const before = await busy()
  const began = Date.now()
  await page.waitForTimeout(20_000)
  const after = await busy()
  const seconds = (Date.now() - began) / 1000
  const share = (what: keyof typeof after) => ((100 * (after[what] - before[what])) / seconds).toFixed(1)
  const shown = await page.evaluate(() => {
    const video = document.querySelector('video')!
    const [track] = (video.srcObject as MediaStream).getVideoTracks() as (MediaStreamTrack & { stats?: Stats })[]
    const { deliveredFrames, discardedFrames } = track!.stats ?? { deliveredFrames: 0, discardedFrames: 0 }
    const { totalVideoFrames, droppedVideoFrames } = video.getVideoPlaybackQuality()
    const { longTasks } = window as unknown as { longTasks: number[] }
    return { totalVideoFrames, droppedVideoFrames, deliveredFrames, discardedFrames, longTasks }
  })
  const words = await gliding(page)
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'Use this take' }).click()
  const officer = await callAs('officer')
  await expect.poll(async () => (await officer(assets.unused, {})).items[0]?.state, { timeout: 120_000 }).toBe('ready')
  console.log(
    `${seconds.toFixed(1)} s of recording at a load of ${loadavg()[0]!.toFixed(1)}: main thread ${share('all')} % ` +
      `(scripts ${share('script')} %, style and layout ${share('look')} %), ` +
      `${shown.longTasks.length} long tasks (${shown.longTasks.join(', ') || 'none'} ms); ` +
      `the camera showed ${shown.totalVideoFrames - watched.totalVideoFrames}, ` +
      `dropped ${shown.droppedVideoFrames - watched.droppedVideoFrames}; ` +
      `the words glided ${words.glides} times, ${words.onMain} of them by the main thread, at ${words.rate.toFixed(1)} pictures a second`,
  )
  const given = shown.deliveredFrames - watched.deliveredFrames
  const lost = shown.discardedFrames - watched.discardedFrames
  const file = info.outputPath('take')
  const { assetUrl, duration } = (await officer(assets.unused, {})).items[0]!
  await writeFile(file, Buffer.from(await (await fetch(new URL(assetUrl, url('/')))).arrayBuffer()))
  const count = ['-v', 'error', '-select_streams', 'v', '-count_packets', '-show_entries', 'stream=nb_read_packets']
  const { stdout } = await run('ffprobe', [...count, '-of', 'csv=p=0', file])
  const [cameraRate, fileRate] = [given / seconds, Number(stdout) / duration!]
  const missed = Math.max(0, 1 - fileRate / cameraRate)
  const long = shown.longTasks.length
  console.log(
    [
      `| main thread of the page while it records | ${share('all')} % | 5 % |`,
      `| long tasks (over 50 ms) in ${seconds.toFixed(0)} s | ${long}${long > 0 ? `, the longest ${Math.max(...shown.longTasks)} ms` : ''} | none |`,
      `| pictures of the camera (${cameraRate.toFixed(2)} a second) that the file (${fileRate.toFixed(2)}) has not; dropped by the browser | ${(1000 * missed).toFixed(0)} ‰; ${lost} | 5 ‰ |`,
      `| pictures a second while words move, and glides that the page itself had to draw | ${words.rate.toFixed(1)}; ${words.onMain} of ${words.glides} | 60; none |`,
    ].join('\n'),
  )
  await discardFiles()
  await browser.close()
})

type Stats = { deliveredFrames: number; discardedFrames: number }

/** How the words move in ten seconds: how many glides began, how many the compositor could not take over, its pictures a second. */
const gliding = async (page: Page): Promise<{ glides: number; onMain: number; rate: number }> => {
  const session = await page.context().browser()!.newBrowserCDPSession()
  type Traced = {
    name: string
    ph: string
    ts: number
    id?: string
    id2?: { local?: string }
    args: { data?: { compositeFailed?: number } }
  }
  const events: Traced[] = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as Traced[])))
  const included = ['blink.animations', 'devtools.timeline', 'benchmark', 'cc', 'viz']
  await session.send('Tracing.start', { traceConfig: { includedCategories: included }, transferMode: 'ReportEvents' })
  await page.waitForTimeout(10_000)
  const over = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await over
  const animations = events.filter(({ name }) => name === 'Animation')
  const drawn = events.filter(({ name }) => name === 'Display::FrameDisplayed').map(({ ts }) => ts / 1000)
  // Only while words glide: between glides the camera alone moves, at its own rate.
  const idOf = ({ id, id2 }: Traced) => id ?? id2?.local
  const ended = animations.filter(({ ph }) => ph === 'e')
  const glides = animations
    .filter(({ ph }) => ph === 'b')
    .map((began) => {
      const end = ended.find((event) => idOf(event) === idOf(began) && event.ts > began.ts)
      return { from: began.ts / 1000, to: (end?.ts ?? Infinity) / 1000 }
    })
  const pictures = drawn.toSorted((a, b) => a - b)
  const gaps = glides.flatMap(({ from, to }) => {
    const within = pictures.filter((at) => at >= from && at <= to)
    return within.slice(1).map((at, n) => at - within[n]!)
  })
  return {
    glides: glides.length,
    // Said of those alone that the compositor does not take over.
    onMain: animations.filter(({ args }) => (args.data?.compositeFailed ?? 0) !== 0).length,
    rate: gaps.length / (gaps.reduce((sum, gap) => sum + gap, 0) / 1000),
  }
}
