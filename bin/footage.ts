// npm run footage: makes the pictures of the public page anew: the sample take as it is sent and as it comes back, the
// icons and the social card. Run by hand when their look changes; what it writes is kept in the repo. Needs Chromium.
import { execFile, execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { chromium, type Browser, type Page } from '@playwright/test'
import { murmur } from '@clear-to-post/media/clip-voice'
import { makeClip } from '@clear-to-post/media/make-clip'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '..')
const pictures = join(root, 'web/app/site/footage')
const icons = join(root, 'web/public/icons')

/** The take: a drawn person who stops, starts again and stops once more. Seconds. */
const take = {
  seconds: 18,
  seed: 7,
  hue: 212,
  pauses: [
    [0, 1.3],
    [4.1, 6.4],
    [8.6, 10.1],
    [12.9, 14.6],
    [17, 18],
  ],
} as const
const [width, height] = [480, 854]
const fps = 25
/** What is said, caption by caption; the captions share the time of what is kept by their length. */
const captions = [
  'Prequalified or preapproved?',
  'Two words that sound alike',
  'and are not the same.',
  'One is a conversation.',
  'The other puts it in writing.',
  'Ask me which one you have.',
]
const closing = 1.6

const folder = await mkdtemp(join(tmpdir(), 'footage-'))
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim(),
  args: ['--no-sandbox', '--disable-gpu'],
})
function keptParts(): [from: number, to: number][] {
  const edges = take.pauses.map(([from, to]) => [from, to] as [number, number])
  return edges.slice(1).map(([from], i) => [edges[i]![1] - 0.12, from + 0.12])
}

/** As a phone sends it: dim, a little tilted, too much room above the head. */
async function makeBefore(raw: string) {
  const look = [
    'rotate=-0.022:ow=iw:oh=ih:fillcolor=0x8a94a0',
    'crop=iw*0.9:ih*0.9:iw*0.015:ih*0.012',
    'eq=brightness=-0.075:contrast=0.86:saturation=0.72:gamma_r=1.07:gamma_b=0.9',
    `scale=${width}:${height}`,
    `fps=${fps}`,
  ]
  await ffmpeg(['-i', raw, '-vf', look.join(','), ...encoding, join(pictures, 'before.mp4')])
  await poster('before', 2.5)
}

/** As it comes back: pauses out, nearer at every second joint, light corrected, captions, name, closing card. */
async function makeAfter(raw: string, kept: [number, number][]) {
  const length = kept.reduce((sum, [from, to]) => sum + to - from, 0)
  const layers = await layersOf(length)
  const parts = kept.map(([from, to], i) => {
    const near = i % 2 === 0 ? 1.06 : 1.22
    return (
      `[0:v]trim=${from}:${to},setpts=PTS-STARTPTS,fps=${fps},scale=${Math.round((width * near) / 2) * 2}:-2,` +
      `crop=${width}:${height}:(iw-ow)/2:(ih-oh)*0.42,setsar=1[p${i}]`
    )
  })
  const joined = kept.map((_, i) => `[p${i}]`).join('')
  const graph = [
    ...parts,
    `${joined}concat=n=${kept.length}:v=1:a=0,tpad=stop_mode=clone:stop_duration=${closing},eq=contrast=1.05:saturation=1.16:brightness=0.012[v0]`,
    ...layers.map(
      ({ from, to }, i) =>
        `[v${i}][${i + 1}:v]overlay=enable='between(t,${from.toFixed(3)},${(to - 0.001).toFixed(3)})'[v${i + 1}]`,
    ),
  ]
  await ffmpeg([
    '-i',
    raw,
    ...layers.flatMap(({ file }) => ['-i', file]),
    '-filter_complex',
    graph.join(';'),
    '-map',
    `[v${layers.length}]`,
    '-t',
    String(length + closing),
    ...encoding,
    join(pictures, 'after.mp4'),
  ])
  await poster('after', 1.45)
}

type Shown = { file: string; from: number; to: number }

