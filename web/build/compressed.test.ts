import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { compress } from './compressed.ts'

it('the Brotli and gzip forms of a file contain the same bytes as the file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'compressed-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'a.js')
  writeFileSync(file, 'const a = 1\n'.repeat(100))
  await compress(file)
  expect(brotliDecompressSync(readFileSync(`${file}.br`))).toEqual(readFileSync(file))
  expect(gunzipSync(readFileSync(`${file}.gz`))).toEqual(readFileSync(file))
})
