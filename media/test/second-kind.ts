import { readFileSync } from 'node:fs'
import { children } from '../src/boxes.ts'

/**
 * An MP4 with its index behind the rest, whose picture track has its description once more, called `kind`, and says that the
 * later half of its chunks is by that one.
 */
export function withSecondKind(file: string, kind: string): Buffer {
  const bytes = readFileSync(file)
  const top = [...children(bytes, 0)]
  const index = top.pop()!
  if (nameOf(index) !== 'moov') throw new Error('The index stands in front')
  return Buffer.concat([...top, box('moov', ...[...children(index, 8)].map((track) => changed(track, kind)))])
}

const inside = new Set(['trak', 'mdia', 'minf', 'stbl'])

function changed(one: Buffer, kind: string): Buffer {
  const name = nameOf(one)
  if (name === 'trak' && !one.includes('vide')) return one
  if (inside.has(name)) return box(name, ...within(one, kind))
  return one
}

function within(one: Buffer, kind: string): Buffer[] {
  const parts = [...children(one, 8)]
  const places = parts.find((part) => nameOf(part) === 'stco')
  return parts.map((part) => {
    if (nameOf(part) === 'stsd') return twice(part, kind)
    if (nameOf(part) === 'stsc' && places) return halved(part, places.readUInt32BE(12))
    return changed(part, kind)
  })
}

function twice(list: Buffer, kind: string): Buffer {
  const entry = list.subarray(16)
  const other = Buffer.from(entry)
  other.write(kind, 4, 'latin1')
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
