import { readFileSync } from 'node:fs'
import { children } from '../src/boxes.ts'

/** An MP4 with its index behind the rest, whose picture track has two descriptions, the second of them called `kind`. */
export const withSecondKind = (file: string, kind: string): Buffer =>
  withSecond(file, 'vide', (entry) => entry.write(kind, 4, 'latin1'))

/** The same, whose track of that handler has its description once more, changed, and says that the later half of its chunks is by it. */
export function withSecond(file: string, handler: string, change: (entry: Buffer) => unknown): Buffer {
  const bytes = readFileSync(file)
  const top = [...children(bytes, 0)]
  const index = top.pop()!
  if (nameOf(index) !== 'moov') throw new Error('The index stands in front')
  return Buffer.concat([
    ...top,
    box('moov', ...[...children(index, 8)].map((track) => changed(track, { handler, change }))),
  ])
}

const inside = new Set(['trak', 'mdia', 'minf', 'stbl'])

type Wanted = { handler: string; change: (entry: Buffer) => unknown }

function changed(one: Buffer, wanted: Wanted): Buffer {
  const name = nameOf(one)
  if (name === 'trak' && !one.includes(wanted.handler)) return one
  if (inside.has(name)) return box(name, ...within(one, wanted))
  return one
}

function within(one: Buffer, wanted: Wanted): Buffer[] {
  const parts = [...children(one, 8)]
  const places = parts.find((part) => nameOf(part) === 'stco')
  return parts.map((part) => {
    if (nameOf(part) === 'stsd') return twice(part, wanted)
    if (nameOf(part) === 'stsc' && places) return halved(part, places.readUInt32BE(12))
    return changed(part, wanted)
  })
}

function twice(list: Buffer, { change }: Wanted): Buffer {
  const entry = list.subarray(16)
  const other = Buffer.from(entry)
  change(other)
  return box('stsd', list.subarray(8, 12), number(2), entry, other)
}

/** A row for every chunk: its number, its samples, its description. */
function halved(list: Buffer, chunks: number): Buffer {
  const rows = Array.from({ length: list.readUInt32BE(12) }, (_, i) => ({
    from: list.readUInt32BE(16 + 12 * i),
    samples: list.readUInt32BE(20 + 12 * i),
  }))
  const each = Array.from({ length: chunks }, (_, i) => {
    const { samples } = rows.findLast(({ from }) => from <= i + 1)!
    return [i + 1, samples, i < chunks / 2 ? 1 : 2].map(number)
  })
  return box('stsc', list.subarray(8, 12), number(chunks), ...each.flat())
}

export function box(name: string, ...parts: Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 8)
  return Buffer.concat([number(length), Buffer.from(name, 'latin1'), ...parts])
}

export function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export const nameOf = (one: Buffer): string => one.toString('latin1', 4, 8)
