import { execFileSync } from 'node:child_process'
import { expect, type Page } from '@playwright/test'

const rate = 48_000
/** Hz. No voice has them: what is heard there is the music of `highTune`, and the clip of `withTone`. */
const pitches = { music: 6000, clip: 9000 } as const
type Pitch = keyof typeof pitches

/** What a page played, one number for each sample, and which moment of the video it showed when: seconds on both clocks. */
export type Heard = { samples: Float32Array; shown: { clock: number; seconds: number }[] }

/** A piece of music that a voice does not cover, four seconds long, now louder and now quieter, so that it tells its moment. */
export const highTune = (file: string): string => {
  const swell = 'if(gt(sin(8.3*t)+sin(19.7*t),0),0.25,0.1)'
  const tone = `aevalsrc=exprs='${swell}*sin(2*PI*${pitches.music}*t)':s=${rate}:d=4`
  execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', tone, '-b:a', '192k', '-y', file])
  return file
}

/** The same clip with an even tone for its sound, which neither a voice nor the music covers. */
export const withTone = (clip: string): string => {
  const file = clip.replace('.mp4', '-tone.mp4')
  const tone = ['-f', 'lavfi', '-i', `aevalsrc=exprs='0.2*sin(2*PI*${pitches.clip}*t)':s=${rate}`]
  const both = ['-map', '0:v', '-map', '1:a', '-c:v', 'copy', '-b:a', '192k', '-shortest']
  execFileSync('ffmpeg', ['-v', 'error', '-i', clip, ...tone, ...both, '-y', file])
  return file
}

/**
 * Has a page keep a copy of all it plays, before it is opened. What the page makes is left as it is: its elements, cleaner
 * and gains. Only their last step leads through a recorder, on one clock for all, and what has no graph is given an
 * empty one. The page's context is to be made with `bypassCSP`: no test's interception sees the recorder's module.
 */
export const recordSound = async (page: Page): Promise<void> => {
  await page.addInitScript(
    ({ rate, recorder }) => {
      const shared = new AudioContext({ sampleRate: rate })
      const connect = AudioNode.prototype.connect as (this: AudioNode, to: AudioNode, ...more: number[]) => AudioNode
      const sourceOf = shared.createMediaElementSource.bind(shared)
      const all = shared.createGain()
      const sources = new WeakMap<HTMLMediaElement, AudioNode>()
      const kept = { blocks: [] as Float32Array[], shown: [] as { clock: number; seconds: number }[], start: -1 }
      Object.assign(window, {
        keptSound: kept,
        AudioContext: function OneForAll() {
          return shared
        },
      })
      shared.close = () => Promise.resolve()
      AudioNode.prototype.connect = function (this: AudioNode, to: AudioNode, ...more: number[]) {
        return connect.call(this, (to as AudioNode) === shared.destination ? all : to, ...more)
      } as never
      shared.createMediaElementSource = (element) => {
        const known = sources.get(element)
        known?.disconnect()
        const source = known ?? sourceOf(element)
        sources.set(element, source)
        return source as MediaElementAudioSourceNode
      }
      const play = HTMLMediaElement.prototype.play
      HTMLMediaElement.prototype.play = function () {
        if (!sources.has(this)) connect.call(shared.createMediaElementSource(this), all)
        return play.call(this)
      }
      window.addEventListener('DOMContentLoaded', () => {
        void shared.audioWorklet
          .addModule(URL.createObjectURL(new Blob([recorder], { type: 'text/javascript' })))
          .then(() => {
            const node = new AudioWorkletNode(shared, 'recorder')
            connect.call(connect.call(all, node), shared.destination)
            node.port.onmessage = ({ data: { at, samples } }: { data: { at: number; samples: Float32Array } }) => {
              if (kept.start < 0) kept.start = at
              kept.blocks.push(samples)
            }
          })
        // No page may be heard before somebody pressed something.
        window.addEventListener('pointerdown', () => void shared.resume(), true)
        new MutationObserver((changes) => {
          const slider = changes.at(-1)!.target as Element
          if (slider.getAttribute('role') === 'slider' && slider.matches('.player-slider'))
            kept.shown.push({ clock: shared.currentTime, seconds: Number(slider.getAttribute('aria-valuenow')) })
        }).observe(document.documentElement, { subtree: true, attributes: true, attributeFilter: ['aria-valuenow'] })
      })
    },
    { rate, recorder },
  )
}

