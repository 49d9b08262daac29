import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { colourMatrix } from '@clear-to-post/edit/colour'
import { atRate, shotFilters } from './shot.ts'

const points = [0, 64, 128, 192, 255].flatMap((red) =>
  [0, 128, 255].flatMap((green) => [32, 96, 200].map((blue) => [red, green, blue])),
)
const size = { width: 2 * points.length, height: 2 }

// What the preview does in one step on RGB, the render does on luma and chroma.
it.each([
  { brightness: 0.5, contrast: 0, saturation: 0, warmth: 0 },
  { brightness: -0.3, contrast: 0.6, saturation: -1, warmth: 0 },
  { brightness: 0, contrast: -0.5, saturation: 0.8, warmth: 0.7 },
])('a rendered colour correction equals the preview’s: %o', (colour) => {
  const track = { ...size, pixelFormat: 'yuv420p', matrix: 'bt709', hdr: null } as never
  const fps = { num: 30, den: 1 }
  const view = { fps, size, from: 0, frames: 1, zoom: null, focus: { x: 0.5, y: 0.5 }, colour }
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
  const matrix = colourMatrix(colour)!
  points.forEach((point, i) => {
    const wanted = matrix.map(([r, g, b, more]) => r! * point[0]! + g! * point[1]! + b! * point[2]! + 255 * more!)
    // Beyond white or black each of the two cuts off in its own way.
    if (wanted.some((value) => value < 12 || value > 243)) return
    wanted.forEach((value, channel) =>
      expect(Math.abs(seen[i * 6 + channel]! - value), `${point}`).toBeLessThanOrEqual(5),
    )
  })
})
