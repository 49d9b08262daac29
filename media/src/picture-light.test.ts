import { afterAll, expect, it } from 'vitest'
import { balanceOf } from '@clear-to-post/edit/balance'
import { ffmpeg, quick, scratch } from '../test/footage.ts'
import { lightOf } from './picture-light.ts'
import { probe } from './probe.ts'

const { path, bin } = scratch()
afterAll(bin)

/** A grey wall with black and white stripes, as a camera sees it in that light. */
async function measured(name: string, luma: string, chroma = '') {
  const wall =
    'color=c=0x808080:s=90x160:r=10:d=2,drawbox=x=0:y=0:w=90:h=20:c=black:t=fill,drawbox=x=0:y=140:w=90:h=20:c=white:t=fill'
  ffmpeg(`-f lavfi -i @ -vf @ ${quick} @`, wall, `format=yuv420p,lutyuv=y='${luma}'${chroma}`, path(name))
  const found = await probe(path(name))
  if (!found.ok) throw new Error(found.code)
  return lightOf(path(name), found)
}

it('the light of a video is measured: what is dark and yellow gets a balance that brightens it and adds blue', async () => {
  const fine = (await measured('fine.mp4', 'val'))!
  expect(fine.black).toBeCloseTo(0, 1)
  expect(fine.middle).toBeCloseTo(0.5, 1)
  expect(fine.white).toBeCloseTo(1, 1)
  expect(Math.hypot(fine.blue, fine.red)).toBeLessThan(0.006)
  expect(balanceOf(fine)).toBeNull()
  const dark = (await measured('dark.mp4', '16+(val-16)*0.62', ':u=val-9:v=val+3'))!
  expect(dark.white).toBeCloseTo(0.62, 1)
  expect(dark.blue).toBeCloseTo(-9 / 224, 2)
  expect(balanceOf(dark)).toMatchObject({ on: true, by: 'rule' })
  expect(balanceOf(dark)!.gain).toBeGreaterThan(1.1)
  expect(balanceOf(dark)!.blue).toBeGreaterThan(0.02)
})