const recorder = `
  registerProcessor('recorder', class extends AudioWorkletProcessor {
    process([[left]], [[out]]) {
      const block = left ?? new Float32Array(128)
      out?.set(block)
      this.port.postMessage({ at: currentFrame, samples: block.slice() })
      return true
    }
  })`

/** Plays the video that the workbench shows from its start to its end, and answers what was heard. */
export const heardFrom = async (page: Page, seconds: number): Promise<Heard> => {
  const ruler = page.getByRole('slider', { name: 'Time' })
  await ruler.focus()
  await page.keyboard.press('Home')
  await expect.poll(async () => Number(await ruler.getAttribute('aria-valuenow'))).toBeLessThan(0.1)
  await page.evaluate(() => {
    const { keptSound } = window as never as { keptSound: { shown: unknown[] } }
    keptSound.shown.length = 0
  })
  await page.getByRole('button', { name: /^Play/ }).first().click()
  await expect
    .poll(async () => Number(await ruler.getAttribute('aria-valuenow')), { timeout: seconds * 4000 + 10_000 })
    .toBeGreaterThan(seconds - 0.05)
  const { encoded, shown, start } = await page.evaluate(() => {
    type Kept = { blocks: Float32Array[]; shown: { clock: number; seconds: number }[]; start: number }
    const { blocks, shown, start } = (window as never as { keptSound: Kept }).keptSound
    const all = new Int16Array(blocks.length * 128)
    blocks.forEach((block, i) =>
      all.set(
        [...block].map((value) => Math.max(-1, Math.min(1, value)) * 32767),
        i * 128,
      ),
    )
    const bytes = new Uint8Array(all.buffer)
    let text = ''
    for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192))
    return { encoded: btoa(text), shown, start }
  })
  const bytes = Buffer.from(encoded, 'base64')
  const samples = Float32Array.from({ length: bytes.length / 2 }, (_, i) => bytes.readInt16LE(2 * i) / 32767)
  return { samples, shown: shown.map((one) => ({ ...one, clock: one.clock - start / rate })) }
}

/** The sound of a finished file, one channel. */
export const soundOf = (file: string): Float32Array => {
  const args = ['-v', 'error', '-i', file, '-map', '0:a', '-af', 'pan=mono|c0=c0', '-ar', `${rate}`, '-f', 'f32le', '-']
  const bytes = execFileSync('ffmpeg', args, { maxBuffer: 2 ** 30 })
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
}

/**
 * A stretch that was played without interruption, from a moment of the video to another one, in seconds: how much later than
 * in the file the voice was heard beside the picture (null where nobody speaks), how alike the two are, and how many decibels
 * louder it was.
 */
export type Stretch = { from: number; to: number; late: number | null; alike: number; louder: number }

/** The voice of what was played beside the file's, stretch by stretch. */
export const voiceBeside = ({ samples, shown }: Heard, file: Float32Array): Stretch[] =>
  stretchesOf(shown).flatMap(({ first, last, ahead }) => {
    const edge = 0.06
    const [from, to] = [first + edge, last - edge]
    if (to - from < 0.3) return []
    const most = 0.15
    const at = (all: Float32Array, from: number, to: number) =>
      lowered(all.subarray(Math.max(0, Math.round(from * rate)), Math.round(to * rate)))
    const played = at(samples, from, to)
    const wanted = at(file, Math.max(0, from + ahead - most), to + ahead + most)
    const before = Math.round((from + ahead - Math.max(0, from + ahead - most)) * low)
    const silent = loudness(wanted.subarray(before, before + played.length)) < -45
    let [best, shift] = [-1, 0]
    for (let by = -before; by <= most * low; by++) {
      const alike = likeness(played, wanted, before + by)
      if (alike > best) [best, shift] = [alike, by]
    }
    const louder = loudness(played) - loudness(wanted.subarray(before + shift, before + shift + played.length))
    return [{ from: from + ahead, to: to + ahead, late: silent ? null : -shift / low, alike: best, louder }]
  })

/**
 * The music of what was played beside the file's, or B-roll's own sound, stretch by stretch: how much later than in the file it
 * was heard beside the picture, in seconds (null where a stretch is too short to tell), and how many decibels louder most of it
 * was.
 */
