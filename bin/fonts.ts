// npm run fonts: makes the two faces that every page waits for out of their packages, in the weights that we use: a third
// lighter. Run by hand when they change; what it writes is kept in the repo. Fetches its tool into node_modules/.fonts.
import { execFile } from 'node:child_process'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const root = resolve(import.meta.dirname, '..')
const tools = join(root, 'node_modules/.fonts')
const target = join(root, 'web/app/faces')

/** `noLayoutClosure` leaves out what only features reach: Geist's tabular figures are such a feature, and we use them. */
const faces = [
  { name: 'geist', weights: { min: 400, max: 700 }, noLayoutClosure: false },
  { name: 'funnel-display', weights: { min: 600, max: 700 }, noLayoutClosure: true },
]
/** The packages' own latin range. */
const latin =
  '20-7E A0-FF 131 152-153 2BB-2BC 2C6 2DA 2DC 304 308 329 2000-206F 20AC 2122 2191 2193 2212 2215 FEFF FFFD'
    .split(' ')
    .map((range) => range.split('-').map((code) => Number.parseInt(code, 16)))
    .flatMap(([from, to = from]) => Array.from({ length: to! - from! + 1 }, (_, i) => String.fromCodePoint(from! + i)))
    .join('')

type Subset = (
  font: Buffer,
  text: string,
  options: {
    targetFormat: 'woff2'
    noLayoutClosure: boolean
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
for (const { name, weights, noLayoutClosure } of faces) {
  const from = join(root, 'node_modules/@fontsource-variable', name)
  const whole = await readFile(join(from, `files/${name}-latin-wght-normal.woff2`))
  const part = await subset(whole, latin, { targetFormat: 'woff2', noLayoutClosure, variationAxes: { wght: weights } })
  await writeFile(join(target, `${name}.woff2`), part)
  await copyFile(join(from, 'LICENSE'), join(target, `${name}.LICENSE`))
  console.log(`${name} ${weights.min}–${weights.max}: ${part.length} of ${whole.length} bytes`)
}
