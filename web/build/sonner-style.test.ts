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

it('sonner’s function that inserts a style element returns at once in the build', () => {
  const [, body] = /function __insertCSS\(code\) \{\n\s*(.*)\n/.exec(withoutStyleElement(sonner))!
  expect(body).toBe('return')
})

it('another version of sonner’s insertion code fails the build', () => {
  expect(() => withoutStyleElement(sonner.replaceAll('!code ||', ''))).toThrow(/sonner.*0 times/)
  expect(() => withoutStyleElement(sonner + sonner)).toThrow(/sonner.*2 times/)
})

it('the panel’s style sheet imports sonner’s own sheet', () => {
  expect(readFileSync(new URL('../app/styles.css', import.meta.url), 'utf8')).toContain("'sonner/dist/styles.css'")
})
