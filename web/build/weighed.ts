import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

/** What the panel's first page may weigh: JavaScript in kB (1,000 bytes) as brotli sends it. */
const budget = 185
/** The modules that the first page begins with. */
const first = ['app/main.tsx', 'app/panel/shell.tsx', 'app/panel/projects/projects-page.tsx']

/** Says what the panel's first page weighs, and fails the build when it outgrows its budget. Stands after `compressed`. */
export function weighed(): Plugin {
  return {
    name: 'weighed',
    apply: 'build',
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler({ dir }, bundle) {
        const files = await Promise.all(chunksFor(first, bundle).map((name) => stat(join(dir!, `${name}.br`))))
        const weight = files.reduce((sum, { size }) => sum + size, 0) / 1000
        const words = `The panel's first page: ${weight.toFixed(1)} kB of ${budget} kB`
        if (weight > budget) this.error(`${words}. Load something later that it does not need at once.`)
        this.info(words)
      },
    },
  }
}

/** The script files that these modules need, with all that those import. Throws when a module is not in the bundle. */
export function chunksFor(modules: readonly string[], bundle: Rolldown.OutputBundle): string[] {
  const needed = new Set<string>()
  const need = (name: string) => {
    const chunk = bundle[name]
    if (chunk?.type !== 'chunk' || needed.has(name)) return
    needed.add(name)
    for (const imported of chunk.imports) need(imported)
  }
  for (const file of modules) {
    const chunk = Object.values(bundle).find(
      (one) => one.type === 'chunk' && one.moduleIds.some((id) => id.endsWith(`/web/${file}`)),
    )
    if (!chunk) throw new Error(`${file} is not in the bundle, so the panel's first page cannot be weighed.`)
    need(chunk.fileName)
  }
  return [...needed]
}
