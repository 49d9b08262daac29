import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, it } from 'vitest'

// A margin parts words for the eye alone: whoever hears or copies them gets "editoroptional".
const set = /<span className="(?:[^"]*[ ])?m[lrse]-[\d.]+[ "]/

const setApart = (code: string): number[] => code.split('\n').flatMap((line, at) => (set.test(line) ? [at + 1] : []))

it('words beside each other are parted by a space, not by a margin', () => {
  const root = import.meta.dirname
  const found = globSync(join(root, '**/*.tsx')).flatMap((file) =>
    setApart(readFileSync(file, 'utf8')).map((line) => `${relative(root, file)}:${line}`),
  )
  expect(found).toEqual([])
})

it('a span with a margin at its side is found', () => {
  expect(setApart('<p>\n<span className="ml-1.5 font-normal">\n<span className="-mr-1 ml-auto">')).toEqual([2])
})
