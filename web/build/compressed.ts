import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

/** Writes `.br` and `.gz` beside every text file, so that the server never compresses. */
export function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle: async ({ dir }, bundle) => {
      await Promise.all(
        Object.keys(bundle)
          .filter((name) => /\.(js|css|html|svg|json|webmanifest)$/.test(name))
          .map((name) => compress(join(dir!, name))),
      )
    },
  }
}

/** Writes both compressed forms of one file beside it. */
export async function compress(file: string): Promise<void> {
  const content = await readFile(file)
  const best = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
  await writeFile(`${file}.br`, await promisify(brotliCompress)(content, best))
  await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
}