async function layersOf(length: number): Promise<Shown[]> {
  const page = await pageOf(browser, width, height)
  const letters = captions.join('').length
  const shown: Shown[] = []
  let at = 0
  for (const caption of captions) {
    const words = caption.split(' ')
    const lasts = (length * caption.length) / letters
    const share = words.map((word) => (lasts * (word.length + 1)) / (caption.length + 1))
    for (const i of words.keys()) {
      const html = words.map((one, n) => (n === i ? `<b>${one}</b>` : one)).join(' ')
      const name = at < 2.6 ? nameplate : ''
      shown.push({
        file: await layer(page, `${logo}${name}<p class="caption">${html}</p>`, shown.length),
        from: at,
        to: at + share[i]!,
      })
      at += share[i]!
    }
  }
  shown.push({ file: await layer(page, closingCard, shown.length), from: length, to: length + closing + 1 })
  return shown
}

async function layer(page: Page, html: string, n: number): Promise<string> {
  await page.setContent(`<style>${await faces()}${style}</style><body>${html}</body>`)
  await page.evaluate(() => document.fonts.ready)
  const file = join(folder, `layer-${n}.png`)
  await page.screenshot({ path: file, omitBackground: true })
  return file
}

const mark = `<svg viewBox="0 0 32 32"><rect y="3" width="29" height="29" rx="8" fill="#2647e0"/><path d="M7.5 18.2l5 5L22.5 13" fill="none" stroke="#fff" stroke-width="3.6" stroke-linecap="round" stroke-linejoin="round"/><circle cx="26" cy="6" r="4.6" fill="#ff5a3c" stroke="#fff" stroke-width="2.4"/></svg>`
const logo = `<span class="bug">NMLS 000000</span>`
const nameplate = `<div class="name"><b>Riley Park</b><span>Loan officer · Sample Home Loans</span></div>`
const closingCard = `<div class="end">${mark}<b>Riley Park</b><span>Sample Home Loans<br>NMLS 000000</span></div>`
const style = `*{box-sizing:border-box}body{margin:0;font-family:Geist;color:#fff}
.caption{position:absolute;left:28px;right:28px;bottom:150px;margin:0;text-align:center;font:800 41px/1.22 'Funnel Display';letter-spacing:-.01em;text-wrap:balance;text-shadow:0 2px 10px #0009,0 0 3px #0009}
.caption b{background:#ff5a3c;color:#0f1729;border-radius:9px;padding:0 9px;text-shadow:none;font-weight:800}
.bug{position:absolute;right:20px;top:22px;background:#fffffff0;color:#0f1729;border-radius:99px;padding:6px 14px;font:600 19px Geist}
.name{position:absolute;left:0;bottom:44px;background:#2647e0;padding:12px 26px 12px 24px;border-radius:0 14px 14px 0;display:grid}.name b{font:700 27px/1.2 'Funnel Display'}.name span{font-size:18px;color:#dfe5ff}
.end{position:absolute;inset:0;background:#0f1729;display:grid;place-content:center;justify-items:center;gap:14px;text-align:center}.end svg{width:92px}.end b{font:700 44px 'Funnel Display'}.end span{font-size:24px;line-height:1.5;color:#b9c2d4}`

const encoding = [
  '-an',
  '-c:v',
  'libx264',
  '-preset',
  'veryslow',
  '-crf',
  '29',
  '-g',
  '250',
  '-pix_fmt',
  'yuv420p',
  '-movflags',
  '+faststart',
  '-y',
]

async function poster(name: string, at: number) {
  const file = join(pictures, `${name}.mp4`)
  await ffmpeg([
    '-ss',
    String(at),
    '-i',
    file,
    '-frames:v',
    '1',
    '-c:v',
    'libaom-av1',
    '-still-picture',
    '1',
    '-crf',
    '38',
    '-y',
    join(pictures, `${name}.avif`),
  ])
}

async function ffmpeg(args: string[]) {
  await run('ffmpeg', ['-v', 'error', ...args], { maxBuffer: 1e8 })
}

