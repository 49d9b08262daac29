import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projects } from '@clear-to-post/contract/projects'
import { expect, test } from 'vitest'

/** The steps whose calls say that the project changed since it was seen (contract/src/steps.test.ts has them all). */
const steps = Object.entries(projects).flatMap(([name, { refuses }]) =>
  (refuses as readonly string[]).includes('project.changed') ? [name] : [],
)
const asked = new RegExp(
  String.raw`\b(?:send\(projects(?:\.(?:${steps.join('|')})\b|\[)|calls\.(?:${steps.join('|')})\.mutate\()`,
  'g',
)

test('the panel takes no step without the number of the last event that was on the screen', () => {
  const found = globSync('**/*.{ts,tsx}', { cwd: import.meta.dirname, exclude: (path) => path.endsWith('.test.ts') })
    .map((file) => ({ file, code: readFileSync(join(import.meta.dirname, file), 'utf8') }))
    .flatMap(({ file, code }) => [...code.matchAll(asked)].map((one) => `${file}: ${callAt(code, one.index)}`))
  expect(found.length).toBeGreaterThan(steps.length)
  expect(found.filter((one) => !/\bseq\b/.test(one))).toEqual([])
  // A step by another way than `act.ts` would not be looked at here.
  const declared = new RegExp(String.raw`useCall\(projects\.(?:${steps.join('|')})\b`)
  const ways = globSync('**/*.{ts,tsx}', { cwd: import.meta.dirname }).filter((file) =>
    declared.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
  )
  expect(ways).toEqual(['panel/project/act.ts'])
})

/** A call as it is written, from its name to its closing bracket. */
const callAt = (code: string, from: number): string => {
  let open = 0
  for (let at = code.indexOf('(', from); at < code.length; at += 1) {
    if (code[at] === '(') open += 1
    if (code[at] === ')') open -= 1
    if (open === 0) return code.slice(from, at + 1)
  }
  return code.slice(from)
}
