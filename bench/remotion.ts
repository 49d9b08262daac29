import { execFile, execFileSync } from 'node:child_process'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { captionTrack } from '@clear-to-post/edit/caption-track'
import { emojis } from '@clear-to-post/edit/emoji'
import { fontFiles } from '@clear-to-post/edit/fonts'
import { sizeOf, type Recipe } from '@clear-to-post/edit/recipe'
import { segmentsOf, timelineOf } from '@clear-to-post/edit/timeline'
import { canvasTools } from '../server/src/outside/canvas.ts'

const version = '4.0.529'
const packages = [
  ...['remotion', '@remotion/bundler', '@remotion/renderer'].map((name) => `${name}@${version}`),
  'react@19.2.0',
  'react-dom@19.2.0',
]

/**
 * Remotion, fetched into a temporary folder: its licence asks companies of more than three people for money, so it is
 * nothing that the product may depend on. Answers a render of a recipe's passages, moves, crossfades and captions;
 * its closing card is plain text on a ground. Throws when the packages or a browser cannot be had.
 */
export async function remotion(
  folder: string,
): Promise<(recipe: Recipe, source: string, out: string) => Promise<void>> {
  const home = join(folder, 'remotion')
  await mkdir(join(home, 'public'), { recursive: true })
  await writeFile(join(home, 'package.json'), '{ "private": true, "type": "module" }')
  const browser = process.env.CHROMIUM_PATH ?? execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim()
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], { cwd: home })
  const fonts = resolve(import.meta.dirname, '../node_modules/@fontsource/figtree/files')
  for (const { file } of fontFiles) await copyFile(join(fonts, file), join(home, 'public', file))
  for (const { file } of Object.values(emojis))
    await copyFile(resolve(import.meta.dirname, `../edit/emoji/${file}.webp`), join(home, 'public', `${file}.webp`))
  await writeFile(join(home, 'job.jsx'), job)
  await writeFile(join(home, 'render.mjs'), renderer)
  return async (recipe, source, out) => {
    await copyFile(source, join(home, 'public/take.mp4'))
    await writeFile(join(home, 'props.json'), JSON.stringify(await propsOf(recipe)))
    await run(process.execPath, ['render.mjs', browser, out], { cwd: home, maxBuffer: 2 ** 26 })
  }
}

const run = promisify(execFile)

/** What the composition shows: segments of the timeline, and words where our own layout puts them. */
async function propsOf(recipe: Recipe) {
  const { measure } = await canvasTools()
  const { frames } = timelineOf(recipe)
  const pictures = captionTrack(recipe, measure).states.flatMap(({ page, active, from, to }) => {
    if (!page) return []
    const { size, colours, emoji, lines } = page
    const words = lines.flat().map(({ id, text, x, y, width }) => ({ text, x, y, width, spoken: id === active }))
    return [{ from, to, size, colours, words, emoji: emoji && { file: emojis[emoji.emoji].file, box: emoji.box } }]
  })
  const family = fontFiles.find(({ file }) => file.includes('latin-800'))
  return { ...sizeOf(recipe), frames, segments: segmentsOf(recipe), pictures, card: recipe.close, font: family?.file }
}

const job = `
import { useEffect, useState } from 'react'
import { AbsoluteFill, Composition, Img, OffthreadVideo, Sequence, continueRender, delayRender, interpolate, registerRoot, staticFile, useCurrentFrame } from 'remotion'

const face = (file) => new FontFace('Captions', 'url(' + staticFile(file) + ')').load().then((font) => document.fonts.add(font))

const Shot = ({ shot, frames }) => {
  const done = useCurrentFrame() / frames
  const zoom = shot.zoom ? shot.zoom.from + (shot.zoom.to - shot.zoom.from) * done : 1
  return <OffthreadVideo src={staticFile('take.mp4')} trimBefore={shot.from} style={{ width: '100%', height: '100%', objectFit: 'cover', transform: 'scale(' + zoom + ')' }} />
}
const Faded = ({ frames, children }) => <AbsoluteFill style={{ opacity: interpolate(useCurrentFrame(), [0, frames], [0, 1]) }}>{children}</AbsoluteFill>
const Segment = ({ segment, card }) =>
  segment.kind === 'shot' ? <Shot shot={segment.shot} frames={segment.frames} /> :
  segment.kind === 'crossfade' ? <><Shot shot={segment.out} frames={segment.frames} /><Faded frames={segment.frames}><Shot shot={segment.in} frames={segment.frames} /></Faded></> :
  <AbsoluteFill style={{ background: '#0f1729', color: '#fff', font: '800 90px Captions', alignItems: 'center', justifyContent: 'center' }}>{card.title}</AbsoluteFill>
const Picture = ({ picture: { size, colours, words, emoji } }) => <AbsoluteFill style={{ font: '800 ' + size + 'px Captions' }}>
  {words.map(({ text, x, y, width, spoken }, i) => <span key={i} style={{ position: 'absolute', left: x, top: y - size, lineHeight: size * 1.25 + 'px', whiteSpace: 'pre', color: spoken ? colours.spokenText : colours.text, background: spoken ? colours.spoken : undefined, borderRadius: 12, WebkitTextStroke: spoken ? undefined : size / 12 + 'px ' + colours.edge, paintOrder: 'stroke', textShadow: '0 4px 12px #0008' }}>{text}</span>)}
  {emoji && <Img src={staticFile(emoji.file + '.webp')} style={{ position: 'absolute', left: emoji.box.x, top: emoji.box.y, width: emoji.box.width, height: emoji.box.height }} />}
</AbsoluteFill>
const Job = ({ segments, pictures, card, font }) => {
  // Within the component: the composition is looked at before anything of it is shown.
  const [wait] = useState(() => delayRender('the font'))
  useEffect(() => void face(font).then(() => continueRender(wait)), [])
  return <AbsoluteFill style={{ background: '#000' }}>
    {segments.map((segment) => <Sequence key={segment.at} from={segment.at} durationInFrames={segment.frames}><Segment segment={segment} card={card} /></Sequence>)}
    {pictures.map((picture) => <Sequence key={'p' + picture.from} from={picture.from} durationInFrames={picture.to - picture.from}><Picture picture={picture} /></Sequence>)}
  </AbsoluteFill>
}
registerRoot(() => <Composition id="job" component={Job} fps={30} width={1080} height={1920} durationInFrames={1} defaultProps={{}}
  calculateMetadata={({ props }) => ({ width: props.width, height: props.height, durationInFrames: props.frames })} />)
`

const renderer = `
import { readFileSync } from 'node:fs'
import { bundle } from '@remotion/bundler'
import { renderMedia, selectComposition } from '@remotion/renderer'
const [browserExecutable, outputLocation] = process.argv.slice(2)
const inputProps = JSON.parse(readFileSync('props.json', 'utf8'))
const serveUrl = await bundle({ entryPoint: process.cwd() + '/job.jsx', publicDir: process.cwd() + '/public' })
const more = { serveUrl, inputProps, browserExecutable, chromeMode: 'chrome-for-testing', chromiumOptions: { gl: 'swangle', enableMultiProcessOnLinux: true }, timeoutInMilliseconds: 240000, logLevel: 'error' }
const composition = await selectComposition({ ...more, id: 'job' })
await renderMedia({ ...more, composition, codec: 'h264', crf: 21, x264Preset: 'veryfast', pixelFormat: 'yuv420p', audioCodec: 'aac', audioBitrate: '160k', outputLocation })
`
