import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { withoutStyleElement } from './sonner-style.ts'

const sonner = readFileSync(
  createRequire(import.meta.url)
    .resolve('sonner')
    .replace(/\.js$/, '.mjs'),
  'utf8',
)

it('sonner’s insertion of a style element returns before it does anything', () => {
  const [, body] = /function __insertCSS\(code\) \{\n\s*(.*)\n/.exec(withoutStyleElement(sonner))!
  expect(body).toBe('return')
})

it('a sonner that inserts its style element in other words, or twice, fails the build', () => {
  expect(() => withoutStyleElement(sonner.replaceAll('!code ||', ''))).toThrow(/sonner.*0 times/)
  expect(() => withoutStyleElement(sonner + sonner)).toThrow(/sonner.*2 times/)
})

it('sonner’s own sheet is imported by the panel’s', () => {
  expect(readFileSync(new URL('../app/styles.css', import.meta.url), 'utf8')).toContain("'sonner/dist/styles.css'")
})
