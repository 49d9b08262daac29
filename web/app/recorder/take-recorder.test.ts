import { afterEach, expect, it, vi } from 'vitest'
import { inMemory } from '../spool/memory.ts'
import { Spool } from '../spool/spool.ts'
import { recordTake, type Ending } from './take-recorder.ts'

afterEach(() => void vi.unstubAllGlobals())

it('a recorder is asked for a piece each second or two, and pieces without a byte call nothing safe', async () => {
  const { spool, browser } = await recorded()
  const safe = async () => (await spool.find('take'))!
  expect(browser.asked).toEqual(['start 2000'])
  expect(browser.options).toMatchObject({ videoKeyFrameIntervalDuration: 1000 })
  browser.give('')
  browser.give('')
  // Whatever would be written of them is written by then.
  await new Promise((done) => setTimeout(done))
  expect(await safe()).toMatchObject({ safeBytes: 0, safeMs: 0 })
  browser.give('one')
  browser.give('')
  await expect.poll(async () => (await safe()).safeBytes).toBe(3)
})

it('a camera that is taken away ends its take, with what was put out until then and the reason', async () => {
  const { spool, browser, endings } = await recorded()
  browser.give('one')
  browser.tracks[0]!.dispatchEvent(new Event('ended'))
  browser.tracks[0]!.dispatchEvent(new Event('ended'))
  expect(endings).toEqual(['unplugged'])
  await expect.poll(async () => (await spool.find('take'))!.isEnded).toBe(true)
  expect(await spool.find('take')).toMatchObject({ safeBytes: 3 })
})

it('a phone that takes the camera from a page that was left ends its take at once', async () => {
  const { browser, endings } = await recorded()
  browser.tracks[0]!.dispatchEvent(new Event('mute'))
  expect(endings).toEqual([])
  browser.page.visibilityState = 'hidden'
  browser.tracks[0]!.dispatchEvent(new Event('mute'))
  expect(endings).toEqual(['away'])
  expect(browser.asked.at(-1)).toBe('stop')
})

it('a take that is paused is not running at once, and what it is long stays until it goes on', async () => {
  const { take, browser } = await recorded()
  expect(take.isRunning()).toBe(true)
  take.pause()
  expect(take.isRunning()).toBe(false)
  const rested = take.ms()
  take.goOn()
  expect(take.isRunning()).toBe(true)
  await expect.poll(() => take.ms()).toBeGreaterThan(rested)
  browser.tracks[0]!.dispatchEvent(new Event('ended'))
  expect(take.isRunning()).toBe(false)
})

/** A take that runs in a browser as Safari documents itself. */
const recorded = async () => {
  const browser = {
    asked: [] as string[],
    options: {} as MediaRecorderOptions,
    page: Object.assign(new EventTarget(), { visibilityState: 'visible' }),
    tracks: [new EventTarget(), new EventTarget()],
    give: (() => undefined) as (text: string) => void,
  }
  class Recorder extends EventTarget {
    state: RecordingState = 'inactive'
    constructor(_: MediaStream, options: MediaRecorderOptions) {
      super()
      browser.options = options
      browser.give = (text) =>
        void this.dispatchEvent(Object.assign(new Event('dataavailable'), { data: new Blob([text]) }))
    }
    start(everyMs: number) {
      this.#goes('recording', `start ${everyMs}`)
    }
    pause() {
      this.#goes('paused', 'pause')
    }
    resume() {
      this.#goes('recording', 'resume')
    }
    requestData() {
      browser.asked.push('requestData')
    }
    stop() {
      this.#goes('inactive', 'stop')
      this.dispatchEvent(new Event('stop'))
    }
    #goes(state: RecordingState, asked: string) {
      this.state = state
      browser.asked.push(asked)
    }
  }
  const page = new EventTarget()
  vi.stubGlobal('MediaRecorder', Recorder)
  vi.stubGlobal('document', browser.page)
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  const memory = inMemory()
  const spool = new Spool(memory.notes, [memory.parts])
  await spool.begin({ id: 'take', userId: 'officer', fileName: 'take.mp4', type: 'video/mp4', begunAt: 0 })
  const stream = {
    getTracks: () => browser.tracks,
    getVideoTracks: () => [{ getSettings: () => ({ width: 1080, height: 1920 }) }],
  } as unknown as MediaStream
  const endings: Ending[] = []
  const take = recordTake(spool, 'take', {
    stream,
    format: { mimeType: 'video/mp4', type: 'video/mp4', extension: 'mp4', everyMs: 2000 },
    mostBytes: 1e9,
    mostMs: 1e6,
    onEnd: (why) => endings.push(why),
  })
  return { take, spool, browser, endings }
}
