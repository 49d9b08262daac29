import { expect, test } from 'vitest'
import type { Playback } from '../../ui/player-transport.ts'
import { keys, type KeyTarget } from './keys.ts'
import { matching } from './matching.ts'

/** Writes down what is called of it. */
const recorder = () => {
  const called: string[] = []
  const of = (name: string): unknown =>
    new Proxy(() => called.push(name), {
      get: (_, part) => (typeof part === 'string' ? of(`${name}.${part}`) : undefined),
    })
  const target = new Proxy({} as KeyTarget, { get: (_, part) => of(String(part)) })
  return { called, target }
}

test('every key of the workbench has one command, is shown with words, and does one thing', () => {
  const all = keys.flatMap(({ on }) => on)
  expect(all.filter((name, i) => all.indexOf(name) !== i)).toEqual([])
  for (const key of keys) {
    expect([key.label, ...key.shown].filter((words) => words.trim() === '')).toEqual([])
    for (const name of key.on) expect(name).toMatch(/^(ctrl\+)?(alt\+)?(shift\+)?.+$/)
    const { called, target } = recorder()
    key.run(target, { shiftKey: false })
    expect(called, key.label).toHaveLength(1)
  }
  expect(keys.map(({ label }) => label)).toHaveLength(new Set(keys.map(({ label }) => label)).size)
  // Shown keys are the keys that are heard, and what has none is found by its name.
  for (const { on, shown, label } of keys) {
    expect([label, on.length > 0], label).toEqual([label, shown.length > 0])
    expect(matching(keys, label)[0]?.label).toBe(label)
  }
})

test('with Shift a nudge is five frames, and with Alt the neighbour moves along', () => {
  const calls: [number, boolean][] = []
  const target = { nudge: (by: number, rolls: boolean) => calls.push([by, rolls]), player: {} as Playback } as never
  for (const name of [',', 'shift+,', '.', 'shift+.', 'alt+,', 'alt+shift+.'])
    keys.find(({ on }) => on.includes(name))!.run(target, { shiftKey: name.includes('shift') })
  expect(calls).toEqual([
    [-1, false],
    [-5, false],
    [1, false],
    [5, false],
    [-1, true],
    [5, true],
  ])
})