export const toneBeside = ({ samples, shown }: Heard, file: Float32Array, of: Pitch) =>
  stretchesOf(shown).flatMap((run) => {
    const { first, last, ahead } = run
    const late = toneLate(samples, file, run, of)
    const differences: number[] = []
    const step = rate / 10
    for (let at = first; at + 0.1 < last; at += 0.1) {
      const [one, other] = [Math.round(at * rate), Math.round((at + ahead - (late ?? 0)) * rate)]
      if (other < 0 || other + step > file.length) continue
      const [played, wanted] = [samples.subarray(one, one + step), file.subarray(other, other + step)].map((all) =>
        tone(all, of),
      ) as [number, number]
      if (wanted > -65) differences.push(played - wanted)
    }
    // B-roll is heard for a third of a second at the least, and of that a tenth at each end goes to its fades.
    if (differences.length < (of === 'music' ? 5 : 2)) return []
    const louder = differences.toSorted((a, b) => a - b)[differences.length >> 1]!
    return [{ from: first + ahead, to: last + ahead, late, louder }]
  })

type Run = { first: number; last: number; ahead: number }

const toneLate = (samples: Float32Array, file: Float32Array, { first, last, ahead }: Run, of: Pitch): number | null => {
  const [hop, most] = [rate / 200, 0.3]
  const [from, to] = [Math.max(first, most - ahead), Math.min(last, file.length / rate - ahead - most)]
  if (to - from < 0.6) return null
  const levels = (all: Float32Array, from: number, to: number) =>
    Float32Array.from({ length: Math.floor(((to - from) * rate) / hop) - 1 }, (_, i) => {
      const at = Math.round(from * rate) + i * hop
      return Math.max(-70, tone(all.subarray(at, at + 2 * hop), of))
    })
  const even = (all: Float32Array) => all.map((value) => value - all.reduce((sum, one) => sum + one, 0) / all.length)
  const played = even(levels(samples, from, to))
  const wanted = levels(file, from + ahead - most, to + ahead + most)
  let [best, shift] = [0.6, null as number | null]
  for (let by = 0; by + played.length <= wanted.length; by++) {
    const alike = likeness(played, even(wanted.subarray(by, by + played.length)), 0)
    if (alike > best) [best, shift] = [alike, by]
  }
  return shift === null ? null : most - (shift * hop) / rate
}

/** Where the video ran on evenly: from and to on the recorder's clock, and how far the video's moments are ahead of it. */
const stretchesOf = (shown: Heard['shown']) => {
  const runs: Heard['shown'][] = []
  for (const one of shown) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    const isEven =
      last && Math.abs(one.seconds - one.clock - (last.seconds - last.clock)) < 0.022 && one.clock - last.clock < 0.2
    if (run && isEven) run.push(one)
    else runs.push([one])
  }
  return runs.map((run) => {
    const ahead = run.map(({ clock, seconds }) => seconds - clock).toSorted((a, b) => a - b)[run.length >> 1]!
    return { first: run[0]!.clock, last: run.at(-1)!.clock, ahead }
  })
}

/** Samples a second that are enough for a voice. */
const low = 6000

/** Every eighth sample, each the mean of its neighbours: what lies above a voice is gone. */
const lowered = (samples: Float32Array): Float32Array => {
  const every = rate / low
  const smooth = (all: Float32Array) => {
    const out = new Float32Array(all.length)
    let sum = 0
    for (let i = 0; i < all.length; i++) {
      sum += all[i]! - (all[i - every] ?? 0)
      out[i] = sum / every
    }
    return out
  }
  const twice = smooth(smooth(samples))
  return Float32Array.from({ length: Math.floor(samples.length / every) }, (_, i) => twice[i * every]!)
}

const loudness = (samples: Float32Array): number =>
  10 * Math.log10(samples.reduce((sum, value) => sum + value * value, 1e-12) / Math.max(1, samples.length))

const likeness = (one: Float32Array, other: Float32Array, from: number): number => {
  let [both, first, second] = [0, 1e-9, 1e-9]
  for (let i = 0; i < one.length; i++) {
    const [a, b] = [one[i]!, other[from + i] ?? 0]
    both += a * b
    first += a * a
    second += b * b
  }
  return both / Math.sqrt(first * second)
}

/** How loud the tone of one of them is, dB (Goertzel). */
const tone = (samples: Float32Array, of: Pitch): number => {
  const turn = 2 * Math.cos((2 * Math.PI * pitches[of]) / rate)
  let [before, last] = [0, 0]
  for (const sample of samples) [before, last] = [last, sample + turn * last - before]
  const power = last * last + before * before - turn * last * before
  return 10 * Math.log10((4 * power) / samples.length ** 2 + 1e-12)
}