/** What the ruler of the page draws: the length of both, where somebody speaks (0 to 100 of the length), what was cut. */
function bars(kept: [number, number][]) {
  const { syllables } = murmur(take.seconds, take.seed, take.pauses)
  const length = kept.reduce((sum, [from, to]) => sum + to - from, 0)
  return { before: take.seconds, after: length + closing, spoken: syllables, kept }
}

async function makeIcons() {
  const draw = async (name: string, size: number, padding: number, ground: string) => {
    const page = await pageOf(browser, size, size)
    await page.setContent(
      `<style>body{margin:0;background:${ground}}svg{position:absolute;inset:${padding * size}px;width:${(1 - 2 * padding) * size}px}</style>${mark}`,
    )
    await page.screenshot({ path: join(icons, name), omitBackground: ground === 'transparent' })
  }
  await draw('icon-192.png', 192, 0.02, 'transparent')
  await draw('icon-512.png', 512, 0.02, 'transparent')
  await draw('maskable-512.png', 512, 0.22, '#f6f7f9')
  await draw('apple-touch.png', 180, 0.16, '#f6f7f9')
}

/** What a link to us shows in a chat or a feed. */
async function makeCard() {
  const page = await pageOf(browser, 1200, 630)
  const shot = async (name: string) =>
    `data:image/avif;base64,${(await readFile(join(pictures, `${name}.avif`))).toString('base64')}`
  await page.setContent(`<style>${await faces()}*{box-sizing:border-box}body{margin:0;width:1200px;height:630px;background:#f6f7f9;color:#0f1729;font-family:Geist;position:relative;overflow:hidden}
.brand{position:absolute;left:72px;top:64px;display:flex;gap:16px;align-items:center;font:700 34px 'Funnel Display'}.brand svg{width:52px}
h1{position:absolute;left:72px;top:176px;margin:0;font:700 76px/1.04 'Funnel Display';letter-spacing:-.02em}
p{position:absolute;left:72px;bottom:68px;margin:0;font-size:29px;color:#566074}
img{position:absolute;border-radius:34px;border:9px solid #0f1729;width:262px;height:466px;object-fit:cover}</style>
<div class="brand">${mark}Clear to Post</div><h1>You talk for<br>two minutes.<br>We make it<br>clear to post.</h1><p>Video editing for loan officers</p>
<img style="right:312px;top:130px;width:222px;height:394px;opacity:.92" src="${await shot('before')}"><img style="right:64px;top:82px" src="${await shot('after')}">`)
  await page.evaluate(() => document.fonts.ready)
  await page.screenshot({ path: join(root, 'web/public/social-card.jpg'), type: 'jpeg', quality: 84 })
}

async function pageOf(from: Browser, wide: number, high: number): Promise<Page> {
  return from.newPage({ viewport: { width: wide, height: high } })
}

async function faces(): Promise<string> {
  const face = async (family: string, path: string, weights: string) => {
    const font = await readFile(join(root, 'node_modules/@fontsource-variable', path))
    return `@font-face{font-family:'${family}';font-weight:${weights};src:url(data:font/woff2;base64,${font.toString('base64')})}`
  }
  return (
    (await face('Geist', 'geist/files/geist-latin-wght-normal.woff2', '100 900')) +
    (await face('Funnel Display', 'funnel-display/files/funnel-display-latin-wght-normal.woff2', '300 800'))
  )
}

// Last: what stands above is there by then.
try {
  await mkdir(pictures, { recursive: true })
  await mkdir(icons, { recursive: true })
  const kept = keptParts()
  const raw = join(folder, 'raw.mp4')
  await makeClip({ ...take, out: raw, width: 720, height: 1280 })
  await makeBefore(raw)
  await makeAfter(raw, kept)
  await writeFile(join(pictures, 'take.json'), `${JSON.stringify(bars(kept))}\n`)
  await makeIcons()
  await makeCard()
} finally {
  await browser.close()
  await rm(folder, { recursive: true, force: true })
}
