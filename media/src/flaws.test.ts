// @module-tag long
import { afterAll, expect, it } from 'vitest'
import { ffmpeg, scratch } from '../test/footage.ts'
import { flawsOf } from './flaws.ts'
import { makeClip } from './make-clip.ts'
import { probe } from './probe.ts'

const { path, bin } = scratch()
afterAll(bin)

const watched = async (file: string) => {
  const found = await probe(file)
  if (!found.ok) throw new Error(found.code)
  return flawsOf({ file, probe: found })
}

it('black and frozen pictures of a recording are found at their moments, and a person who speaks is neither', async () => {
  const whole = { out: path('whole.mp4'), seconds: 8, width: 270, height: 480, hue: 200 }
  await makeClip(whole)
  expect(await watched(whole.out)).toEqual([])
  // Two black pictures, and a picture that stands for three seconds, as where a camera lost its pictures.
  const black = 'drawbox=t=fill:c=black:enable=between(n\\,30\\,31)'
  const frozen = 'loop=loop=89:size=1:start=120'
  ffmpeg(
    `-i @ -vf fps=30,${black},${frozen},setpts=N/30/TB,format=yuv420p -r 30 -c:v libx264 -preset ultrafast -crf 18 -c:a copy @`,
    whole.out,
    path('flawed.mp4'),
  )
  const flaws = await watched(path('flawed.mp4'))
  expect(flaws.map(({ kind }) => kind)).toEqual(['black', 'frozen'])
  const [dark, still] = flaws
  expect([dark!.start, dark!.end]).toEqual([1000, 1067])
  expect(Math.abs(still!.start - 4000)).toBeLessThan(200)
  expect(Math.abs(still!.end - 7000)).toBeLessThan(200)
})

it('a picture that ends before its sound is frozen from there on, and a sound or a still has no flaws', async () => {
  await makeClip({ out: path('short.mp4'), seconds: 4, width: 270, height: 480, hue: 200 })
  ffmpeg(
    '-i @ -f lavfi -i sine=duration=7 -map 0:v -map 1:a -c:v copy -c:a aac @',
    path('short.mp4'),
    path('longer.mp4'),
  )
  const [last, ...more] = await watched(path('longer.mp4'))
  expect([last?.kind, more]).toEqual(['frozen', []])
  expect(Math.abs(last!.start - 4000)).toBeLessThan(200)
  ffmpeg('-f lavfi -i sine=duration=2 @', path('sound.wav'))
  expect(await watched(path('sound.wav'))).toEqual([])
})
