// npm run fonts: makes the two faces of every page out of their packages, in the weights that we use, each in two parts: what
// English needs, for which every page waits, and the rest, which comes where a letter of it stands. Run by hand when they
// change; what it writes is kept in the repo. Fetches its tool into node_modules/.fonts.
import { execFile } from 'node:child_process'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const root = resolve(import.meta.dirname, '..')
const tools = join(root, 'node_modules/.fonts')
const target = join(root, 'web/app/faces')

/** With the features that our pages reach: figures of one width are one of Geist's. */
const features = ['kern', 'ccmp', 'locl', 'mark', 'mkmk']
const faces = [
  { name: 'geist', wght: { min: 400, max: 700 }, keepFeatures: [...features, 'tnum'] },
  { name: 'funnel-display', wght: { min: 600, max: 700 }, keepFeatures: features },
]

const letters = (ranges: string) =>
  ranges
    .split(' ')
    .map((range) => range.split('-').map((code) => Number.parseInt(code, 16)))
    .flatMap(([from, to = from]) => Array.from({ length: to! - from! + 1 }, (_, i) => String.fromCodePoint(from! + i)))
    .join('')

/** What English needs, and the rest of the packages' own latin range; the same stands in look.css. */
const parts = {
  '': letters('20-7E A0 A9 B7 D7 2013-2014 2018-2019 201C-201D 2022 2026 2190 2192 2212'),
  '-more': letters(
    'A1-A8 AA-B6 B8-D6 D8-FF 131 152-153 2BB-2BC 2C6 2DA 2DC 304 308 329 2000-2012 2015-2017 201A-201B 201E-2021 2023-2025 2027-206F 20AC 2122 2191 2193 2215 FEFF FFFD',
  ),
}

type Subset = (
  font: Buffer,
  text: string,
  options: {
    targetFormat: 'woff2'
    keepFeatures: readonly string[]
    variationAxes: { wght: { min: number; max: number } }
  },
) => Promise<Buffer>

await mkdir(tools, { recursive: true })
await mkdir(target, { recursive: true })
await writeFile(
  join(tools, 'package.json'),
  JSON.stringify({ private: true, dependencies: { 'subset-font': '2.9.0' } }),
)
await promisify(execFile)('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: tools })
const { default: subset } = (await import(
  pathToFileURL(join(tools, 'node_modules/subset-font/index.js')).href
)) as unknown as { default: Subset }
for (const { name, wght, keepFeatures } of faces) {
  const from = join(root, 'node_modules/@fontsource-variable', name)
  const whole = await readFile(join(from, `files/${name}-latin-wght-normal.woff2`))
  for (const [end, text] of Object.entries(parts)) {
    const part = await subset(whole, text, { targetFormat: 'woff2', keepFeatures, variationAxes: { wght } })
    await writeFile(join(target, `${name}${end}.woff2`), part)
    console.log(`${name}${end} ${wght.min}–${wght.max}: ${part.length} of ${whole.length} bytes`)
  }
  await copyFile(join(from, 'LICENSE'), join(target, `${name}.LICENSE`))
}
