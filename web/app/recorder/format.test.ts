import { expect, it } from 'vitest'
import { chooseFormat, isWebKit } from './format.ts'

const chrome = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'

const browsers: [name: string, supports: RegExp, userAgent: string, mimeType: string | null, everyMs?: number][] = [
  [
    'Safari on a phone',
    /^video\/(mp4|webm;codecs=(vp8|vp9),opus)/,
    safari('Version/26.1 Mobile/15E148 Safari/604.1'),
    'video/mp4;codecs=avc1.640028,mp4a.40.2',
    2000,
  ],
  [
    'Chrome on an iPhone',
    /^video\/mp4/,
    safari('CriOS/142.0 Mobile/15E148 Safari/604.1'),
    'video/mp4;codecs=avc1.640028,mp4a.40.2',
    2000,
  ],
  ['Chrome on Windows', /mp4a|webm|^video\/mp4$/, chrome, 'video/mp4;codecs=avc1.640028,mp4a.40.2', 1000],
  ['Chromium on Linux, without AAC', /avc1,opus|webm|^video\/mp4$/, chrome, 'video/webm;codecs=vp8,opus', 1000],
  [
    'Firefox',
    /^video\/webm(;codecs=vp8,opus)?$/,
    'Mozilla/5.0 (X11; Linux) Gecko/20100101 Firefox/146.0',
    'video/webm;codecs=vp8,opus',
    1000,
  ],
  ['one that only says MP4', /^video\/mp4$/, safari('Version/14.1 Safari/605.1.15'), 'video/mp4', 2000],
  ['one with H.264 of a low level', /42E01F,mp4a/, chrome, 'video/mp4;codecs=avc1.42E01F,mp4a.40.2', 1000],
  ['one that records nothing', /^$/, chrome, null],
]

for (const [name, supports, userAgent, mimeType, everyMs] of browsers)
  it(`${name} records ${mimeType ?? 'nothing'}`, () => {
    const chosen = chooseFormat((type) => supports.test(type), { isWebKit: isWebKit(userAgent) })
    expect(chosen?.mimeType ?? null).toBe(mimeType)
    expect(chosen?.everyMs).toBe(everyMs)
    if (chosen) expect(chosen.type).toBe(chosen.mimeType.split(';')[0])
  })

it('a voice alone is recorded as AAC, else as Opus in WebM, and never as a video', () => {
  const chosen = (supports: RegExp) =>
    chooseFormat((type) => supports.test(type), { isWebKit: false, subject: 'sound' })
  expect(chosen(/./)).toMatchObject({ mimeType: 'audio/mp4;codecs=mp4a.40.2', type: 'audio/mp4', extension: 'm4a' })
  expect(chosen(/webm/)).toMatchObject({ mimeType: 'audio/webm;codecs=opus', type: 'audio/webm', extension: 'webm' })
  expect(chosen(/^video/)).toBeNull()
})

it('H.264 with Opus in MP4 is never recorded', () => {
  expect(chooseFormat((type) => type.includes('opus') && type.includes('mp4'), { isWebKit: false })).toBeNull()
})

function safari(rest: string): string {
  return `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ${rest}`
}
