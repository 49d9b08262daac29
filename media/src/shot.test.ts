import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Balance } from '@clear-to-post/edit/balance'
import { colourSteps } from '@clear-to-post/edit/colour'
import { ssim } from '../test/ssim.ts'
import { atRate, shotFilters, type ShotView } from './shot.ts'

const points = [0, 64, 128, 192, 255].flatMap((red) =>
  [0, 128, 255].flatMap((green) => [32, 96, 200].map((blue) => [red, green, blue])),
)
const size = { width: 2 * points.length, height: 2 }
type Graded = typeof plain & { balance?: Balance }
const plain = { brightness: 0, contrast: 0, saturation: 0, warmth: 0 }
const balance: Balance = { gain: 1.2, lift: 0.04, blue: 0.03, red: -0.02, by: 'rule', why: '', on: true }

// What the preview does in one step on RGB, the render does on luma and chroma.
it.each([
  { brightness: 0.5, contrast: 0, saturation: 0, warmth: 0 },
  { brightness: -0.3, contrast: 0.6, saturation: -1, warmth: 0 },
  { brightness: 0, contrast: -0.5, saturation: 0.8, warmth: 0.7 },
  { ...plain, balance },
  { brightness: 0.2, contrast: 0.3, saturation: 0.2, warmth: -0.4, balance },
])('a rendered colour correction equals the preview’s: %o', ({ balance, ...colour }: Graded) => {
  const track = { ...size, pixelFormat: 'yuv420p', matrix: 'bt709', hdr: null } as never
  const fps = { num: 30, den: 1 }
  const view = { fps, size, from: 0, frames: 1, zoom: null, focus: { x: 0.5, y: 0.5 }, colour, balance }
  const filters = [
    'scale=out_color_matrix=bt709:out_range=tv:flags=neighbor,format=yuv444p,setparams=range=tv:colorspace=bt709',
    atRate(fps),
    ...shotFilters(track, view, 0),
    'scale=in_color_matrix=bt709:in_range=tv:flags=neighbor+full_chroma_int+accurate_rnd,format=rgb24',
  ]
  const row = points.flatMap((point) => [...point, ...point])
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'rgb24']
  const input = ['-v', 'error', ...raw, '-s', `${size.width}x2`, '-r', '30', '-i', 'pipe:0']
  const args = [...input, '-vf', filters.join(','), '-frames:v', '1', ...raw, 'pipe:1']
  const seen = execFileSync('ffmpeg', args, { input: Buffer.from([...row, ...row]) })
  points.forEach((point, i) =>
    previewed(point, { colour, balance }).forEach((value, channel) =>
      expect(Math.abs(seen[i * 6 + channel]! - value), `${point}`).toBeLessThanOrEqual(5),
    ),
  )
})

/** Red, green and blue as the preview shows them: it cuts off after each of the two steps. */
function previewed(point: readonly number[], { colour, balance }: Pick<ShotView, 'colour' | 'balance'>): number[] {
  return colourSteps(colour, balance)!.reduce<readonly number[]>(
    ([first, second, third], matrix) =>
      matrix.map(([a, b, c, more]) => {
        const value = a! * first! + b! * second! + c! * third! + 255 * more!
        return Math.max(0, Math.min(255, Math.round(value)))
      }),
    point,
  ) as number[]
}

// The browser decodes the frame and multiplies by the matrix; the render grades before it encodes.
it('three frames of a take with balance and sliders look in the preview as they are rendered', () => {
  const file = join(import.meta.dirname, '../../web/app/site/footage/before.mp4')
  const size = { width: 180, height: 320 }
  const track = { ...size, pixelFormat: 'yuv420p', matrix: 'bt709', hdr: null } as never
  const fps = { num: 30, den: 1 }
  const colour = { brightness: 0.3, contrast: 0.6, saturation: 0.3, warmth: 0.6 }
  const toRgb = 'scale=in_color_matrix=bt709:in_range=tv:flags=full_chroma_int+accurate_rnd,format=rgb24'
  const seen = (given: Pick<ShotView, 'colour' | 'balance'>) => {
    const view = { fps, size, from: 0, frames: 60, zoom: null, focus: { x: 0.5, y: 0.5 }, ...given }
    const filters = [
      atRate(fps),
      `scale=${size.width}:${size.height}`,
      ...shotFilters(track, view, 0),
      "select='not(mod(n,20))'",
      toRgb,
    ]
    const args = [
      '-v',
      'error',
      '-i',
      file,
      '-vf',
      filters.join(','),
      '-fps_mode',
      'passthrough',
      '-f',
      'rawvideo',
      '-pix_fmt',
      'rgb24',
    ]
    return execFileSync('ffmpeg', [...args, 'pipe:1'], { maxBuffer: 2 ** 26 })
  }
  const [recorded, rendered] = [seen({ colour: plain }), seen({ colour, balance })]
  const preview = Buffer.alloc(recorded.length)
  for (let at = 0; at < recorded.length; at += 3)
    preview.set(previewed([...recorded.subarray(at, at + 3)], { colour, balance }), at)
  const bytes = 3 * size.width * size.height
  expect(recorded.length).toBe(3 * bytes)
  for (let at = 0; at < recorded.length; at += bytes) {
    const [one, other, before] = [rendered, preview, recorded].map((all) => all.subarray(at, at + bytes))
    const alike = ssim(one!, other!, size)
    expect(Math.min(alike.light, alike.colour)).toBeGreaterThan(0.98)
    // Likeness of structure says little about colour.
    expect(one!.reduce((sum, value, i) => sum + Math.abs(value - other![i]!), 0) / bytes).toBeLessThan(3)
    // Without the grade it is another picture.
    expect(ssim(one!, before!, size).light).toBeLessThan(0.97)
  }
})
