import { chromium, expect, test } from '@playwright/test'
import { assets } from '@clear-to-post/contract/assets'
import { isLong } from '../server/test/random.ts'
import { cameraArgs, footage } from './camera.ts'
import { callAs, signIn, url } from './people.ts'

/** What recording costs its page, in figures; nothing is judged here, for the machine may be busy. */
test('a recording page says what recording costs its main thread, and how evenly its words move', async ({
  launchOptions,
}, info) => {
  test.skip(info.project.name !== 'desktop' || !isLong, 'figures are asked for by npm run prove -- recording-speed')
  const { executablePath, args = [] } = launchOptions
  const browser = await chromium.launch({
    executablePath: executablePath!,
    args: [...args, ...cameraArgs(await footage())],
  })
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
  await session.send('Performance.enable')
  const busy = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    const of = (wanted: string) => metrics.find(({ name }) => name === wanted)!.value
    return {
      all: of('TaskDuration'),
      script: of('ScriptDuration'),
      look: of('LayoutDuration') + of('RecalcStyleDuration'),
    }
  }
  const before = await busy()
  const drawn = await page.evaluate(
    (ms) =>
      new Promise<{
        seconds: number
        frames: number
        late: number
        longTasks: number[]
        shown: number
        dropped: number
      }>((done) => {
        const video = document.querySelector('video')!
        const first = video.getVideoPlaybackQuality()
        const longTasks: number[] = []
        new PerformanceObserver((list) =>
          longTasks.push(...list.getEntries().map(({ duration }) => Math.round(duration))),
        ).observe({ type: 'longtask' })
        const began = performance.now()
        let [frames, late, last] = [0, 0, began]
        const count = (now: number) => {
          frames++
          if (now - last > 25) late++
          last = now
          if (now - began < ms) return requestAnimationFrame(count)
          const end = video.getVideoPlaybackQuality()
          done({
            seconds: (now - began) / 1000,
            frames,
            late,
            longTasks,
            shown: end.totalVideoFrames - first.totalVideoFrames,
            dropped: end.droppedVideoFrames - first.droppedVideoFrames,
          })
        }
        requestAnimationFrame(count)
      }),
    20_000,
  )
  const after = await busy()
  const share = (what: keyof typeof after) => ((100 * (after[what] - before[what])) / drawn.seconds).toFixed(1)
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'Use this take' }).click()
  const officer = await callAs('officer')
  await expect.poll(async () => (await officer(assets.unused, {})).items[0]?.state, { timeout: 120_000 }).toBe('ready')
  console.log(
    `${drawn.seconds.toFixed(1)} s of recording: main thread ${share('all')} % (scripts ${share('script')} %, style and layout ${share('look')} %), ` +
      `${drawn.longTasks.length} long tasks (${drawn.longTasks.join(', ') || 'none'} ms), ` +
      `${(drawn.frames / drawn.seconds).toFixed(1)} frames a second, ${drawn.late} of ${drawn.frames} late; ` +
      `the camera showed ${drawn.shown}, dropped ${drawn.dropped}`,
  )
  await browser.close()
})
